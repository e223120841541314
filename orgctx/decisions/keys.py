"""Issue, change, revoke and rotate API keys."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from psycopg.errors import UniqueViolation

from orgctx import key_format
from orgctx.decisions import sources
from orgctx.decisions.decision import Decision, DecisionRejected, state_of
from orgctx.operations.source_kinds import SOURCE_KINDS
from orgctx.schemas.formats import UUID_PATTERN
from orgctx.stores.db import Tenant

# The interfaces that accept a key.
ACCESSES = ("api", "mcp", "both")
# How many days a key may live.
LIFETIMES = (7, 30, 90)
LONGEST_NAME = 100
# What `is_name` accepts.
NAME_RULE = (
    f"Use a name of 1 to {LONGEST_NAME} printable characters without spaces at the ends, and no "
    "id or key."
)
# The states of keys, and what each means.
STATES = {
    "active": "active",
    "expired": "expired",
    "revoked": "revoked",
    "ineligible": "issuer may no longer decide",
}
# The end of the name of a key that was rotated.
ROTATED = " (rotated)"

# What `change` may change, and a rotation keeps.
RIGHTS = ("name", "access", "scopes", "sources")

Key = dict[str, Any]


def listed(
    tenant: Tenant,
    *,
    key_id: UUID | None = None,
    state: str | None = None,
    expiring_days: int | None = None,
    row_offset: int = 0,
    row_limit: int | None = None,
) -> list[Key]:
    """Return the columns of `decisions/list_keys`, newest first; None does not filter.

    Args:
        state: one of STATES.
        expiring_days: only active keys that expire within this number of days.
        row_offset: how many rows to leave out.
    """
    return tenant.run(
        "decisions/list_keys",
        id=key_id,
        state=state,
        expiring_days=expiring_days,
        row_offset=row_offset,
        row_limit=row_limit,
    )


def issue(
    decision: Decision,
    *,
    name: str | None,
    access: str,
    scopes: Sequence[str],
    days: int,
    sources: Sequence[str] | None = None,
    key_id: UUID | None = None,
) -> Key:
    """Issue a key.

    Args:
        days: one of LIFETIMES.
        key_id: id of the new key, so that a repeated request issues no second one.
        sources: the only ones that it may read, approved or not. None: all, even later ones.

    Returns:
        `key`, its secret, which is not stored; `id`, `hint`, `name`, `access`, `scopes`,
        `sources`, `organization_id` and `expires_at`.

    Raises:
        DecisionRejected: a source does not exist, the name is that of a rotated key, or a key has
            this id.
    """
    _check_new_name(name)
    limit = None if sources is None else _limit(decision, sources)
    rights = {"name": name, "access": access, "scopes": list(scopes), "sources": limit}
    return _issue(decision, rights, days, key_id)


def change(
    decision: Decision,
    key_id: UUID,
    *,
    name: str | None = None,
    access: str | None = None,
    scopes: Sequence[str] = (),
    sources: Sequence[str] | None = (),
) -> Key:
    """Change the name and the rights of a key; an empty value keeps the old one.

    Args:
        sources: the only ones that it may read from now on. None ends its limit to sources.
    """
    key = _read_active(decision, key_id, "changed")
    if name and name != key["name"]:
        _check_new_name(name)
        if is_rotated(key["name"]):
            raise DecisionRejected(f"Key {key_id} was rotated. Its name cannot be changed.")
    limit = _limit(decision, sources) if sources else key["sources"]
    rights = {
        "name": name or key["name"],
        "access": access or key["access"],
        "scopes": scopes or key["scopes"],
        "sources": None if sources is None else limit,
    }
    return key | rights | _change(decision, key_id, key, rights)


def revoke(decision: Decision, key_id: UUID) -> Key:
    """Revoke a key permanently. The next request with it is rejected."""
    key = _read(decision, key_id)
    if key["state"] != "revoked":
        decision.before[str(key_id)] = _audit_values(key)
    decision.run("decisions/revoke_key", id=key_id)
    return key


def replaced(tenant: Tenant, key: Key) -> list[Key]:
    """Return the listed keys that this one has replaced, and that may still work."""
    name, states = _rotated_name(key), ("active", "ineligible")
    return [row for row in listed(tenant) if row["name"] == name and row["state"] in states]


def _rotated_name(key: Key) -> str:
    name: str = key["name"] or key["hint"]
    return name[: LONGEST_NAME - len(ROTATED)] + ROTATED


def rotate(
    decision: Decision, key_id: UUID, *, old_seconds: int, days: int | None
) -> tuple[Key, Key]:
    """Replace a key by a new one with its name and rights, and let the old one end.

    Args:
        old_seconds: when the old key ends at the latest; it never lives longer than before.
        days: lifetime of the new key, one of LIFETIMES. Default: that of the old one.

    Returns:
        the new key as `issue` returns it, and the old one.
    """
    old = _read_active(decision, key_id, "rotated")
    if is_rotated(old["name"]):
        raise DecisionRejected(
            f"Key {key_id} was rotated already. Rotate the key that replaced it."
        )
    old_days = round((old["expires_at"] - old["created_at"]) / timedelta(days=1))
    lifetime = days or next((d for d in LIFETIMES if d >= old_days), LIFETIMES[-1])
    rights = {right: old[right] for right in RIGHTS}
    new = _issue(decision, rights, lifetime)
    named = rights | {"name": _rotated_name(old)}
    ended = _change(decision, key_id, old, named, seconds=old_seconds)
    return new, {"id": key_id, **old, **ended}


def _change(
    decision: Decision, key_id: UUID, old: Key, rights: dict[str, Any], seconds: int | None = None
) -> Key:
    """Store the rights of a key, which may end within seconds. Returns its name and expiry."""
    (changed,) = decision.run("decisions/change_key", id=key_id, **rights, seconds=seconds)
    decision.before[str(key_id)] = _audit_values(old)
    decision.after[str(key_id)] = _audit_values(old | rights | changed)
    return changed


def unreadable(tenant: Tenant, key: Key) -> dict[str, str]:
    """Return why a limited key cannot read some of its sources, by the id of the source."""
    reasons = {}
    limit = key["sources"]
    for row in sources.stored(tenant, limit) if limit else ():
        if not (row["included"] and row["external"]):
            reasons[row["id"]] = "it is not approved" if row["included"] else "it is excluded"
        elif not sources.reads(key, row):
            reasons[row["id"]] = f"the key lacks {SOURCE_KINDS[row['kind']].scope}"
    return reasons


def state(key: Key) -> str:
    """Return the state of a listed key, for `Decision.expect`."""
    return state_of(_state_values(key))


def _state_values(key: Key) -> dict[str, Any]:
    return {
        "name": key["name"],
        "access": key["access"],
        "scopes": sorted(key["scopes"]),
        "sources": key["sources"],
        "expires": key["expires_at"],
        "revoked": key["state"] == "revoked",
    }


def is_name(text: str) -> bool:
    """Return whether a key may have this name, which cannot be mistaken for an id or a key."""
    return (
        0 < len(text) <= LONGEST_NAME
        and text.isprintable()
        and text == text.strip()
        and not UUID_PATTERN.fullmatch(text)
        and not text.startswith(key_format.PREFIX)
    )


def is_rotated(name: str | None) -> bool:
    """Return whether another key has replaced the key with this name."""
    return name is not None and name.endswith(ROTATED)


def _check_new_name(name: str | None) -> None:
    if is_rotated(name):
        raise DecisionRejected(
            f"Only keys that were rotated have names that end in {ROTATED!r}. Use another name."
        )


def _issue(
    decision: Decision, rights: dict[str, Any], days: int, key_id: UUID | None = None
) -> Key:
    secret = key_format.generate()
    key: Key = {"id": key_id or uuid4(), "key": secret, "hint": key_format.hint(secret), **rights}
    stored = {**key, "key_hash": key_format.digest(secret), "days": days}
    key["organization_id"] = decision.organization_id
    try:
        key |= decision.run("decisions/issue_key", **stored, issued_by=decision.user_id)[0]
    except UniqueViolation:
        raise DecisionRejected(
            "This request issued a key already, whose secret was shown then and is not stored. If "
            "nobody has it, rotate or revoke that key. No other key was issued."
        ) from None
    decision.after[str(key["id"])] = _audit_values(key)
    return key


def _limit(decision: Decision, source_ids: Sequence[str]) -> list[str]:
    """Return the ids in the order of lists, each once.

    Does not lock the sources: whoever limits a key to one that is just deleted means its id.
    """
    wanted = set(source_ids)
    ids = [row["id"] for row in sources.stored(decision, [*wanted])]
    if unknown := wanted.difference(ids):
        names = ", ".join(map(repr, sorted(unknown)))
        raise DecisionRejected(f"The organization has no source {names}. Nothing was changed.")
    if not ids:
        raise DecisionRejected("A limited key needs at least one source. Nothing was changed.")
    return ids


def _read(decision: Decision, key_id: UUID) -> Key:
    decision.lock_member()
    decision.run("decisions/lock_key", id=key_id)
    rows = listed(decision, key_id=key_id)
    if not rows:
        raise DecisionRejected(f"Unknown key {key_id}. See `orgctx keys list`.")
    decision.check(str(key_id), _state_values(rows[0]), rows[0]["name"] or rows[0]["hint"])
    return rows[0]


def _read_active(decision: Decision, key_id: UUID, verb: str) -> Key:
    key = _read(decision, key_id)
    if key["state"] in ("revoked", "expired"):
        raise DecisionRejected(
            f"Key {key_id} is {key['state']} and cannot be {verb}. Issue a new one."
        )
    return key


def _audit_values(key: Key) -> dict[str, Any]:
    return {
        name: key[name] for name in ("hint", "name", "access", "scopes", "sources", "expires_at")
    }
