"""Fields that several views have: filters, ids, and the states that a page showed."""

from collections.abc import Collection, Mapping
from typing import Any

from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest, NotFound

from orgctx.decisions import DecisionRejected

# Begins the name of the field with the state of an object; the id follows.
SHOWN = "shown:"
# Sources on a page of their list, and so in one form.
PAGE_SIZE = 25
# At least as long as any id of a source or document.
LONGEST_ID = 200
# Characters of a filter, such as a search term.
LONGEST_FILTER = 200


def filters(
    fields: MultiDict[str, str], choices: Mapping[str, Collection[str] | None]
) -> dict[str, Any]:
    """Return the filters of an address or form that are set.

    choices: the values of each filter, None for any text. Another value is ignored, as the form
    shows none as chosen.
    """
    values = {
        name: fields.get(name, "").replace("\0", "").strip()[:LONGEST_FILTER] for name in choices
    }
    return {
        name: value
        for name, value in values.items()
        if value and ((known := choices[name]) is None or value in known)
    }


def chosen(fields: MultiDict[str, str], name: str, most: int = PAGE_SIZE) -> list[str]:
    """Return the ids of sources or documents of a form or address, each once.

    Raises:
        BadRequest: there are more than `most`.
        NotFound: one cannot be the id of a record.
    """
    ids = list(dict.fromkeys(fields.getlist(name)))
    if len(ids) > most:
        raise BadRequest(f"Choose at most {most} {name}s at once. Nothing was changed.")
    return [*map(check_id, ids)]


def ticked(fields: MultiDict[str, str], name: str, most: int = PAGE_SIZE) -> list[str]:
    """Return what `chosen` returns. Raises DecisionRejected if nothing is ticked."""
    ids = chosen(fields, name, most)
    if not ids:
        raise DecisionRejected(f"Tick a {name} first. Nothing was changed.")
    return ids


def check_id(id_: str) -> str:
    """Return an id that can be looked up. Raises NotFound."""
    if not 0 < len(id_) <= LONGEST_ID or "\0" in id_:
        raise NotFound("There is no such record.")
    return id_


def shown(fields: MultiDict[str, str]) -> dict[str, str]:
    """Return the states that the page of a form showed, for `Decision.expect`."""
    return {
        name.removeprefix(SHOWN): value for name, value in fields.items() if name.startswith(SHOWN)
    }
