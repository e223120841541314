"""The arguments of an operation: a schema that reports all faults of a request at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from marshmallow import ValidationError

from orgctx.errors import InvalidParameter
from orgctx.schemas.fields import Integer, Text
from orgctx.schemas.payload import StrictSchema, fields_of
from orgctx.schemas.spelling import did_you_mean
from orgctx.schemas.strict import Strict

# Further mistakes are reported once these are corrected.
MAX_FAULTS_TOLD = 5
SEARCH_DOC = "Literal text to find, ignoring case; an empty value means no filter."


class Arguments(StrictSchema):
    """Base class of all arguments. Attribute names are the service function's keywords."""


def query(doc: str = SEARCH_DOC) -> Text:
    """The `q` parameter of searches."""
    return Text(200, default=None, doc=doc, example="release")


def page() -> Integer:
    """The `page` parameter of numbered lists."""
    return Integer(1, 10_000, default=1, doc="Which page of the list.", example=1)


def parse_text(
    schema: type[Arguments], pairs: Iterable[tuple[str, str]], path: Mapping[str, str]
) -> dict[str, Any]:
    """Parse a REST request: query pairs and path segments. Raises InvalidParameter."""
    bound = fields_of(schema).values()
    in_path = {field.path: field for field in bound if field.path}
    in_query = {field.data_key: field for field in bound if not field.path}
    texts = dict(path)
    faults: dict[str, str] = {}
    strangers: list[str] = []
    for name, text in pairs:
        if name not in in_query:
            strangers.append(name)
        elif name in texts:
            faults[name] = "must be given once"
        else:
            texts[name] = text
    values = _values(in_path | in_query, texts, faults)
    faults |= _unknown(strangers, list(in_query))
    return _parse(in_path | in_query, values, faults, len(strangers))


def _values(
    fields: Mapping[str, Strict], texts: Mapping[str, str], faults: dict[str, str]
) -> dict[str, Any]:
    """Convert texts to JSON values; adds what is malformed to `faults`."""
    values: dict[str, Any] = {}
    for name, text in texts.items():
        try:
            values[name] = fields[name].from_text(text)
        except ValidationError as error:
            values[name] = text
            faults.setdefault(name, str(error.messages[0]))
    return values


def parse_json(schema: type[Arguments], members: Mapping[str, Any]) -> dict[str, Any]:
    """Parse a tool call: a JSON object. Raises InvalidParameter naming every fault."""
    fields = {field.data_key: field for field in fields_of(schema).values()}
    strangers = [name for name in members if name not in fields]
    return _parse(fields, members, _unknown(strangers, list(fields)), len(strangers))


def unknown(name: str, allowed: list[str]) -> str:
    """The message for a parameter that does not exist."""
    hint = did_you_mean(name, allowed)
    if not allowed:
        return "is not a parameter; this operation has none"
    return f"is not a parameter; the parameters are {', '.join(allowed)}{hint}"


def _unknown(names: list[str], allowed: list[str]) -> dict[str, str]:
    """Messages for the first unknown names; a suggestion for each would take seconds."""
    return {name: unknown(name, allowed) for name in islice(names, MAX_FAULTS_TOLD)}


def _parse(
    fields: Mapping[str, Strict],
    values: Mapping[str, Any],
    faults: dict[str, str],
    unknown_count: int,
) -> dict[str, Any]:
    """faults: those found so far, with only the first unknown names."""
    untold = max(0, unknown_count - MAX_FAULTS_TOLD)
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
        raise InvalidParameter(_told(faults, untold))
    return parsed


def _told(faults: Mapping[str, str], untold: int) -> str:
    """List the first faults, and count the others."""
    told = [f"{name[:100]} {fault}" for name, fault in islice(faults.items(), MAX_FAULTS_TOLD)]
    more = untold + len(faults) - len(told)
    return "; ".join([*told, *([f"and {more:,} more faults"] if more else [])])
