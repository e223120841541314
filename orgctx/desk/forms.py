"""Fields of forms that several views have: ids, and the states that a page showed."""

from __future__ import annotations

from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest, NotFound

from orgctx.bundle.records import SOURCE_ID_LENGTH

# Begins the name of the field with the state of an object; the id follows.
SHOWN = "shown:"


def source_ids(fields: MultiDict[str, str], most: int) -> list[str]:
    """Return the ids of the sources of a form or address, each once.

    Raises:
        BadRequest: there are more than `most`.
        NotFound: one cannot be the id of a source.
    """
    ids = list(dict.fromkeys(fields.getlist("source")))
    if len(ids) > most:
        raise BadRequest(f"Choose at most {most} sources at once. Nothing was changed.")
    for id_ in ids:
        check_id(id_, SOURCE_ID_LENGTH)
    return ids


def check_id(id_: str, longest: int) -> str:
    """Return an id that can be looked up. Raises NotFound."""
    if not 0 < len(id_) <= longest or "\0" in id_:
        raise NotFound("There is no such record.")
    return id_


def shown(fields: MultiDict[str, str]) -> dict[str, str]:
    """Return the states that the page of a form showed, for `Decision.expect`."""
    return {
        name.removeprefix(SHOWN): value for name, value in fields.items() if name.startswith(SHOWN)
    }
