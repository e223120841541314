"""Find out when the files of a folder were first and last committed.

Only objects and references of the repository are read, in the sandbox. Git does not run: a
repository's configuration can name programs (lazy fetches, hooks, filters, pagers, aliases). Links
out of the repository are not followed.
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from stat import S_ISDIR
from typing import Any

from dulwich.object_format import SHA1, SHA256
from dulwich.object_store import DiskObjectStore
from dulwich.objects import Commit, ObjectID, parse_tree
from dulwich.refs import DiskRefsContainer, Ref

from orgctx.importers.report import Report
from orgctx.importers.sandbox import SandboxError, run

TIMEOUT_SECONDS = 120
MEMORY_BYTES = 1024 * 1024 * 1024
NAME = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class History:
    """Commit times of files; empty without a readable repository."""

    # First and last commit by path, where known.
    dates: dict[str, tuple[datetime, datetime]] = field(default_factory=dict)
    # The newest commit that changed the folder.
    committed_at: datetime | None = None


def read_history(
    folder: Path, paths: Iterable[str], report: Report, repository: Path | None = None
) -> History:
    """Read the commit times of files. Returns an empty history, and reports why, if this fails.

    Args:
        paths: relative to the folder.
        repository: the root of the repository; by default the folder.
    """
    top = (repository or folder).resolve()
    if not os.path.lexists(top / ".git"):
        return History()
    request = {
        "repository": str(top),
        "folder": folder.resolve().relative_to(top).as_posix().removeprefix("."),
        "paths": list(paths),
    }
    try:
        history = run(f"{__name__}:dates", request, seconds=TIMEOUT_SECONDS, memory=MEMORY_BYTES)
    except SandboxError as error:
        report.note(f"dates are those of the files, because {error}")
        return History()
    if history["unknown"]:
        report.note(
            f"{history['unknown']:,} files are older than the history, which is shallow or "
            "incomplete; their dates come from the front matter or the files"
        )
    dates = {path: (_time(first), _time(last)) for path, (first, last) in history["dates"].items()}
    return History(dates, _time(history["committed_at"]))


def _time(seconds: int) -> datetime:
    """Convert Unix seconds, limited to the years 1970 to 9999: a commit may state any number."""
    return datetime.fromtimestamp(min(max(seconds, 0), 253_402_300_799), UTC)


class HistoryError(Exception):
    """The history cannot be read; the message says why."""


def dates(request: dict[str, Any]) -> dict[str, Any]:
    """Return `{"dates": {path: [first, last]}, "unknown": count, "committed_at": time}`.

    Times are Unix seconds. `committed_at` is that of the newest commit that changed the folder,
    else of the newest one. `unknown` counts the paths that are older than the history. The request
    has `repository` (the folder with `.git`), `folder` (the folder of the paths in it) and `paths`.
    Raises HistoryError.
    """
    top = Path(request["repository"], ".git")
    _check(top)
    head = _head(top)
    shallow = top / "shallow"
    boundary = frozenset(shallow.read_bytes().split() if shallow.is_file() else ())
    store = DiskObjectStore(top / "objects", object_format=SHA256 if len(head) == 64 else SHA1)
    paths = {path.encode() for path in request["paths"]}
    trees = _Trees(store, request["folder"], paths)
    dates: dict[bytes, tuple[int, int]] = {}
    unknown: set[bytes] = set()
    committed_at = 0
    stack, seen = [head], {head}
    try:
        while stack:
            name = stack.pop()
            commit = store[ObjectID(name)]
            if not isinstance(commit, Commit):
                raise HistoryError("its repository is damaged")
            parents = list(dict.fromkeys(commit.parents))
            is_cut = name in boundary or any(parent not in store for parent in parents)
            try:
                tree, others = trees.of(commit, [] if is_cut else parents)
                changed = trees.changed(tree, others)
                if all(tree != other for other in others):
                    committed_at = max(committed_at, commit.commit_time)
            except KeyError:  # A partial clone lacks a folder.
                changed, is_cut = paths, True
            if is_cut:
                unknown |= changed
                continue
            for path in changed:
                first, last = dates.get(path, (commit.commit_time, commit.commit_time))
                dates[path] = min(first, commit.commit_time), max(last, commit.commit_time)
            stack += [parent for parent in parents if parent not in seen]
            seen.update(parents)
        committed_at = committed_at or store[ObjectID(head)].commit_time  # type: ignore[attr-defined]
    finally:
        store.close()
    return {
        "dates": {path.decode(): ends for path, ends in dates.items()},
        "unknown": len(unknown - dates.keys()),
        "committed_at": committed_at,
    }


def _check(top: Path) -> None:
    """Raise HistoryError if any part of the repository is outside its folder."""
    if top.is_symlink() or not top.is_dir() or (top / "commondir").exists():
        raise HistoryError("its .git points to another repository")
    folders = [top / "objects", top / "objects" / "pack", top / "objects" / "info"]
    paths = [*folders, top / "HEAD", top / "refs", top / "packed-refs", top / "shallow"]
    for folder in folders:
        if folder.is_dir() and not folder.is_symlink():
            paths += folder.iterdir()
    if any(path.is_symlink() for path in paths):
        raise HistoryError("its repository contains symbolic links")
    if (top / "objects" / "info" / "alternates").exists():
        raise HistoryError("its repository uses objects of another one")


def _head(top: Path) -> bytes:
    refs = DiskRefsContainer(top)
    try:
        head = refs.follow(Ref(b"HEAD"))[1]
    except (OSError, KeyError, ValueError):
        head = None
    if head is None or not NAME.fullmatch(head):
        raise HistoryError("its repository has no commit or an unknown format")
    return head


class _Trees:
    """The folder of the paths in each commit."""

    def __init__(self, store: DiskObjectStore, folder: str, paths: set[bytes]) -> None:
        self._store, self._paths = store, paths
        self._top = [part.encode() for part in folder.split("/") if part]
        self._folders = {
            path[: end + 1] for path in paths for end, byte in enumerate(path) if byte == 0x2F
        }
        self._entries = lru_cache(maxsize=1_000)(self._parse)

    def of(
        self, commit: Commit, parents: Iterable[bytes]
    ) -> tuple[bytes | None, list[bytes | None]]:
        """Return the tree of the folder in a commit, and in its parents. Raises KeyError."""
        others = [self._tree(self._store[ObjectID(name)].tree) for name in parents]  # type: ignore[attr-defined]
        return self._tree(commit.tree), others or [None]

    def changed(self, tree: bytes | None, others: Iterable[bytes | None]) -> set[bytes]:
        """Return the paths that differ from all others. Raises KeyError if a tree is missing."""
        return set.intersection(*(set(self._changed(tree, other)) for other in others))

    def _tree(self, tree: bytes | None) -> bytes | None:
        """Return the tree of the folder in that of a commit, or None if the commit lacks it."""
        for part in self._top:
            tree = _subtree(self._entries(tree), part)
        return tree

    def _changed(self, tree: bytes | None, parent_tree: bytes | None) -> Iterator[bytes]:
        """Yield the paths that differ between two trees."""
        stack = [(b"", tree, parent_tree)]
        while stack:
            prefix, left, right = stack.pop()
            if left == right:
                continue
            a, b = self._entries(left), self._entries(right)
            for name in {name for name, _ in a.items() ^ b.items()}:
                path = prefix + name
                if path in self._paths:
                    yield path
                if path + b"/" in self._folders:
                    stack.append((path + b"/", _subtree(a, name), _subtree(b, name)))

    def _parse(self, tree: bytes | None) -> dict[bytes, tuple[int, bytes]]:
        """Return the mode and name of the entries of a tree. Raises KeyError if it is missing."""
        if tree is None:
            return {}
        content = self._store.get_raw(ObjectID(tree))[1]
        return {name: (mode, sha) for name, mode, sha in parse_tree(content, len(tree) // 2)}


def _subtree(entries: dict[bytes, tuple[int, bytes]], name: bytes) -> bytes | None:
    mode, sha = entries.get(name, (0, b""))
    return sha if S_ISDIR(mode) else None
