"""The members of front matter that hold a page back: tables of data.

docs/importing.md lists them. Names are compared without case, `-` and `_`.
"""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from orgctx.importers.markdown.front_matter import FrontMatter

# Any value but a clear no holds the page back.
HOLD_IF_TRUE = (
    "draft", "isDraft", "hugo_draft", "private", "unlisted", "unpublished", "hidden", "internal",
    "secret", "confidential", "headless", "eleventyExcludeFromCollections",
)  # fmt: skip
# A clear no holds the page back.
HOLD_IF_FALSE = (
    "published", "isPublished", "publish", "public", "dg-publish", "share", "render", "routable",
)  # fmt: skip
STATUS = "status"
HOLD_IF_STATUS = ("draft", "private", "unpublished", "hidden", "internal", "unlisted", "pending")

YEAR = re.compile(r"\b[2-9]\d{3}\b")
NEVER = (False, "never", "false", "link")

Rule = Callable[["FrontMatter", datetime], bool | None]


def plain_name(name: str) -> str:
    """Normalize a name: `publishDate`, `publish_date` and `Publish-Date` are equal."""
    return name.lower().replace("_", "").replace("-", "")


def plain_members(members: dict[Any, Any]) -> dict[str, Any]:
    """Normalize names; members whose name is not a text are left out."""
    return {plain_name(name): value for name, value in members.items() if isinstance(name, str)}


def held_back(front: "FrontMatter", now: datetime) -> Iterator[str]:
    """Yield the rules that hold a page back."""
    rules = OTHER_RULES if NAMES.isdisjoint(front.members) else RULES
    return (label for label, rule in rules.items() if front.members and rule(front, now))


def is_scheduled(front: "FrontMatter", now: datetime) -> bool:
    """Return whether a page states a publication date in the future."""
    for names in (("publishdate", "pubdate", "published"), ("date",)):
        time = front.time_of(*names)
        if time:
            return time > now
        text = front.get(*names)
        if isinstance(text, str) and (year := YEAR.search(text)):
            return int(year[0]) >= now.year  # a later day, perhaps
    return False


def _says(name: str, *, is_true: bool) -> Rule:
    member = plain_name(name)
    return lambda front, _: front.flag(member) is is_true


def _is_word(name: str, word: str) -> Rule:
    return lambda front, _: (front.text(name) or "").lower() == word


def _is_not_built(front: "FrontMatter", _: datetime) -> bool:
    build = front.get("build")
    members = plain_members(build) if isinstance(build, dict) else {}
    return members.get("render", True) in NEVER or members.get("list", True) in NEVER


# By members that are not in NAMES.
OTHER_RULES: dict[str, Rule] = {
    "build: never": _is_not_built,
    "permalink: false": lambda front, _: (
        front.get("permalink") is False or (front.text("permalink") or "").lower() == "false"
    ),
    "a password": lambda front, _: front.get("password") is not None,
    "a publication date in the future": is_scheduled,
    "an expiry date in the past": lambda front, now: (
        (front.time_of("expirydate", "unpublishdate", "expires") or now) < now
    ),
}
RULES: dict[str, Rule] = {
    **{f"{name}: true": _says(name, is_true=True) for name in HOLD_IF_TRUE},
    **{f"{name}: false": _says(name, is_true=False) for name in HOLD_IF_FALSE},
    **{f"{STATUS}: {word}": _is_word(STATUS, word) for word in HOLD_IF_STATUS},
    **OTHER_RULES,
}
NAMES = frozenset(map(plain_name, (*HOLD_IF_TRUE, *HOLD_IF_FALSE, STATUS)))
