"""Every error that seenbefore raises on purpose.

::

    SeenBeforeError
    ├── InvalidInput          the caller's data is wrong: one line, one file, one option
    │   ├── InvalidItem       an item that cannot be identified or has a field of the wrong type
    │   ├── InvalidURL        an address that cannot be parsed (never leaves the pipeline)
    │   ├── InvalidFeed       bytes that hold no feed at all
    │   ├── InvalidRule       a rule pack that does not follow the schema or fails its own examples
    │   ├── InvalidPolicy     a policy value outside its range, or an unknown name
    │   ├── CannotActivate    rules that cannot be put into force or taken out of it (now); says why
    │   └── CannotUndo        an event that cannot be taken back (now); says why, and names what stands in the way
    ├── NotFound              an id or address that the store does not hold
    ├── StoreError            the database could not be read or written (rolled back)
    │   ├── StoreBusy         another process held the lock for too long (retryable)
    │   └── StoreVersionError the file was written by a newer seenbefore
    ├── FetchFailed           a page or feed could not be had: network, server, limits
    │   └── Refused           it may not be fetched: an address, port, scheme or content type that policy forbids
    ├── MissingExtra          a part that is not installed was asked for; names the extra
    └── IngestError           some units were stored, one was not; names the first item not stored

Errors carry attributes as well as a text, survive pickling, and say in ``retryable`` whether the
same call may succeed later.
"""

from __future__ import annotations

from .redact import mask_secrets


class SeenBeforeError(Exception):
    """Root of all errors of this package."""

    retryable = False


class InvalidInput(SeenBeforeError):
    """The caller's data is wrong; ``where`` names the place, ``code`` is stable for programs."""

    code = "invalid_input"

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(message, where)
        self.message = message
        self.where = where

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class InvalidItem(InvalidInput):
    """An item that names nothing, or has a field of the wrong type."""

    code = "invalid_item"


class InvalidURL(InvalidInput):
    """An address without host, or with a scheme other than http and https."""

    code = "invalid_url"


class InvalidFeed(InvalidInput):
    """Bytes that hold no feed."""

    code = "invalid_feed"


class InvalidRule(InvalidInput):
    """A rule pack that breaks the schema, or a rule that fails its own examples."""

    code = "invalid_rule"


class InvalidPolicy(InvalidInput):
    """A policy with an unknown name or a value out of range."""

    code = "invalid_policy"


class CannotActivate(InvalidInput):
    """Rules that cannot be put into force, or taken out of it; ``collisions`` counts pairs that speak against it."""

    code = "cannot_activate"

    def __init__(self, message: str, where: str = "", collisions: int = 0) -> None:
        super().__init__(message, where)
        self.args = (message, where, collisions)
        self.collisions = collisions


class CannotUndo(InvalidInput):
    """An event that cannot be taken back; ``event_id`` names it, ``by_id`` the event that stands in the way."""

    code = "cannot_undo"

    def __init__(self, event_id: str, reason: str, by_id: str | None = None) -> None:
        super().__init__(reason, event_id)
        self.args = (event_id, reason, by_id)
        self.event_id = event_id
        self.by_id = by_id


class NotFound(SeenBeforeError):
    """The store holds nothing under this id or address."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what

    def __str__(self) -> str:
        return f"nothing is stored under {self.what!r}"


class StoreError(SeenBeforeError):
    """The database could not be read or written; the open unit was rolled back."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message, path)
        self.message = message
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class StoreBusy(StoreError):
    """Another process kept the write lock for longer than the time-out."""

    retryable = True


class StoreVersionError(StoreError):
    """The file was written by a newer version of seenbefore."""


class IngestError(SeenBeforeError):
    """A unit failed and was rolled back; earlier units stand, a re-run completes the work."""

    retryable = True

    def __init__(self, first_item: str, cause: str) -> None:
        super().__init__(first_item, cause)
        self.first_item = first_item
        self.cause = cause

    def __str__(self) -> str:
        return f"stopped before {self.first_item}, which is not stored (run it again to complete): {self.cause}"


class FetchFailed(SeenBeforeError):
    """An answer could not be had. ``code`` is stable (``dns``, ``timeout``, ``too-large``, ``status`` …).

    ``status`` is the HTTP status if there was one, ``retry_after`` the seconds a server asked to wait (capped),
    ``hops`` the redirects before it as (url, status, location), ``content_type`` what a body is that was refused for
    that. The message names no resolved address.
    """

    def __init__(
        self,
        code: str,
        message: str,
        url: str = "",
        *,
        status: int | None = None,
        retry_after: float | None = None,
        hops: tuple[tuple[str, int, str], ...] = (),
        content_type: str = "",
        retryable: bool = False,
    ) -> None:
        super().__init__(code, message, url)
        self.code = code
        self.message = message
        self.url = url
        self.status = status
        self.retry_after = retry_after
        self.hops = hops
        self.content_type = content_type
        self.retryable = retryable

    def __str__(self) -> str:
        return f"{mask_secrets(self.url)}: {self.message}" if self.url else self.message


class Refused(FetchFailed):
    """Policy forbids the fetch; asking again changes nothing."""


class MissingExtra(SeenBeforeError):
    """Something that is not installed was asked for; ``extra`` names what to install."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(extra, purpose)
        self.extra = extra
        self.purpose = purpose

    def __str__(self) -> str:
        return f"{self.purpose} needs more than the base install: pip install 'seenbefore[{self.extra}]'"
