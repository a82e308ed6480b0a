"""Save the feeds of a list into a folder that `seenbefore ingest` reads: one sub-folder per feed, one file per reading.

    python examples/save_feeds.py my-feeds.txt feeds

The list holds one address per line (blank lines and lines that start with # are left out), or is an OPML
file as feed readers export it. Feeds that cannot be read are told at the end; the others are saved.
A small script to start with: it asks politely for changes only, and fetches one feed after the other.
"""

from __future__ import annotations

import json
import re
import sys
import time
import urllib.request
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from xml.etree import ElementTree

TIMEOUT_S = 30
LARGEST = 20 << 20


def main(list_name: str, folder_name: str) -> int:
    folder = Path(folder_name)
    memory = folder / ".validators.json"
    folder.mkdir(exist_ok=True)
    known: dict[str, dict[str, str]] = json.loads(memory.read_text()) if memory.exists() else {}
    saved, unchanged, failed = 0, 0, []
    for address in addresses(Path(list_name).read_text(encoding="utf-8")):
        try:
            if save(address, folder / name_of(address), known):
                saved += 1
            else:
                unchanged += 1
        except (OSError, ValueError) as error:
            failed.append(f"{address}: {error}")
    memory.write_text(json.dumps(known, indent=1))
    print(f"saved {saved}, unchanged {unchanged}, failed {len(failed)}")
    print(*failed, sep="\n", end="\n" if failed else "")
    return 1 if failed else 0


def addresses(text: str) -> list[str]:
    if text.lstrip().startswith("<"):
        outlines = ElementTree.fromstring(text).iter("outline")
        return [outline.attrib["xmlUrl"] for outline in outlines if "xmlUrl" in outline.attrib]
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def name_of(address: str) -> str:
    """A folder name for a feed, the same each time: its host and path; of a local file, its folder."""
    parts = urlsplit(address)
    place = Path(parts.path).parent.name if parts.scheme == "file" else f"{parts.netloc}{parts.path} {parts.query}"
    return re.sub(r"[^A-Za-z0-9.]+", "-", place).strip("-.")


def save(address: str, folder: Path, known: dict[str, dict[str, str]]) -> bool:
    """Save one feed; False when the server says that it has not changed."""
    request = urllib.request.Request(address, headers={"User-Agent": "save_feeds (seenbefore example)"})
    for header, value in known.get(address, {}).items():
        request.add_header(header, value)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            data = answer.read(LARGEST + 1)
            headers = answer.headers
            validators = {"If-None-Match": headers.get("ETag"), "If-Modified-Since": headers.get("Last-Modified")}
    except HTTPError as error:
        if error.code == 304:
            return False
        raise
    if len(data) > LARGEST:
        raise ValueError(f"more than {LARGEST} bytes")
    folder.mkdir(exist_ok=True)
    unfinished = folder / ".unfinished"
    unfinished.write_bytes(data)
    unfinished.rename(folder / f"feed_{int(time.time())}.xml")
    if not address.startswith("file:"):
        known[address] = {header: value for header, value in validators.items() if value}
    return True


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python examples/save_feeds.py LIST FOLDER")
    sys.exit(main(sys.argv[1], sys.argv[2]))
