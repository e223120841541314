"""Packed files load like their content. Damaged ones are rejected and store nothing."""

import gzip
import json
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orgctx.bundle import loader
from orgctx.bundle.packed import PackedError, unpacked
from orgctx.bundle.reading import BundleError
from tests.support import factories as make
from tests.support.deployment import Deployment

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def compress(content: bytes) -> bytes:
    """Compress like the program zstd, which adds a checksum."""
    return zstd.compress(content, options={zstd.CompressionParameter.checksum_flag: 1})


class Packing(NamedTuple):
    """A format, the suffix of its files, and the function that compresses."""

    name: str
    suffix: str
    pack: Callable[[bytes], bytes]


PACKINGS = [Packing("gzip", "gz", gzip.compress), Packing("zstd", "zst", compress)]
packings = pytest.mark.parametrize("packing", PACKINGS, ids=["gzip", "zstd"])
LINES = b"".join(json.dumps(record).encode() + b"\n" for record in make.everything())
# A zstd frame of one letter. %c: eight times the binary logarithm of its window in KiB.
FRAME = b"\x28\xb5\x2f\xfd\x00%c\x09\x00\x00a"


@packings
def test_packed_bundle_loads_like_the_bundle(
    deployment: Deployment, tmp_path: Path, packing: Packing
) -> None:
    """It may have several members or frames, come through a pipe, and have any name."""
    half = LINES.index(b"\n") + 1
    file = tmp_path / "bundle"
    file.write_bytes(packing.pack(LINES[:half]) + packing.pack(LINES[half:]))
    loaded = deployment.cli("load", file, "--json").json()
    plain = tmp_path / "plain.jsonl"
    plain.write_bytes(LINES)
    for again in (
        deployment.cli("load", plain, "--json").json(),
        deployment.cli("load", "-", "--json", stdin=packing.pack(LINES)).json(),
    ):
        for name, counts in loaded.items():
            assert again[name]["read"] == counts["read"]
            assert again[name]["unchanged"] == counts["created"] + counts["unchanged"]


@packings
def test_cut_off_bundle_stores_nothing(
    deployment: Deployment, tmp_path: Path, packing: Packing
) -> None:
    file = tmp_path / "bundle.packed"
    file.write_bytes(packing.pack(LINES)[:-1])
    rejected = deployment.cli("load", file)
    assert rejected.exit_code == 1
    assert rejected.stderr == (
        f"Error: Nothing was loaded: {file}: its {packing.name} stream is truncated; "
        "copy or download the file again\n"
    )
    assert deployment.execute("SELECT FROM organizations") == []


@packings
@given(data=st.data())
def test_damaged_stream_yields_no_other_content(data: st.DataObject, packing: Packing) -> None:
    """A change of an unused bit in a header is not detected, but changes nothing."""
    packed = bytearray(packing.pack(LINES))
    if data.draw(st.booleans()):
        del packed[data.draw(st.integers(4, len(packed) - 1)) :]
    else:
        packed[data.draw(st.integers(4, len(packed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with suppress(PackedError):
        assert unpacked(BytesIO(packed), "bundle").read() == LINES


@packings
def test_unpacked_content_is_not_held_in_memory(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch, packing: Packing
) -> None:
    """A line has a maximum, even if its packed form is small."""
    bomb = packing.pack(bytes(64 << 20))
    monkeypatch.setattr(loader, "LONGEST_LINE", 1 << 20)
    tracemalloc.start()
    try:
        stream = unpacked(BytesIO(bomb), "bundle")
        with pytest.raises(BundleError, match="bundle:1: exceeds 1 MiB"):
            loader.load_files(deployment.admin_url, [("bundle", stream)])
        held = tracemalloc.get_traced_memory()[1]
        stream = unpacked(BytesIO(bomb), "bundle")
        while stream.read(1 << 20):
            pass
        assert max(held, tracemalloc.get_traced_memory()[1]) < 16 << 20
    finally:
        tracemalloc.stop()


@packings
def test_blank_lines_have_a_maximum(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, packing: Packing
) -> None:
    monkeypatch.setattr(loader, "MOST_BLANK", 1 << 20)
    file = tmp_path / "bundle"
    file.write_bytes(packing.pack(b"\n" * (1 << 19) + LINES + b"   \n" * (1 << 17)))
    assert deployment.cli("load", file).exit_code == 0
    file.write_bytes(packing.pack(LINES + b"\n" * (1 << 20) + b" \n" + LINES))
    rejected = deployment.cli("load", file)
    assert rejected.exit_code == 1
    assert "the stream contains more than 1 MiB of blank lines" in rejected.stderr


@packings
def test_progress_counts_packed_bytes(packing: Packing) -> None:
    packed = packing.pack(LINES * 100)
    counts: list[int] = []
    assert unpacked(BytesIO(packed), "bundle", counts.append).read() == LINES * 100
    assert sum(counts) == len(packed)


def test_window_of_a_stream_has_a_maximum() -> None:
    assert unpacked(BytesIO(FRAME % (17 << 3)), "bundle").read() == b"a"
    with pytest.raises(PackedError, match=r"damaged .*memory"):
        unpacked(BytesIO(FRAME % (18 << 3)), "bundle").read()


@pytest.mark.parametrize("content", [b"", b"a", b"\x1f", b"{}\n", b"\x28\xb5"])
def test_unpacked_file_stays_as_it_is(content: bytes) -> None:
    assert unpacked(BytesIO(content), "bundle").read() == content
