"""States of objects as a listing or page shows them, so that nobody decides about another state.

`Decision.expect` takes the states that were shown, and each function of this package compares them
inside its transaction, once it holds the lock of the object.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import orjson

from orgctx.decisions.findings import visible

# A longer value is replaced by its digest, so that states fit into forms.
LONGEST_VALUE = 200
LONGEST_STATE = 4_000


def state_of(values: Mapping[str, Any]) -> str:
    """Return the state of an object as text.

    Args:
        values: what was shown of it, by the names that a message uses.
    """
    return orjson.dumps({name: _short(value) for name, value in values.items()}).decode()


def differences(shown: str, values: Mapping[str, Any]) -> dict[str, str] | None:
    """Return `before -> now` by name, for what differs from a state; None if it is no state.

    Args:
        shown: a state of the same object, which has some or all of the names of `values`.
    """
    try:
        old = orjson.loads(shown) if len(shown) <= LONGEST_STATE else None
    except orjson.JSONDecodeError:
        old = None
    if not isinstance(old, dict) or not old or not old.keys() <= values.keys():
        return None
    now = {name: _short(values[name]) for name in old}
    return {
        name: f"{_text(value)} -> {_text(now[name])}"
        for name, value in old.items()
        if value != now[name]
    }


def _short(value: Any) -> str | bool | int | None:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, datetime):
        value = value.astimezone(UTC).isoformat()
    text = value if isinstance(value, str) else orjson.dumps(value, default=str).decode()
    if len(text) <= LONGEST_VALUE:
        return text
    return f"sha256:{sha256(text.encode()).hexdigest()[:32]}"


def _text(value: Any) -> str:
    return visible(value) if isinstance(value, str) else orjson.dumps(value).decode()
