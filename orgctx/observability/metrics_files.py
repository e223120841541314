"""The files of the workers' numbers, which are read together and merged after a worker's end.

Each worker leaves a file of counters and one of histograms. Those of a crash loop would fill the
memory and slow every scrape, so the master merges them into one file of each kind.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from orgctx.observability import metrics_directory, prometheus_private


def collect() -> Iterable[Any]:
    """The families of all numbers. Each counts once, even while files are merged."""
    from prometheus_client.multiprocess import MultiProcessCollector

    with _locked(fcntl.LOCK_SH):
        return MultiProcessCollector.merge(_filled(metrics_directory.current().glob("*.db")))  # type: ignore[no-untyped-call, no-any-return]


def merge(pids: Collection[int]) -> bool:
    """Merge the files of workers that have ended.

    Returns False if some are left for another time: a scrape reads them, and the master does not
    wait for a worker that may hang, or the memory is full.
    """
    try:
        with _locked(fcntl.LOCK_EX | fcntl.LOCK_NB):
            for kind, paths in _left_by(pids).items():
                _merge(metrics_directory.current() / f"{kind}_ended.db", paths)
    except OSError:
        return False
    return True


def _left_by(pids: Collection[int]) -> dict[str, list[Path]]:
    """The files by kind, as the client names them. Gauges are of those who live."""
    found: dict[str, list[Path]] = {}
    for pid in pids:
        for path in metrics_directory.current().glob(f"*_{pid}.db"):
            kind = path.name.partition("_")[0]
            if kind != "gauge":
                found.setdefault(kind, []).append(path)
    return found


def _merge(into: Path, paths: list[Path]) -> None:
    from prometheus_client.multiprocess import MultiProcessCollector

    merged = MultiProcessCollector.merge(_filled([into, *paths]), accumulate=False)  # type: ignore[no-untyped-call]
    # No scrape reads a file of this name, which a killed master may leave.
    prometheus_private.write(new := into.with_suffix(".new"), merged)
    new.replace(into)
    for path in paths:
        path.unlink(missing_ok=True)


def _filled(paths: Iterable[Path]) -> list[str]:
    """The files that are not empty, as new files of a worker are."""
    return [str(path) for path in paths if _size(path)]


def _size(path: Path) -> int:
    # A worker that ends removes its gauges without the lock.
    with suppress(FileNotFoundError):
        return path.stat().st_size
    return 0


@contextmanager
def _locked(operation: int) -> Iterator[None]:
    opened = os.open(metrics_directory.current() / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(opened, operation)
        yield
    finally:
        os.close(opened)
