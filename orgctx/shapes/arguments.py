"""What an operation may be asked: a schema per operation, parsed strictly and all at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from marshmallow import ValidationError

from orgctx.errors import InvalidParameter
from orgctx.shapes.fields import Strict, Text, Whole, did_you_mean
from orgctx.shapes.payload import Shape, fields_of

SEARCH_DOC = "Literal text to find, ignoring case; an empty value means no filter."


class Arguments(Shape):
    """Base of all arguments. Attribute names are the service function's keywords."""


def query(doc: str = SEARCH_DOC) -> Text:
    """The `q` of searches."""
    return Text(200, default=None, doc=doc, example="release")


def page() -> Whole:
    """The `page` of numbered lists."""
    return Whole(1, 10_000, default=1, doc="Which page of the list.", example=1)


def parse_text(
    schema: type[Arguments], pairs: Iterable[tuple[str, str]], path: Mapping[str, str]
) -> dict[str, Any]:
    """Arguments of a REST request: query pairs and path segments. Raises InvalidParameter."""
    bound = fields_of(schema).values()
    in_path = {field.path: field for field in bound if field.path}
    in_query = {field.data_key: field for field in bound if not field.path}
    values: dict[str, Any] = dict(path)
    faults: dict[str, str] = {}
    for name, text in pairs:
        if name not in in_query:
            faults[name] = unknown(name, list(in_query))
        elif name in values:
            faults[name] = "must be given once"
        else:
            values[name] = text
            try:
                values[name] = in_query[name].from_text(text)
            except ValidationError as error:
                faults[name] = str(error.messages[0])
    fields = in_path | in_query
    return _parse(fields, values, faults)


def parse_json(schema: type[Arguments], members: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of a tool call: a JSON object. Raises InvalidParameter naming every fault."""
    fields = {field.data_key: field for field in fields_of(schema).values()}
    faults = {name: unknown(name, list(fields)) for name in members if name not in fields}
    return _parse(fields, members, faults)


def unknown(name: str, allowed: list[str]) -> str:
    """What to say of a parameter that does not exist."""
    hint = did_you_mean(name, allowed)
    if not allowed:
        return "is not a parameter; this operation has none"
    return f"is not a parameter; the parameters are {', '.join(allowed)}{hint}"


def _parse(
    fields: Mapping[str, Strict], values: Mapping[str, Any], faults: dict[str, str]
) -> dict[str, Any]:
    parsed: dict[str, Any] = {}
    for name, field in fields.items():
        attribute = str(field.name)
        if name not in values:
            if field.required:
                faults[name] = str(field.error_messages["required"])
            else:
                parsed[attribute] = field.load_default
        elif name not in faults:
            try:
                parsed[attribute] = field.parse(values[name])
            except ValidationError as error:
                faults[name] = str(error.messages[0])
    if faults:
        raise InvalidParameter("; ".join(f"{name[:100]} {fault}" for name, fault in faults.items()))
    return parsed
