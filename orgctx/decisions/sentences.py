"""Say in sentences what audit records changed, with names instead of ids."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from orgctx.decisions import members
from orgctx.decisions.findings import visible
from orgctx.decisions.keys import is_rotated
from orgctx.decisions.knowledge import COPIES
from orgctx.decisions.sources import stored
from orgctx.schemas.text import counted
from orgctx.stores.db import Row, Tenant

# How many objects with the same change a sentence names.
MOST_NAMES = 3
# In `after` of the record of an undo: the sequence of the decision.
UNDONE = "undoes"
LONGEST_NAME = 80
# What a record says of an object by one member alone.
FLAGS = {
    ("external", True): "approved",
    ("external", False): "withdrew",
    ("included", True): "included",
    ("included", False): "excluded",
    ("holds_new", True): "held new documents of",
    ("holds_new", False): "made new documents readable in",
    ("suppressed", True): "suppressed",
    ("suppressed", False): "restored",
    ("invited", True): "invited",
    ("signed_in", True): "signed in",
    ("signed_out", True): "signed out",
    ("revoked", True): "revoked",
    ("ended", True): "ended",
}
# Members that name an object, the first one that is set.
NAMES = ("label", "name", "display_name", "hint")
OF_KEYS = {"access": "access", "scopes": "scopes", "sources": "sources"}


class Act(NamedTuple):
    """What changed of one object: `verb name rest`."""

    verb: str
    name: str
    rest: str = ""


def names_of(tenant: Tenant, rows: Sequence[Row]) -> dict[str, str]:
    """Return the present names of the members, sources and documents in records, by id."""
    ids = {id_ for row in rows for id_ in row["before"] | row["after"]}
    found = [
        *((str(row["id"]), row["display_name"]) for row in members.stored(tenant)),
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
    """Return what a record changed, such as `approved Board papers for 3 keys`.

    Args:
        names: what `names_of` returns.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for act in acts(row, names):
        groups.setdefault((act.verb, act.rest), []).append(act.name)
    parts = [f"{verb} {_joined(listed)}{rest}".strip() for (verb, rest), listed in groups.items()]
    undone = f" to undo no. {row['after'][UNDONE]}" if UNDONE in row["after"] else ""
    if copies := len(row["after"].get(COPIES, ())):
        undone = f" and {copies:,} with the same text{undone}"
    return ("; ".join(parts) or f"ran `{visible(row['command'])}`{_load(row['after'])}") + undone


def acts(row: Row, names: Mapping[str, str]) -> Iterator[Act]:
    """Yield what a record changed, object by object."""
    before, after = row["before"], row["after"]
    for id_ in before | after:
        old, new = before.get(id_, {}), after.get(id_, {})
        if not isinstance(old, dict) or not isinstance(new, dict):
            continue
        stored_names = [values.get(member) for values in (new, old) for member in NAMES]
        name = names.get(id_) or _short(str(next(filter(None, stored_names), id_)))
        found = (*_of_key(name, old, new), *_of_member(name, old, new))
        if "records" in old:
            found = (Act("deleted", name),)
        was_held, is_held = bool(old.get("held")), bool(new.get("held"))
        is_count = isinstance(new.get("held"), int)  # of a load
        if was_held != is_held and old.get("suppressed") == new.get("suppressed") and not is_count:
            found = (Act("held" if is_held else "released", name),)
        yield from found or _flags("" if id_ == str(row["decided_by"]) else name, old, new)


def _flags(name: str, old: Row, new: Row) -> Iterator[Act]:
    count = new.get("keys")
    keys = counted(count, "key") if count else ""
    for (flag, value), verb in FLAGS.items():
        if new.get(flag) is value and old.get(flag) is not value:
            yield Act(verb, name, keys and f" {'for' if value else 'from'} {keys}")


def _of_key(name: str, old: Row, new: Row) -> Iterator[Act]:
    if "hint" not in old | new:
        return
    name = f"the key {name}"
    if not old or not new:
        yield Act("issued" if new else "revoked", name)
    elif old["expires_at"] != new["expires_at"] or is_rotated(new["name"]):
        yield Act("replaced", name)
    else:
        changes = [
            f"{text}: {_listed(old.get(member))} → {_listed(new.get(member))}"
            for member, text in OF_KEYS.items()
            if old.get(member) != new.get(member)
        ]
        yield Act("changed", name, f" ({'; '.join(changes)})" if changes else "")


def _of_member(name: str, old: Row, new: Row) -> Iterator[Act]:
    if "role" in new:
        role = new["role"]
        if role == members.REMOVED:
            yield Act("removed", name)
        elif "role" in old:
            yield Act("made", name, f" {role}")
        else:
            yield Act("added", name, f" as {role}")
    for kind in ("email", "subject"):
        if kind in old | new:
            yield Act("linked" if kind in new else "unlinked", name, f" ({kind})")


def _short(name: str) -> str:
    text = visible(name)
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…"


def _listed(value: Any) -> str:
    if value is None:
        return "all"
    return visible(", ".join(value) if isinstance(value, list) else str(value))


def _joined(names: Sequence[str]) -> str:
    names = sorted(names, key=str.casefold)
    if len(names) > MOST_NAMES + 1:
        return f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _load(after: Row) -> str:
    """Return what a load read and changed, such as ` of handbook: created 3 asset records`."""
    files = [_short(PurePath(str(file)).name or str(file)) for file in after.get("files", ())]
    parts = [
        f"{verb} {counted(count, f'{type_} record')}"
        for type_, counts in after.items()
        if isinstance(counts, dict)
        for verb, count in counts.items()
        if isinstance(count, int) and not isinstance(count, bool)
    ]
    return (f" of {_joined(files)}" if files else "") + (f": {', '.join(parts)}" if parts else "")
