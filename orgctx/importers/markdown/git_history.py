"""Read from a git repository when files were first and last committed; runs in the sandbox.

Reads only objects and references. It neither runs git nor reads the configuration, where a
repository can name programs to run (lazy fetches, hooks, filters, pagers, aliases). Links out of
the repository are not followed.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from stat import S_ISDIR
from typing import Any

from dulwich.object_format import SHA1, SHA256
from dulwich.object_store import DiskObjectStore
from dulwich.objects import Commit, ObjectID, parse_tree
from dulwich.refs import DiskRefsContainer, Ref

NAME = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")

# The wanted entries of a folder by name: a subtree for a folder, None for a file.
Wanted = dict[bytes, "Wanted | None"]
Entries = dict[bytes, tuple[int, bytes]]


class HistoryError(Exception):
    """The history cannot be read; the message says why."""


def dates(request: dict[str, Any]) -> dict[str, Any]:
    """Return `{"dates": {path: [first, last]}, "unknown": count, "committed_at": newest commit}`.

    Times are Unix seconds. `unknown` counts the paths that are older than the history. The request
    has `repository` (the folder with `.git`), `folder` (the folder of the paths in it) and `paths`.
    Raises HistoryError.
    """
    top = Path(request["repository"], ".git")
    _check(top)
    head = _head(top)
    format_ = SHA256 if len(head) == 64 else SHA1
    store = DiskObjectStore(top / "objects", object_format=format_)
    try:
        history = _History(store, _boundary(top), request["folder"], request["paths"])
        history.read(head)
    finally:
        store.close()
    dates = {path.decode(): list(ends) for path, ends in history.dates.items()}
    unknown = len(history.unknown - history.dates.keys())
    return {"dates": dates, "unknown": unknown, "committed_at": history.committed_at}


def _check(top: Path) -> None:
    """Raise HistoryError if any part of the repository is outside its folder."""
    if top.is_symlink() or not top.is_dir() or (top / "commondir").exists():
        raise HistoryError("its .git points to another repository")
    paths = [top / "HEAD", top / "objects", top / "refs", top / "packed-refs", top / "shallow"]
    for folder in (top / "objects", top / "objects" / "pack", top / "objects" / "info"):
        if folder.is_dir():
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


def _boundary(top: Path) -> frozenset[bytes]:
    """Return the commits of a shallow clone whose parents were not fetched."""
    path = top / "shallow"
    return frozenset(path.read_bytes().split()) if path.is_file() else frozenset()


@dataclass(frozen=True, slots=True)
class _Commit:
    tree: bytes
    parents: list[bytes] | None  # None if the history is cut off here
    committed_at: int  # Unix seconds


class _History:
    """One pass over the commits, children first, with the paths to follow through each commit.

    As in `git log`, a path is followed to the first parent with the same content. If there is none,
    the commit changed the path, and all parents are followed.
    """

    def __init__(
        self, store: DiskObjectStore, boundary: frozenset[bytes], folder: str, paths: list[str]
    ) -> None:
        self.dates: dict[bytes, tuple[int, int]] = {}
        self.unknown: set[bytes] = set()
        self.committed_at = 0
        self._store = store
        self._boundary = boundary
        self._folder = [part.encode() for part in folder.split("/") if part]
        self._paths = {path.encode() for path in paths}
        self._wanted: Wanted = {}
        for path in self._paths:
            _plant(self._wanted, path.split(b"/"))
        self._entries = lru_cache(maxsize=1_000)(self._parse)
        self._commit = cache(self._read)

    def read(self, head: bytes) -> None:
        """Follow the paths from a commit back to their first commits."""
        self.committed_at = self._commit(head).committed_at
        followed: dict[bytes, set[bytes]] = {head: self._paths}
        for name in self._commits(head):
            paths = followed.pop(name, set())
            for parent, followed_by_parent in (
                self._pass(self._commit(name), paths) if paths else ()
            ):
                if parent in followed:
                    followed[parent] |= followed_by_parent
                else:
                    followed[parent] = followed_by_parent

    def _pass(self, commit: _Commit, paths: set[bytes]) -> Iterable[tuple[bytes, set[bytes]]]:
        """Date the paths that a commit changed; return the paths to follow in each parent."""
        parents = commit.parents
        try:
            tree = self._top(commit)
            if not parents:
                present = paths & set(self._changed(tree, None))
                self._date(commit, present) if parents == [] else self.unknown.update(present)
                return ()
            changes = [
                paths & set(self._changed(tree, self._top(self._commit(parent))))
                for parent in parents
            ]
        except KeyError:
            self.unknown |= paths
            return ()
        changed = set.intersection(*changes)
        self._date(commit, changed)
        if len(parents) == 1:
            return [(parents[0], paths)]
        followed_by_parent, remaining = [], paths - changed
        for parent, parent_changes in zip(parents, changes, strict=True):
            followed_by_parent.append((parent, (remaining - parent_changes) | changed))
            remaining = remaining & parent_changes
        return followed_by_parent

    def _date(self, commit: _Commit, paths: Iterable[bytes]) -> None:
        for path in paths:
            first, last = self.dates.get(path, (commit.committed_at, commit.committed_at))
            self.dates[path] = (min(first, commit.committed_at), last)

    def _commits(self, head: bytes) -> Iterator[bytes]:
        """Yield all commits, each after its children."""
        children = {head: 0}
        queue = deque([head])
        while queue:
            for parent in self._commit(queue.popleft()).parents or ():
                if parent not in children:
                    children[parent] = 0
                    queue.append(parent)
                children[parent] += 1
        ready = [head]
        while ready:
            name = ready.pop()
            yield name
            for parent in self._commit(name).parents or ():
                children[parent] -= 1
                if not children[parent]:
                    ready.append(parent)

    def _read(self, name: bytes) -> _Commit:
        commit = self._store[ObjectID(name)]
        if not isinstance(commit, Commit):
            raise HistoryError("its repository is damaged")
        parents: list[bytes] | None = list(dict.fromkeys(commit.parents))
        if name in self._boundary or any(
            ObjectID(parent) not in self._store for parent in parents or ()
        ):
            parents = None
        return _Commit(commit.tree, parents, commit.commit_time)

    def _top(self, commit: _Commit) -> bytes | None:
        """Return the tree of the folder in a commit, or None if the commit lacks the folder."""
        tree: bytes | None = commit.tree
        for part in self._folder:
            mode, tree = self._entries(tree).get(part, (0, None))
            if not S_ISDIR(mode):
                return None
        return tree

    def _changed(self, tree: bytes | None, parent_tree: bytes | None) -> Iterator[bytes]:
        """Yield the wanted paths that differ between two trees."""
        stack: list[tuple[Wanted, bytes, bytes | None, bytes | None]] = [
            (self._wanted, b"", tree, parent_tree)
        ]
        while stack:
            wanted, prefix, left, right = stack.pop()
            if left == right:
                continue
            a, b = self._entries(left), self._entries(right)
            for name in {name for name, _ in a.items() ^ b.items()} & wanted.keys():
                child = wanted[name]
                if child is None:
                    yield prefix + name
                else:
                    stack.append((child, prefix + name + b"/", _tree(a, name), _tree(b, name)))

    def _parse(self, tree: bytes | None) -> Entries:
        """Parse the entries of a tree. Raises KeyError if a partial clone lacks it."""
        if tree is None:
            return {}
        content = self._store.get_raw(ObjectID(tree))[1]
        return {name: (mode, sha) for name, mode, sha in parse_tree(content, len(tree) // 2)}


def _plant(wanted: Wanted, parts: list[bytes]) -> None:
    for part in parts[:-1]:
        child = wanted.setdefault(part, {})
        if child is None:
            return
        wanted = child
    wanted.setdefault(parts[-1], None)


def _tree(entries: Entries, name: bytes) -> bytes | None:
    mode, sha = entries.get(name, (0, b""))
    return sha if S_ISDIR(mode) else None
