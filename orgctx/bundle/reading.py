"""Parse lines into checked records; report errors with file, line, field and reason."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import orjson
from marshmallow import ValidationError

from orgctx.bundle.records import SOURCE_ID_LENGTH, TYPES, DeleteRecord, RecordType
from orgctx.schemas.fields import Strict, Text
from orgctx.schemas.formats import Uuid
from orgctx.schemas.payload import StrictSchema, unknown_members
from orgctx.schemas.text import did_you_mean

MOST_ERRORS = 20
LONGEST_NAME = 200
MEMBERS = frozenset({"type", "organizationId", "sourceId", "data"})

_organization_id = Uuid()
_source_id = Text(SOURCE_ID_LENGTH, minimum=1)


class BundleError(Exception):
    """A stream has invalid lines, so nothing was loaded.

    errors: a message for each of the first ones. more: whether there may be others.
    """

    def __init__(self, errors: list[str], *, more: bool = False) -> None:
        self.errors = errors
        self.more = more
        super().__init__("\n".join(errors))


@dataclass(frozen=True, slots=True)
class Line:
    sequence: int  # line number in the whole stream, from 1
    content: bytes


@dataclass(frozen=True, slots=True)
class Record:
    sequence: int
    type: RecordType  # of a deletion: the type of the deleted record
    organization_id: UUID
    source_id: str | None
    values: dict[str, Any]  # by attribute name
    byte_count: int  # of its line
    is_delete: bool = False


@dataclass(slots=True)
class Places:
    """The files of a stream, by which its lines are named in errors."""

    _starts: list[tuple[int, str]] = field(default_factory=list)

    def begin(self, name: str, after: int) -> None:
        """Add a file that begins after the line with this sequence number."""
        self._starts.append((after, name))

    def name(self, sequence: int) -> str:
        """Return the place of a line, such as `bundle.jsonl:17`."""
        after, name = max(start for start in self._starts if start[0] < sequence)
        return f"{name}:{sequence - after}"


class LineErrors:
    """Collects one error for each of the first invalid lines."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._by_line: dict[int, str] = {}

    def add(self, sequence: int, text: str) -> None:
        self._by_line.setdefault(sequence, text)

    @property
    def is_full(self) -> bool:
        return len(self._by_line) >= MOST_ERRORS

    def __bool__(self) -> bool:
        return bool(self._by_line)

    def error(self) -> BundleError:
        lines = sorted(self._by_line.items())
        shown = [f"{self._places.name(sequence)}: {text}" for sequence, text in lines[:MOST_ERRORS]]
        return BundleError(shown, more=len(lines) >= MOST_ERRORS)


def parse_records(lines: Iterable[Line], errors: LineErrors) -> Iterator[Record]:
    """Yield the valid records of a stream, until it has too many invalid lines."""
    for line in lines:
        try:
            yield _parse_record(line)
        except ValidationError as error:
            errors.add(line.sequence, "; ".join(_flatten(error.messages)))
            if errors.is_full:
                return


def _parse_record(line: Line) -> Record:
    try:
        members = orjson.loads(line.content)
    except orjson.JSONDecodeError as error:
        # The message does not quote the line, which may contain secrets.
        raise ValidationError(f"is not a JSON object in UTF-8: {error.msg}") from None
    if not isinstance(members, dict):
        raise ValidationError("must be a JSON object")
    if not members.keys() <= MEMBERS:
        raise ValidationError(unknown_members(sorted(members.keys() - MEMBERS), sorted(MEMBERS)))
    is_deletion = members.get("type") == "delete"
    # Check the type first: it is the likeliest error of a new collector.
    record_type = None if is_deletion else _parse_type(members.get("type"))
    organization_id = _parse_member(members, "organizationId", _organization_id)
    if record_type is None:
        return _parse_deletion(line, organization_id, members)
    source_id = _parse_source(members, record_type)
    values = _parse_data(record_type.schema, members.get("data"))
    if record_type.check and (errors := record_type.check(values)):
        raise ValidationError({"data": {name: [text] for name, text in errors.items()}})
    return Record(line.sequence, record_type, organization_id, source_id, values, len(line.content))


def _parse_source(
    members: dict[str, Any], record_type: RecordType, *, is_required: bool = True
) -> str | None:
    is_given = members.get("sourceId") is not None
    if is_given and not record_type.has_source:
        raise ValidationError({"sourceId": [f"does not belong to {record_type.name}"]})
    if is_given or (record_type.has_source and is_required):
        source_id: str = _parse_member(members, "sourceId", _source_id)
        return source_id
    return None


def _parse_type(name: Any) -> RecordType:
    try:
        return TYPES[name]
    except (KeyError, TypeError):
        allowed = [*TYPES, "delete"]
        hint = did_you_mean(name, allowed)
        raise ValidationError({"type": [f"must be one of {', '.join(allowed)}{hint}"]}) from None


def _parse_member(members: dict[str, Any], name: str, member: Strict) -> Any:
    if name not in members:
        raise ValidationError({name: [member.error_messages["required"]]})
    try:
        return member.parse(members[name])
    except ValidationError as error:
        raise ValidationError({name: error.messages}) from None


def _parse_data(schema: type[StrictSchema], data: Any) -> dict[str, Any]:
    try:
        return schema.parse(data)
    except ValidationError as error:
        raise ValidationError({"data": error.messages}) from None


def _parse_deletion(line: Line, organization_id: UUID, members: dict[str, Any]) -> Record:
    values = _parse_data(DeleteRecord, members.get("data"))
    if (values["chat_id"] is None) == (values["type"] == "telegram.message"):
        raise ValidationError(
            {"data": {"chatId": ["belongs to a telegram.message, which requires it"]}}
        )
    record_type = TYPES[values["type"]]
    try:
        values["id"] = record_type.id.parse(values["id"])
    except ValidationError as error:
        raise ValidationError({"data": {"id": error.messages}}) from None
    source_id = _parse_source(members, record_type, is_required=False)
    if record_type.name == "source" and source_id not in (None, values["id"]):
        raise ValidationError({"sourceId": ["must be data.id, or absent"]})
    return Record(
        line.sequence,
        record_type,
        organization_id,
        source_id,
        values,
        len(line.content),
        is_delete=True,
    )


def _flatten(messages: Any, path: str = "") -> Iterator[str]:
    """Yield one message for each error, such as `data.sender.name must be a string`."""
    if isinstance(messages, dict):
        for name, inner in messages.items():
            step = "" if name == "_schema" else str(name)[:LONGEST_NAME]
            yield from _flatten(inner, f"{path}.{step}".strip("."))
    else:
        for text in messages if isinstance(messages, list) else [messages]:
            yield f"{path} {text}".strip()
