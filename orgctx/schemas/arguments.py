"""The arguments of an operation: a schema that reports all errors of a request at once."""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice
from typing import Any

from marshmallow import ValidationError

from orgctx.errors import InvalidParameter
from orgctx.schemas.fields import Integer, Strict, Text
from orgctx.schemas.payload import StrictSchema, fields_of, json_fields, parse_members
from orgctx.schemas.text import did_you_mean, fold

# Further errors are only counted, so that a message stays readable.
MAX_LISTED_ERRORS = 5


# Base class of all arguments. Attribute names are the service function's keywords. It has no
# docstring, which would be the description of an operation without arguments.
class Arguments(StrictSchema):
    pass


class Query(Text):
    """A term of a search; empty if it has only characters of no width."""

    def _parse(self, value: Any) -> str:
        text = super()._parse(value)
        return text if fold(text) else ""


def query(doc: str) -> Query:
    """Return the `q` parameter of searches."""
    return Query(200, default=None, doc=doc, example="release")


def page() -> Integer:
    """Return the `page` parameter of numbered lists."""
    return Integer(1, 10_000, default=1, doc="The page number.", example=1)


def parse_text(
    schema: type[Arguments], pairs: Iterable[tuple[str, str]], path: Mapping[str, str]
) -> dict[str, Any]:
    """Parse the query and path of a REST request. Raises InvalidParameter naming every error."""
    fields, in_query = _rest_fields(schema)
    texts = dict(path)
    errors: dict[str, Any] = {}
    unknown_names: list[str] = []
    for name, text in pairs:
        if name not in in_query:
            unknown_names.append(name)
        elif name in texts:
            errors[name] = ["must be given once"]
        else:
            texts[name] = text
    values: dict[str, Any] = {}
    for name, text in texts.items():
        try:
            values[name] = fields[name].from_text(text)
        except ValidationError as error:
            values[name] = text
            errors.setdefault(name, error.messages)
    errors |= _unknown_errors(unknown_names, in_query)
    return _parsed(fields, values, errors, len(unknown_names))


def parse_json(schema: type[Arguments], members: Mapping[str, Any]) -> dict[str, Any]:
    """Parse the arguments of a tool call. Raises InvalidParameter naming every error."""
    fields = json_fields(schema)
    unknown_names = [name for name in members if name not in fields]
    errors = _unknown_errors(unknown_names, list(fields))
    return _parsed(fields, members, errors, len(unknown_names))


def from_model(schema: type[Arguments], members: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a tool call as the schema publishes them, from what models send.

    Numbers and booleans may be strings, integers may have a decimal point, and null stands for an
    optional argument that is absent. Other values stay as they are.
    """
    fields = json_fields(schema)
    return {
        name: fields[name].from_model(value) if name in fields else value
        for name, value in members.items()
        if value is not None or name not in fields or fields[name].required
    }


@cache
def _rest_fields(schema: type[Arguments]) -> tuple[dict[str, Strict], list[str]]:
    """Return the fields by REST name, path parameters first, and the names of the query."""
    fields = fields_of(schema).values()
    in_path = {field.path: field for field in fields if field.path}
    in_query = {field.data_key: field for field in fields if not field.path}
    return in_path | in_query, list(in_query)


def _unknown_errors(names: list[str], allowed: list[str]) -> dict[str, Any]:
    """Return messages for the first unknown names; a suggestion for each would take seconds."""
    known = f"the parameters are {', '.join(allowed)}" if allowed else "this operation has none"
    return {
        name: [f"is not a parameter; {known}{did_you_mean(name, allowed)}"]
        for name in islice(names, MAX_LISTED_ERRORS)
    }


def _parsed(
    fields: Mapping[str, Strict],
    values: Mapping[str, Any],
    errors: dict[str, Any],
    unknown_count: int,
) -> dict[str, Any]:
    """Parse JSON values. errors: by name, with only the first of the unknown names."""
    parsed = parse_members(fields, values, errors)
    if errors:
        texts = [f"{name[:100]} {text}" for name, (text, *_) in errors.items()]
        texts = texts[:MAX_LISTED_ERRORS]
        more = max(0, unknown_count - MAX_LISTED_ERRORS) + len(errors) - len(texts)
        texts += [f"and {more:,} more errors"] * bool(more)
        raise InvalidParameter("; ".join(texts), names=frozenset(errors))
    return parsed
