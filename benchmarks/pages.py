"""Everything about pages: dates (`page_dates.py`), texts (`page_texts.py`), feeds (`feeds.py`), one after the other."""

from __future__ import annotations

import feeds
import page_dates
import page_texts


def main() -> None:
    for part in (page_dates, page_texts, feeds):
        part.main()


if __name__ == "__main__":
    main()
