"""Parse records of `orgctx audit --json-lines`, and find what they restrict or open again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from uuid import UUID

import orjson
from marshmallow import ValidationError

from orgctx.cli.errors import CommandError
from orgctx.decisions.replay import Change, Record
from orgctx.schemas.formats import DateTime

TIMES = DateTime()
NO_RECORD = (
    "Line {} is no record of `orgctx audit --json-lines`. Nothing was changed. Remove the line if "
    "it is incomplete, like the last one of a collector that was stopped."
)
BROADEST_ACCESS = "both"


class Flag(NamedTuple):
    """A boolean member of an object in the audit. restricting: the value that restricts."""

    name: str
    restricting: bool
    decision: str


FLAGS = (
    Flag("external", False, "withdraw"),
    Flag("included", False, "exclude"),
    Flag("suppressed", True, "suppress"),
)


def parse(lines: Iterable[bytes]) -> Iterator[Record]:
    """Yield the records that change what may be read. Raises CommandError with a line number."""
    for number, line in enumerate(lines, 1):
        try:
            record = _record(orjson.loads(line), number)
        except (ValueError, KeyError, TypeError, AttributeError, ValidationError):
            raise CommandError(NO_RECORD.format(number)) from None
        if record.changes:
            yield record


def _record(parsed: Any, number: int) -> Record:
    before, after = parsed["before"], parsed["after"]
    sequence = parsed.get("sequence", number)
    texts = [parsed["command"], *before.keys(), *after.keys()]
    # PostgreSQL's text has no null character.
    if not isinstance(sequence, int) or any("\0" in text for text in texts):
        raise ValueError
    return Record(
        TIMES.deserialize(parsed["at"]),
        sequence,
        UUID(parsed["organizationId"]),
        UUID(parsed["decidedBy"]) if parsed["decidedBy"] else None,
        parsed["command"],
        tuple(_changes(before, after)),
    )


def _changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[Change]:
    """Yield the changes, which follow from the values and not from the command."""
    for id_ in before | after:
        old, new = before.get(id_) or {}, after.get(id_) or {}
        if not isinstance(old, dict) or not isinstance(new, dict):
            continue
        if old and not new:
            yield Change(id_, "revoke" if "hint" in old else "delete", True, old)
        elif "hint" in old:
            yield from _changes_of_key(id_, old, new)
        for flag in FLAGS:
            if flag.name in new and old.get(flag.name) != new[flag.name]:
                yield Change(id_, flag.decision, new[flag.name] is flag.restricting, new)


def _changes_of_key(id_: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    if new["expires_at"] != old["expires_at"]:
        # No command lets a key expire later.
        yield Change(id_, "end", True, new | {"expires_at": TIMES.deserialize(new["expires_at"])})
    loses_access = new["access"] not in (old["access"], BROADEST_ACCESS)
    if loses_access or _loses_sources(old, new) or not set(old["scopes"]) <= set(new["scopes"]):
        yield Change(id_, "change", True, new)


def _loses_sources(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Return whether the key reads fewer sources. Records of older versions have no `sources`."""
    before, after = old.get("sources"), new.get("sources")
    return after is not None and (before is None or not set(before) <= set(after))
