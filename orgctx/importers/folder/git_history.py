"""When files were first and last committed, read from the objects of a repository.

Reads only objects and references. It does not read the configuration, in which a repository can
name programs to run, and does not run git: there is no lazy fetch, hook, filter, pager or alias.
Links out of the repository are not followed.
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

# By file name: a subtree, or None for a wanted file.
Wanted = dict[bytes, "Wanted | None"]
Entries = dict[bytes, tuple[int, bytes]]


class NoHistory(Exception):
    """There is no readable history; the message says why."""


def dates(request: dict[str, Any]) -> dict[str, Any]:
    """`{"dates": {path: [first, last]}, "unknown": count, "at": last}` in Unix seconds.

    repository: the folder with `.git`; folder: the place of the paths in it; paths: the wanted
    ones. unknown: number of paths that are older than the history; at: time of the newest
    commit. Raises NoHistory.
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
    found = {path.decode(): list(ends) for path, ends in history.dates.items()}
    unknown = len(history.unknown - history.dates.keys())
    return {"dates": found, "unknown": unknown, "at": history.at}


def _check(top: Path) -> None:
    """Raise NoHistory if any part of the repository is elsewhere."""
    if top.is_symlink() or not top.is_dir() or (top / "commondir").exists():
        raise NoHistory("its .git points to a repository elsewhere")
    inside = [top / "HEAD", top / "objects", top / "refs", top / "packed-refs", top / "shallow"]
    for folder in (top / "objects", top / "objects" / "pack", top / "objects" / "info"):
        if folder.is_dir():
            inside += folder.iterdir()
    if any(path.is_symlink() for path in inside):
        raise NoHistory("its repository holds links that may lead elsewhere")
    if (top / "objects" / "info" / "alternates").exists():
        raise NoHistory("its repository borrows from another one")


def _head(top: Path) -> bytes:
    refs = DiskRefsContainer(top)
    try:
        head = refs.follow(Ref(b"HEAD"))[1]
    except (OSError, KeyError, ValueError):
        head = None
    if head is None or not NAME.fullmatch(head):
        raise NoHistory("its repository has no commit, or is of an unknown format")
    return head


def _boundary(top: Path) -> frozenset[bytes]:
    """Commits of a shallow clone whose parents were not fetched."""
    path = top / "shallow"
    return frozenset(path.read_bytes().split()) if path.is_file() else frozenset()


@dataclass(frozen=True, slots=True)
class _Commit:
    """parents: None if the history was cut off; at: in Unix seconds."""

    tree: bytes
    parents: list[bytes] | None
    at: int


class _History:
    """One pass over the commits, children first, each with the paths to follow through it.

    A path is followed to the first parent with the same content, as `git log` simplifies a
    history. If no parent has it, the commit changed the path, and all parents are followed.
    """

    def __init__(
        self, store: DiskObjectStore, boundary: frozenset[bytes], folder: str, paths: list[str]
    ) -> None:
        self.dates: dict[bytes, tuple[int, int]] = {}
        self.unknown: set[bytes] = set()
        self.at = 0
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
        """Follow the paths from a commit to their first ones."""
        self.at = self._commit(head).at
        followed: dict[bytes, set[bytes]] = {head: self._paths}
        for name in self._commits(head):
            paths = followed.pop(name, set())
            for parent, passed in self._pass(self._commit(name), paths) if paths else ():
                if parent in followed:
                    followed[parent] |= passed
                else:
                    followed[parent] = passed

    def _pass(self, commit: _Commit, paths: set[bytes]) -> Iterable[tuple[bytes, set[bytes]]]:
        """Date the paths that a commit changed; return the paths to follow in each parent."""
        parents = commit.parents
        try:
            here = self._top(commit)
            if not parents:
                there = paths & set(self._changed(here, None))
                self._date(commit, there) if parents == [] else self.unknown.update(there)
                return ()
            changes = [
                paths & set(self._changed(here, self._top(self._commit(parent))))
                for parent in parents
            ]
        except KeyError:
            self.unknown |= paths
            return ()
        changed = set.intersection(*changes)
        self._date(commit, changed)
        if len(parents) == 1:
            return [(parents[0], paths)]
        passed, left = [], paths - changed
        for parent, changes_here in zip(parents, changes, strict=True):
            passed.append((parent, (left - changes_here) | changed))
            left = left & changes_here
        return passed

    def _date(self, commit: _Commit, paths: Iterable[bytes]) -> None:
        for path in paths:
            first, last = self.dates.get(path, (commit.at, commit.at))
            self.dates[path] = (min(first, commit.at), last)

    def _commits(self, head: bytes) -> Iterator[bytes]:
        """All commits, each after its children."""
        children = {head: 0}
        found = deque([head])
        while found:
            for parent in self._commit(found.popleft()).parents or ():
                if parent not in children:
                    children[parent] = 0
                    found.append(parent)
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
            raise NoHistory("its repository is damaged")
        parents: list[bytes] | None = list(dict.fromkeys(commit.parents))
        if name in self._boundary or any(
            ObjectID(parent) not in self._store for parent in parents or ()
        ):
            parents = None
        return _Commit(commit.tree, parents, commit.commit_time)

    def _top(self, commit: _Commit) -> bytes | None:
        """The tree of the folder in a commit; None if it lacks the folder."""
        tree: bytes | None = commit.tree
        for part in self._folder:
            mode, tree = self._entries(tree).get(part, (0, None))
            if not S_ISDIR(mode):
                return None
        return tree

    def _changed(self, ours: bytes | None, theirs: bytes | None) -> Iterator[bytes]:
        """The wanted paths that differ between two trees."""
        todo: list[tuple[Wanted, bytes, bytes | None, bytes | None]] = [
            (self._wanted, b"", ours, theirs)
        ]
        while todo:
            wanted, above, left, right = todo.pop()
            if left == right:
                continue
            a, b = self._entries(left), self._entries(right)
            for name in {name for name, _ in a.items() ^ b.items()} & wanted.keys():
                below = wanted[name]
                if below is None:
                    yield above + name
                else:
                    todo.append((below, above + name + b"/", _tree(a, name), _tree(b, name)))

    def _parse(self, tree: bytes | None) -> Entries:
        """The entries of a tree. Raises KeyError if a partial clone lacks it."""
        if tree is None:
            return {}
        content = self._store.get_raw(ObjectID(tree))[1]
        return {name: (mode, sha) for name, mode, sha in parse_tree(content, len(tree) // 2)}


def _plant(wanted: Wanted, parts: list[bytes]) -> None:
    for part in parts[:-1]:
        below = wanted.setdefault(part, {})
        if below is None:
            return
        wanted = below
    wanted.setdefault(parts[-1], None)


def _tree(entries: Entries, name: bytes) -> bytes | None:
    mode, sha = entries.get(name, (0, b""))
    return sha if S_ISDIR(mode) else None
