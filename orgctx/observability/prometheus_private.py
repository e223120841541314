"""Every undocumented name of prometheus_client that the service uses, and why.

To change one of its values takes about 3 µs, because it locks, asks for the process id and looks
a place up; a request changes fourteen. Here a number is changed in place, in the memory that the
client's file shares with all workers, so that no count is lost with a worker. The client still
makes, reads and merges the files. tests/server/test_prometheus_private.py reports what a new
version lacks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

# The bytes of an entry besides its key, and those of a file's head.
ENTRY_BYTES, HEAD_BYTES = 28, 8


def number(metric: Any) -> memoryview[float]:
    """The number of a counter or gauge: a view of one double, valid in this process only.

    One thread at a time may change it.
    """
    return _place(metric._value)


def durations(histogram: Any, bounds: Sequence[float]) -> Callable[[float], None]:
    """What counts one duration of so many seconds. bounds: the histogram's upper bounds in seconds,
    ascending, all finite."""
    total = _place(histogram._sum)
    buckets = [_place(one) for one in histogram._buckets]

    def observe(seconds: float) -> None:
        total[0] += seconds
        buckets[bisect_left(bounds, seconds)][0] += 1

    return observe


def _place(value: Any) -> memoryview[float]:
    # In a process that was forked, the client opens a file of its own when a value is first used.
    value.get()
    file = value._file
    at = file._positions[value._key]
    # The view stays valid when the file grows: the memory is then mapped a second time.
    return memoryview(file._m)[at : at + 8].cast("d")


def write(path: Path, families: Iterable[Any]) -> None:
    """Write what the client has merged, not accumulated, as one of its files.

    Raises OSError if there is no room.
    """
    from prometheus_client.mmap_dict import MmapedDict, mmap_key

    values = {
        mmap_key(
            family.name, one.name, [*one.labels], [*one.labels.values()], family.documentation
        ): one.value
        for family in families
        for one in family.samples
    }
    # In memory that is full, a file that grows as it is mapped would kill the process.
    path.write_bytes(bytes(HEAD_BYTES + sum(len(key.encode()) + ENTRY_BYTES for key in values)))
    file = MmapedDict(str(path))  # type: ignore[no-untyped-call]
    for key, value in values.items():
        file.write_value(key, value, 0)  # type: ignore[no-untyped-call]
    file.close()  # type: ignore[no-untyped-call]
