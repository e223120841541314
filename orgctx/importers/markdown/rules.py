"""The rules by which front matter holds a page back."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from orgctx.importers.markdown import flags
from orgctx.importers.markdown.flags import plain_name
from orgctx.importers.markdown.front_matter import FrontMatter, plain_members

YEAR = re.compile(r"\b[2-9]\d{3}\b")
NEVER = (False, "never", "false", "link")

Rule = Callable[[FrontMatter, datetime], bool | None]


def _is(name: str) -> Rule:
    member = plain_name(name)
    return lambda front, _: front.flag(member)


def _is_not(name: str) -> Rule:
    member = plain_name(name)
    return lambda front, _: front.flag(member) is False


def _has_status(word: str) -> Rule:
    return lambda front, _: (
        flags.STATUS in front.members and str(front.get(flags.STATUS)).strip().lower() == word
    )


def _is_not_built(front: FrontMatter, _: datetime) -> bool:
    build = front.get("build")
    members = plain_members(build) if isinstance(build, dict) else {}
    return members.get("render", True) in NEVER or members.get("list", True) in NEVER


def is_scheduled(front: FrontMatter, now: datetime) -> bool:
    for names in (("publishdate", "pubdate", "published"), ("date",)):
        time = front.time_of(*names)
        if time:
            return time > now
        text = front.get(*names)
        if isinstance(text, str) and (year := YEAR.search(text)):
            return int(year[0]) > now.year
    return False


def _is_expired(front: FrontMatter, now: datetime) -> bool:
    time = front.time_of("expirydate", "unpublishdate", "expires")
    return time is not None and time <= now


def _has_no_permalink(front: FrontMatter, _: datetime) -> bool:
    value = front.get("permalink")
    return value is False or (isinstance(value, str) and value.strip().lower() == "false")


RULES: dict[str, Rule] = {
    **{f"{name}: true": _is(name) for name in flags.HOLD_IF_TRUE},
    **{f"{name}: false": _is_not(name) for name in flags.HOLD_IF_FALSE},
    **{f"{flags.STATUS}: {word}": _has_status(word) for word in flags.HOLD_IF_STATUS},
    "build: never": _is_not_built,
    "permalink: false": _has_no_permalink,
    "a password": lambda front, _: front.get("password") is not None,
    "a publication date in the future": is_scheduled,
    "an expiry date in the past": _is_expired,
}
