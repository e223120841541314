"""Write a compound file, the container of Outlook messages, with small streams."""

from collections.abc import Mapping
from struct import pack

SECTOR, SMALL = 512, 64
END, FREE, FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
ROOT, STREAM, STORAGE = 5, 2, 1


def compound_file(streams: Mapping[str, bytes | None]) -> bytes:
    """A compound file with these streams by name; None makes an empty storage."""
    small = b""
    chain: list[int] = []
    entries = []
    for name, content in streams.items():
        if content is None:
            entries.append((name, STORAGE, END, 0))
            continue
        count = -(-len(content) // SMALL)
        first = len(chain)
        chain += [first + n + 1 for n in range(count - 1)] + [END] * bool(count)
        entries.append((name, STREAM, first if count else END, len(content)))
        small += content.ljust(count * SMALL, b"\0")
    parts = [b"", _pad(pack(f"<{len(chain)}I", *chain), b"\xff"), _pad(small)]
    sizes = [-(-(len(entries) + 1) // 4), len(parts[1]) // SECTOR, len(parts[2]) // SECTOR]
    starts = [1, 1 + sizes[0], 1 + sizes[0] + sizes[1]]
    table = [FAT]
    for start, size in zip(starts, sizes, strict=True):
        table += [start + n + 1 for n in range(size - 1)] + [END] * bool(size)
    root = ("Root Entry", ROOT, starts[2], len(small))
    directory = [_entry(*root, child=1)]
    for number, entry in enumerate(entries, 1):
        directory.append(_entry(*entry, right=number + 1 if number < len(entries) else FREE))
    parts[0] = _pad(b"".join(directory))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += pack(
        "<HHHHH6xIIIIIIIIII", 62, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, 4096, 2, sizes[1], END, 0, 0
    )
    header = header[:60] + pack("<IIII", starts[1], sizes[1], END, 0)
    header += pack("<109I", 0, *[FREE] * 108)
    return header + _pad(pack(f"<{len(table)}I", *table), b"\xff") + b"".join(parts)


def _pad(content: bytes, filler: bytes = b"\0") -> bytes:
    return content.ljust(-(-len(content) // SECTOR) * SECTOR, filler)


def _entry(
    name: str, kind: int, start: int, size: int, *, child: int = FREE, right: int = FREE
) -> bytes:
    encoded = (name + "\0").encode("utf-16-le")
    head = encoded.ljust(64, b"\0") + pack("<HBBIII", len(encoded), kind, 1, FREE, right, child)
    return head + bytes(36) + pack("<IQ", start, size)
