"""Answers that unpack to far more than they are, in a process of its own: what they cost in memory and time."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

MEBIBYTE = 1 << 20
SERVED = """
import gzip, importlib, json, resource, socket, sys, threading, time, zlib
from seenbefore.errors import FetchFailed
from seenbefore.fetch.base import FetchKind
from seenbefore.fetch.client import FetchPolicy, SafeFetcher

kind = sys.argv[1]
if kind == "gzip":
    packer = zlib.compressobj(9, wbits=31)
    body = b"".join(packer.compress(bytes(1 << 20)) for _ in range(1024)) + packer.flush()
elif kind == "gzip, gzip":
    body = gzip.compress(gzip.compress(bytes(200 << 20)))
elif kind == "br":
    body = importlib.import_module("brotli").compress(bytes(200 << 20), quality=5)
elif kind == "zstd":
    module = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    body = importlib.import_module(module).compress(bytes(200 << 20))
else:
    body = b""
head = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\n"
listener = socket.create_server(("127.0.0.1", 0))

def serve():
    connection, _ = listener.accept()
    connection.recv(65536)
    try:
        if kind == "slow":
            for _ in range(1000):
                connection.sendall((head + b"Content-Length: 1000\\r\\n\\r\\n")[_ : _ + 1] or b"a")
                time.sleep(0.01)
        else:
            length = b"Content-Length: %d\\r\\nContent-Encoding: %b\\r\\n\\r\\n" % (len(body), kind.encode())
            connection.sendall(head + length + body)
    except OSError:
        pass
    connection.close()

threading.Thread(target=serve, daemon=True).start()
port = listener.getsockname()[1]
offered = tuple(sys.argv[2].split())
patience = 1.0 if kind == "slow" else 30.0
policy = FetchPolicy(ports=(port,), private_networks=("127.0.0.0/8",), encodings=offered, total_s=patience)
fetcher = SafeFetcher(policy)

def rss():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

def watch():
    while True:
        peaks.append(rss())
        time.sleep(0.002)

before = rss()
peaks = [before]
threading.Thread(target=watch, daemon=True).start()
started = time.monotonic()
try:
    fetcher.fetch(f"http://127.0.0.1:{port}/", FetchKind.PAGE)
    code = "none"
except FetchFailed as error:
    code = error.code
seconds = time.monotonic() - started
peaks.append(rss())
print(json.dumps({"code": code, "grown": (max(peaks) - before) * 1024, "seconds": seconds, "sent": len(body)}))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the memory of a process from /proc")
@pytest.mark.parametrize(
    ("kind", "offered", "code"),
    [
        ("gzip", "gzip", "too-large"),
        ("gzip, gzip", "gzip", "encoding"),
        ("br", "gzip", "encoding"),
        ("zstd", "gzip", "encoding"),
        ("br", "br", "too-large"),
        ("zstd", "zstd", "too-large"),
        ("slow", "gzip", "timeout"),
    ],
)
def test_what_a_bomb_costs(kind: str, offered: str, code: str) -> None:
    if kind == "br":
        pytest.importorskip("brotli", reason="packs with Brotli")
    done = subprocess.run(
        [sys.executable, "-c", SERVED, kind, offered], capture_output=True, text=True, timeout=120, check=True
    )
    cost = json.loads(done.stdout)
    assert cost["code"] == code
    assert cost["grown"] < 40 * MEBIBYTE, cost  # the limit of a page is 5 MiB, held twice while it is joined
    assert cost["seconds"] < 3, cost
    print(kind, offered, cost)
