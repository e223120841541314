"""Payloads with a fast dump compiled from their schema, and the envelope of responses around them.

marshmallow's `dump` visits every field of every object, and ignores missing members. The compiled
dump is one expression that builds plain dicts, and fails if a member is missing. A property test
checks that both give the same result.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from typing import Any

import orjson
from marshmallow import Schema, ValidationError, missing
from marshmallow.fields import Field

from orgctx.errors import InvalidParameter
from orgctx.schemas.fields import Boolean, Enum, Integer, List, Nested, Text
from orgctx.schemas.formats import DateTime, Uuid
from orgctx.schemas.text import did_you_mean
from orgctx.stores.db import Rows

# Unknown members that an error names.
MAX_UNKNOWN = 5
UNDERSCORE = re.compile(r"_([a-z])")


def camel_case(name: str) -> str:
    """Convert a name to camel case: `sent_at` to `sentAt`."""
    return UNDERSCORE.sub(lambda match: match[1].upper(), name)


class StrictSchema(Schema):
    """A schema that rejects unknown members and uses camelCase in JSON."""

    error_messages = {  # noqa: RUF012
        "unknown": "is not a known member",
        "type": "must be an object",
    }

    def on_bind_field(self, field_name: str, field_obj: Field[Any]) -> None:
        field_obj.data_key = field_obj.data_key or camel_case(field_name)

    @classmethod
    def parse(cls, members: Any) -> dict[str, Any]:
        """Return values by attribute name. Raises ValidationError naming every invalid member."""
        if not isinstance(members, dict):
            raise ValidationError(cls.error_messages["type"])
        fields = json_fields(cls)
        errors: dict[str, Any] = {}
        parsed = parse_members(fields, members, errors)
        if unknown_names := [name for name in members if name not in fields]:
            errors |= unknown_members(unknown_names, list(fields))
        if errors:
            raise ValidationError(errors)
        return parsed


def parse_members(
    fields: Mapping[str, Any], members: Mapping[str, Any], errors: dict[str, Any]
) -> dict[str, Any]:
    """Return values by attribute name.

    Args:
        fields: by JSON name.
        members: JSON values; names that are not in `fields` are ignored.
        errors: receives the messages of each invalid member. Those already in it are not parsed.
    """
    parsed = {}
    for name, field in fields.items():
        if name not in members:
            if field.required:
                errors[name] = [field.error_messages["required"]]
            elif field.load_default is not missing:
                parsed[field.name] = field.load_default
        elif name not in errors:
            try:
                parsed[field.name] = field.parse(members[name])
            except ValidationError as error:
                errors[name] = error.messages
    return parsed


def unknown_members(names: list[str], known: list[str]) -> dict[str, list[str]]:
    """Return the errors of the first unknown names; a suggestion for each would take long."""
    text = StrictSchema.error_messages["unknown"]
    return {name: [text + did_you_mean(name, known)] for name in names[:MAX_UNKNOWN]}


class Payload(StrictSchema):
    """Base class of payloads. A docstring is the description in the contract."""

    @classmethod
    def many(cls, rows: Rows) -> list[dict[str, Any]]:
        """Return one object per row. Columns are members, or members of a member: `sender.id`.

        Raises TypeError if the columns do not match the schema.
        """
        return _row_dump(cls, rows.columns)(rows.rows)

    @classmethod
    def one(cls, member: Mapping[str, Any]) -> dict[str, Any]:
        """Return an object from values by attribute name. Raises KeyError if one is missing."""
        return _mapping_dump(cls)(member)


@cache
def fields_of(schema: type[Schema]) -> dict[str, Any]:
    """Return the bound fields of a schema by attribute name, in order."""
    return dict(schema().fields)


@cache
def json_fields(schema: type[Schema]) -> dict[str, Any]:
    """Return the bound fields of a schema by JSON name, in order."""
    return {field.data_key: field for field in fields_of(schema).values()}


@cache
def _row_dump(
    schema: type[Schema], columns: tuple[str, ...]
) -> Callable[[list[tuple[Any, ...]]], list[dict[str, Any]]]:
    places = {name: index for index, name in enumerate(columns)}
    expression = _object_from_row(schema, "", places)
    if places:
        raise TypeError(f"{schema.__name__} has no member for the columns {', '.join(places)}")
    dump: Callable[[list[tuple[Any, ...]]], list[dict[str, Any]]] = _compile(
        f"[{expression} for r in rows]", "rows"
    )
    return dump


@cache
def _mapping_dump(schema: type[Schema]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    dump: Callable[[Mapping[str, Any]], dict[str, Any]] = _compile(
        _object_from_mapping(schema, "m", by_attribute=True), "m"
    )
    return dump


def _compile(expression: str, argument: str) -> Any:
    # The text consists only of names from our own schemas.
    return eval(f"lambda {argument}: {expression}", {})  # noqa: S307


def _object_from_row(schema: type[Schema], prefix: str, places: dict[str, int]) -> str:
    """Return an expression that builds a dict from the row `r`.

    places: indexes of columns by name; removes the columns that the expression uses.
    """
    members = []
    for name, field in fields_of(schema).items():
        column = f"{prefix}{name}"
        if column in places:
            value = _value(field, f"r[{places.pop(column)}]")
        elif isinstance(field, Nested):
            value = _object_from_columns(field, f"{column}.", places)
        else:
            raise TypeError(f"no column {column!r} for {schema.__name__}")
        members.append(f"{field.data_key!r}: {value}")
    return f"{{{', '.join(members)}}}"


def _object_from_columns(field: Nested, prefix: str, places: dict[str, int]) -> str:
    """Return an expression for a nested object from columns named `<prefix><member>`.

    If the field is nullable, it is null where the first of these columns is null.
    """
    first = min((place for name, place in places.items() if name.startswith(prefix)), default=None)
    inner = _object_from_row(type(field.schema), prefix, places)
    return f"(None if r[{first}] is None else {inner})" if field.nullable else inner


def _object_from_mapping(schema: type[Schema], source: str, *, by_attribute: bool = False) -> str:
    members = []
    for name, field in fields_of(schema).items():
        key = name if by_attribute else field.data_key
        member = f"{field.data_key!r}: {_value(field, f'{source}[{key!r}]', by_attribute)}"
        if field.optional:
            member = f"**({{{member}}} if {key!r} in {source} else {{}})"
        members.append(member)
    return f"{{{', '.join(members)}}}"


def _value(field: Any, source: str, by_attribute: bool = False) -> str:
    """Return an expression for a value.

    by_attribute: whether mappings in the value have attribute names; those in JSON columns have
    JSON names.
    """
    if isinstance(field, Nested):
        inner = _object_from_mapping(type(field.schema), "o", by_attribute=by_attribute)
        built = f"(lambda o: {inner})({source})"
        return f"(None if {source} is None else {built})" if field.nullable else built
    if isinstance(field, List):
        inner = _value(field.inner, "i", by_attribute)
        return source if inner == "i" else f"[{inner} for i in {source}]"
    return source


MAX_ANSWER_BYTES = 8 * 1024 * 1024
# Let other greenlets run before a larger answer is digested or escaped, which takes 1 ms or more.
LARGE_ANSWER_BYTES = 256 * 1024
STATUSES = ("current", "stale", "unavailable", "synthetic")


def to_json(envelope: Mapping[str, Any]) -> bytes:
    """Serialize an envelope; equal data gives equal bytes in REST and MCP."""
    return orjson.dumps(envelope, option=orjson.OPT_UTC_Z)


def etag_of(content: bytes) -> str:
    """Return the ETag of an answer, without quotes."""
    return sha256(content).hexdigest()[:32]


class Freshness(Payload):
    """How fresh the stored data in an answer is."""

    source = Enum("database", "collector", "provider", "local_preview")
    updated_at = DateTime(nullable=True, doc="Update time of the newest source; null without data.")
    status = Enum(*STATUSES)
    note = Text(optional=True, doc="Explains sources that are not current and empty lists.")


class Meta(Payload):
    """The organization of an answer, and its freshness."""

    organization_id = Uuid()
    freshness = Nested(Freshness)


class NumberedPagination(Payload):
    """The position of a numbered page in its list."""

    page = Integer(1)
    page_size = Integer(1)
    total = Integer(0)
    total_pages = Integer(0)
    has_next_page = Boolean()


class PeoplePagination(NumberedPagination):
    """The position of a page of people in its list."""

    search_limited = Boolean(doc="true if q searched only the most recently active people.")


class AssetPagination(NumberedPagination):
    """The position of a page in its folder."""

    folder_id = Uuid(nullable=True, doc="null at the root.")
    folder_name = Text(nullable=True)


class MessagePagination(Payload):
    """The position of a page of messages in its chat."""

    limit = Integer(1, 100)
    has_more = Boolean()
    next_before = Integer(nullable=True, doc="Pass it as `before` to read older messages.")
    search_limited = Boolean(doc="true if q skipped messages older than the newest 10,000.")


def numbered(page: int, page_size: int, total: int) -> dict[str, Any]:
    """Return the members of NumberedPagination, by attribute name."""
    total_pages = -(-total // page_size)
    return {
        "page": page,
        "page_size": page_size,
        "total": total,
        "total_pages": total_pages,
        "has_next_page": page < total_pages,
    }


def check_size(size: int) -> None:
    """Raise InvalidParameter if a response exceeds the size limit."""
    if size > MAX_ANSWER_BYTES:
        raise InvalidParameter(
            f"this answer would take {size / 1024**2:.1f} MiB, and one may take at most "
            f"{MAX_ANSWER_BYTES // 1024**2} MiB; ask for less with a lower limit"
        )
