"""Fields of forms that several views have: ids, and the states that a page showed."""

from typing import Any

from marshmallow import fields as marshmallow_fields
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest, NotFound

from orgctx.bundle.records import SOURCE_ID_LENGTH

# Begins the name of the field with the state of an object; the id follows.
SHOWN = "shown:"
# Sources on a page of their list, and so in one form.
PAGE_SIZE = 25


class Integer(marshmallow_fields.Integer):
    """An integer in ASCII; `int` also reads the digits of other scripts."""

    def _deserialize(self, value: Any, *args: Any, **keywords: Any) -> Any:
        if not str(value).isascii():
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *args, **keywords)


def source_ids(fields: MultiDict[str, str]) -> list[str]:
    """Return the ids of the sources of a form or address, each once.

    Raises:
        BadRequest: there are more than PAGE_SIZE.
        NotFound: one cannot be the id of a source.
    """
    ids = list(dict.fromkeys(fields.getlist("source")))
    if len(ids) > PAGE_SIZE:
        raise BadRequest(f"Choose at most {PAGE_SIZE} sources at once. Nothing was changed.")
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
