"""What every store must do, as tests: subclass, say how a store is made, and let pytest collect it.

::

    class TestMyStore(StoreContract):
        def make_store(self):
            return MyStore()

        def second_handle(self, store):
            return MyStore(store.path, busy_timeout_s=0.05)

The suite is cut by role, in the order of ``stores.base``. Nothing here needs a test framework: plain
methods named ``test_…`` with plain ``assert``, and each closes what it opened.
"""

from __future__ import annotations

from .contract_audit import AuditContract, CountsContract
from .contract_bulk import BulkContract
from .contract_fresh import FreshContract
from .contract_journal import JournalContract
from .contract_merges import MergesContract
from .contract_packs import PacksContract
from .contract_pages import PagesContract
from .contract_polls import PollsContract
from .contract_records import RecordsContract
from .contract_redirects import RedirectsContract
from .contract_reviews import ReviewsContract
from .contract_sightings import SightingsContract
from .contract_sources import SourcesContract
from .contract_units import UnitsContract


class StoreContract(
    UnitsContract,
    SourcesContract,
    RecordsContract,
    SightingsContract,
    ReviewsContract,
    JournalContract,
    MergesContract,
    BulkContract,
    FreshContract,
    CountsContract,
    AuditContract,
    PacksContract,
    RedirectsContract,
    PagesContract,
    PollsContract,
):
    """The whole suite; see ``contract_base.ContractBase`` for the two methods to provide."""
