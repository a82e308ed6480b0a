"""Archives of feed histories: every packing is read, and nothing is written outside of the folder."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from seenbefore.errors import InvalidInput
from seenbefore.evaluate import evaluate_replay
from seenbefore.evaluate.archive import unpack_archive

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

RSS = b"<rss><channel><item><guid>1</guid><title>Harbour bridge to be replaced</title></item></channel></rss>"
NAME = "replay/news/0000_1780000000.xml"


def tar(*members: tuple[str, bytes] | tarfile.TarInfo) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as archive:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                archive.addfile(member)
            else:
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                archive.addfile(info, io.BytesIO(member[1]))
    return written.getvalue()


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def long_window(data: bytes, log: int = 27) -> bytes:
    """A frame of Zstandard whose window is 2**log bytes, as ``zstd --long=27`` makes it for large input."""
    pieces = [data[start : start + 65536] for start in range(0, len(data), 65536)]
    headers = [
        (len(piece) << 3 | (number == len(pieces))).to_bytes(3, "little") for number, piece in enumerate(pieces, 1)
    ]
    blocks = b"".join(header + piece for header, piece in zip(headers, pieces, strict=True))
    return b"\x28\xb5\x2f\xfd\x00" + bytes([(log - 10) << 3]) + blocks


def skippable(data: bytes) -> bytes:
    """A frame that says nothing before the real one, as parallel compressors write it."""
    return b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd" + zstd.compress(data)


@pytest.fixture
def packed(tmp_path: Path) -> Callable[[bytes], Path]:
    def write(data: bytes) -> Path:
        path = tmp_path / "feeds.tar.zst"  # the content says how it is packed, not the name
        path.write_bytes(data)
        return path

    return write


@pytest.mark.parametrize(
    "pack", [bytes, zstd.compress, long_window, skippable, gzip.compress, lzma.compress, bz2.compress]
)
def test_every_packing_is_read(pack: Callable[[bytes], bytes], packed: Callable[[bytes], Path], tmp_path: Path) -> None:
    data = tar(special("replay", tarfile.DIRTYPE), (NAME, RSS), ("replay/feeds.json", b"{}"))
    assert unpack_archive(packed(pack(data)), tmp_path / "out") == 2
    assert (tmp_path / "out" / NAME).read_bytes() == RSS


def test_an_archive_is_replayed(packed: Callable[[bytes], Path]) -> None:
    report = evaluate_replay(packed(zstd.compress(tar((NAME, RSS), ("replay/feeds.json", b"{}")))))
    assert [(feed.feed, feed.versions, feed.entries) for feed in report.feeds] == [("news", 1, 1)]


@pytest.mark.parametrize(
    ("member", "message"),
    [
        (("../evil", b"x"), "leads out of the folder"),
        (("a/../../evil", b"x"), "leads out of the folder"),
        (("/tmp/evil", b"x"), "leads out of the folder"),
        (("..\\evil", b"x"), "leads out of the folder"),
        (("C:\\evil", b"x"), "leads out of the folder"),
        (special("a", tarfile.SYMTYPE, "/etc/passwd"), "no regular file"),
        (special("a", tarfile.LNKTYPE, "../evil"), "no regular file"),
        (special("a", tarfile.FIFOTYPE), "no regular file"),
        (special("a", tarfile.CHRTYPE), "no regular file"),
    ],
)
def test_what_leads_out_of_the_folder_stops_everything(
    member: tuple[str, bytes] | tarfile.TarInfo, message: str, packed: Callable[[bytes], Path], tmp_path: Path
) -> None:
    archive = packed(tar(member, (NAME, RSS)))
    with pytest.raises(InvalidInput, match=message) as caught:
        unpack_archive(archive, tmp_path / "out" / "deeper")
    assert caught.value.where == str(archive)
    written = {path.name for path in tmp_path.rglob("*")}
    assert written <= {archive.name, "out", "deeper"}
    assert not Path("/tmp/evil").exists()


def test_unpacking_stops_at_the_limit(packed: Callable[[bytes], Path], tmp_path: Path) -> None:
    archive = packed(zstd.compress(tar(("a/bomb", bytes(5 << 20)))))
    assert archive.stat().st_size < 5000
    with pytest.raises(InvalidInput, match="holds more than 1,048,576 bytes"):
        unpack_archive(archive, tmp_path / "out", max_bytes=1 << 20)
    assert unpack_archive(archive, tmp_path / "out", max_bytes=6 << 20) == 1


def damage(data: bytes) -> bytes:
    """Make the header of the second entry one that no tar has."""
    second = data.index(b"second")
    return data[:second] + b"\xff" * 512 + data[second + 512 :]


WHOLE = tar((NAME, RSS), ("second", b"n" * 30_000), ("third", RSS))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"feeds",
        RSS * 20,
        WHOLE[: WHOLE.index(b"third")],
        WHOLE[: WHOLE.index(b"third") + 200],
        WHOLE[: WHOLE.index(b"second") + 5000],
        damage(WHOLE),
        zstd.compress(WHOLE)[:-20],
        gzip.compress(WHOLE)[:-9],
        gzip.compress(WHOLE)[:-8] + bytes(8),
        lzma.compress(WHOLE)[:-20],
        bz2.compress(WHOLE)[:-20],
        zstd.compress(b"feeds"),
        long_window(WHOLE, 28),
    ],
    ids=[
        "empty", "text", "feed", "no_end", "cut_header", "cut_entry", "damaged", "cut_zstd", "cut_gzip", "wrong_crc",
        "cut_xz", "cut_bzip2", "no_tar", "too_long_window",
    ],
)  # fmt: skip
def test_a_broken_archive_does_not_pass_for_one_that_holds_less(
    data: bytes, packed: Callable[[bytes], Path], tmp_path: Path
) -> None:
    archive = packed(data)
    with pytest.raises(InvalidInput, match="no tar archive, or a broken one") as caught:
        unpack_archive(archive, tmp_path / "out")
    assert caught.value.where == str(archive)


def test_names_that_no_file_can_have_are_an_error(packed: Callable[[bytes], Path], tmp_path: Path) -> None:
    for members in ([("x" * 300, RSS)], [("a", RSS), ("a/b", RSS)]):
        with pytest.raises(InvalidInput, match="cannot be unpacked"):
            unpack_archive(packed(tar(*members)), tmp_path / "out")


def test_places_that_are_none(packed: Callable[[bytes], Path], tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no such folder or archive"):
        evaluate_replay(tmp_path / "gone.tar.zst")
    archive = packed(tar(("replay/feeds.json", b"{}")))
    with pytest.raises(InvalidInput, match="holds no snapshots") as caught:
        evaluate_replay(archive)
    assert caught.value.where == str(archive), "not the folder that is gone by then"
