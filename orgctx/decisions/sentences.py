"""Say in sentences what audit records changed, with names instead of ids."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from orgctx.bundle.counts import CHANGES
from orgctx.decisions.decision import list_members
from orgctx.decisions.findings import visible
from orgctx.decisions.knowledge import COPIES
from orgctx.decisions.sources import stored
from orgctx.stores.db import Row, Tenant

# How many objects with the same change a sentence names.
MOST_NAMES = 3
# In `after` of the record of an undo: the sequence of the decision.
UNDONE = "undoes"
LONGEST_NAME = 80
# How a sentence begins, by the command of the record.
VERBS = {
    "audit undo": "undid",
    "desk end": "signed out",
    "desk invite": "invited",
    "desk sign-in": "signed in",
    "keys change": "changed the key",
    "keys issue": "issued the key",
    "keys revoke": "revoked the key",
    "keys rotate": "replaced the key",
    "knowledge release": "released",
    "knowledge restore": "restored",
    "knowledge suppress": "suppressed",
    "members add": "added",
    "members identify": "identified",
    "members remove": "removed",
    "members role": "changed",
    "organizations create": "created",
    "organizations delete": "deleted",
    "sources approve": "approved",
    "sources delete": "deleted",
    "sources exclude": "excluded",
    "sources include": "included",
    "sources new-documents": "changed",
    "sources new-documents held": "held new documents of",
    "sources new-documents readable": "made new documents readable in",
    "sources withdraw": "withdrew",
}
# What a sentence calls the values of an object; those of FLAGS only if the verb does not say them.
VALUES = {
    "role": "role",
    "access": "access",
    "scopes": "scopes",
    "sources": "sources",
    "email": "email",
    "subject": "subject",
    "keys": "keys",
    "holds_new": "new documents held",
}
# Values that an object may lose.
IDENTITIES = ("email", "subject")
FLAGS = {"external": "approved", "included": "included", "suppressed": "suppressed", "held": "held"}
# Members that name an object, the first one that is set.
NAMES = ("label", "name", "display_name", "hint")


def names_of(tenant: Tenant, rows: Sequence[Row]) -> dict[str, str]:
    """Return the present names of the members, sources and documents in records, by id."""
    ids = {id_ for row in rows for id_ in row["before"] | row["after"]}
    found = [
        *((str(row["id"]), row["display_name"]) for row in list_members(tenant)),
        *((row["id"], row["label"]) for row in stored(tenant)),
    ]
    present = {id_: _short(name) for id_, name in found if name}
    return present | titles(tenant, ids)


def titles(tenant: Tenant, ids: Collection[str]) -> dict[str, str]:
    storable = sorted(id_ for id_ in ids if "\0" not in id_)
    rows = tenant.run("decisions/find_knowledge", ids=storable)
    return {row["id"]: _short(row["title"]) for row in rows if row["title"]}


def author(row: Row) -> str:
    """Return who made a record."""
    return visible(str(row["name"] or row["decided_by"] or f"operator ({row['login']})"))


def sentence(row: Row, names: Mapping[str, str]) -> str:
    """Return what a record changed, such as `approved Board papers (keys: 3)`.

    Args:
        names: what `names_of` returns.
    """
    before, after, command = row["before"], row["after"], row["command"]
    is_undo = UNDONE in after
    shown = VALUES if command in VERBS and not is_undo else VALUES | FLAGS
    groups: dict[str, list[str]] = {}
    for id_ in before | after:
        old, new = before.get(id_, {}), after.get(id_, {})
        if isinstance(old, dict) and isinstance(new, dict):
            changes = f" ({text})" if (text := "; ".join(_changes(old, new, shown))) else ""
            groups.setdefault(changes, []).append(_name(row, id_, names))
    objects = "; ".join(f"{_joined(listed)}{changes}" for changes, listed in groups.items())
    verb = VERBS.get(command, f"ran `{visible(command)}`{_files(after)}:")
    undone = f" no. {after[UNDONE]}:" if is_undo else ""
    copies = f" and {len(after[COPIES]):,} with the same text" if COPIES in after else ""
    return f"{verb}{undone} {objects}{copies}".strip(" :")


def _name(row: Row, id_: str, names: Mapping[str, str]) -> str:
    """Return the name of an object, or nothing for the member who decided."""
    if id_ == str(row["decided_by"]):
        return ""
    values = (row["after"].get(id_, {}), row["before"].get(id_, {}))
    stored_names = [each.get(member) for each in values for member in NAMES]
    return names.get(id_) or _short(str(next(filter(None, stored_names), id_)))


def _changes(old: Row, new: Row, shown: Mapping[str, str]) -> Iterator[str]:
    """Yield the values that differ, such as `access: api → both`; those of a load all."""
    for member, text in shown.items():
        if member in new and old.get(member) != new[member]:
            former = f"{_value(old[member])} → " if member in old else ""
            yield f"{text}: {former}{_value(new[member])}"
        elif member in IDENTITIES and member in old and member not in new:
            yield f"{text}: {_value(old[member])} → none"
    if old.get("suppressed") and not new.get("suppressed") and new.get("held"):
        yield "still waits for a release"
    yield from (f"{verb} {new[verb]:,}" for verb in CHANGES if verb in new)


def _value(value: Any) -> str:
    if isinstance(value, bool | dict):
        return "yes" if value else "no"
    if value is None:
        return "all"
    return visible(", ".join(value) if isinstance(value, list) else str(value))


def _short(name: str) -> str:
    text = visible(name)
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…"


def _joined(names: Sequence[str]) -> str:
    names = sorted(names, key=str.casefold)
    if len(names) > MOST_NAMES + 1:
        return f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _files(after: Row) -> str:
    """Return what a load read, such as ` of handbook`."""
    files = [_short(PurePath(str(file)).name or str(file)) for file in after.get("files", ())]
    return f" of {_joined(files)}" if files else ""
