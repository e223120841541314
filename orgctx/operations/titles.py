"""Tell documents of the same title apart, such as the pages of two versions of a manual."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from orgctx.schemas.text import preview

MAX_PLACE = 80
SEPARATORS = re.compile(r"[/?#&]+")


class Titled(NamedTuple):
    """A document with what is stored about its place."""

    id: str
    title: str
    href: str | None  # where a person reads it
    label: str  # of its place


def distinct_titles(documents: Iterable[Titled]) -> dict[str, str]:
    """Return titles by id that name version or folder, for documents that share their title.

    Omits documents whose place is not stored or the same.
    """
    groups: dict[str, list[Titled]] = defaultdict(list)
    for document in documents:
        groups[document.title].append(document)
    return {
        document.id: f"{document.title} ({preview(place, MAX_PLACE)})"
        for group in groups.values()
        if len(group) > 1
        for document, place in zip(group, _places(group), strict=True)
        if place
    }


def _places(group: Sequence[Titled]) -> list[str]:
    """Return what differs between the links of documents, else between their labels."""
    paths = [_segments(document.href) for document in group]
    if len(set(map(tuple, paths))) > 1:
        return ["/".join(path) for path in _without_common_ends(paths)]
    labels = [document.label for document in group]
    return labels if len(set(labels)) > 1 else [""] * len(group)


def _segments(href: str | None) -> list[str]:
    """Return the parts of a link, with those of its query, because versions can be there."""
    parts = SEPARATORS.split((href or "").partition("//")[2])
    return [unquote(part) for part in parts if part]


def _without_common_ends(paths: list[list[str]]) -> list[list[str]]:
    """Remove the segments with which all paths begin and end."""
    while all(paths) and len({path[0] for path in paths}) == 1:
        paths = [path[1:] for path in paths]
    while all(paths) and len({path[-1] for path in paths}) == 1:
        paths = [path[:-1] for path in paths]
    return paths
