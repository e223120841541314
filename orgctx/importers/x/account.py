"""Find the account whose mentions were collected: the one that every post mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from orgctx.importers.records import no_progress
from orgctx.importers.report import Report
from orgctx.importers.x.pages import values
from orgctx.importers.x.post import NAME
from orgctx.importers.x.responses import InvalidPage, page
from orgctx.importers.x.text import NOTES, either

MENTION = re.compile(r"(?<!\w)@([A-Za-z0-9_]{1,50})", re.ASCII)


def find_account(paths: Sequence[Path]) -> str | None:
    """Return the only username that all posts of the files mention, or None.

    Posts that mention nobody do not count. Raises ImportRejected if a file is not JSON.
    """
    common: dict[str, str] | None = None
    for path in paths:
        for post in _posts(path):
            names = {name.lower(): name for name in _mentioned(post)}
            if names:
                common = names if common is None else {k: common[k] for k in common.keys() & names}
    return next(iter(common.values())) if common and len(common) == 1 else None


def _posts(path: Path) -> Iterator[dict[str, Any]]:
    for _, value in values(path, no_progress, Report()):
        try:
            posts = page(value).posts
        except InvalidPage:
            continue
        yield from (post for post in posts if isinstance(post, dict))


def _mentioned(post: dict[str, Any]) -> list[str]:
    """Return the usernames in the entities of a post or its note, or else in its text."""
    note = either(post, NOTES)
    parts = [post, note if isinstance(note, dict) else {}]
    listed = [
        mention["username"]
        for part in parts
        if isinstance(entities := part.get("entities"), dict)
        and isinstance(mentions := entities.get("mentions"), list)
        for mention in mentions
        if isinstance(mention, dict) and isinstance(mention.get("username"), str)
    ]
    names = listed or MENTION.findall(" ".join(str(part.get("text", "")) for part in parts))
    return [name for name in names if NAME.fullmatch(name)]
