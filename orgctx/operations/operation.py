"""What an operation is. `execution` runs it for REST and MCP."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from inspect import getfile
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from orgctx.errors import InsufficientScope
from orgctx.operations.exposure import Caller, Source
from orgctx.operations.source_kinds import SOURCE_KINDS
from orgctx.schemas.arguments import Arguments
from orgctx.schemas.formats import UUID_TEXT
from orgctx.schemas.payload import Payload
from orgctx.stores.db import Rows, Statement
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import Quota

Service = TypeVar("Service", bound=Callable[..., "Result"])
# Runs statements in one round trip, and returns the rows of each.
Query = Callable[[Sequence[Statement]], list[Rows]]


class Reader:
    """Runs the statements of one request, each bound to the caller's organization."""

    __slots__ = ("_query", "caller", "deadline", "quota")

    def __init__(self, query: Query, quota: Quota, caller: Caller, deadline: Deadline) -> None:
        self._query, self.quota = query, quota
        self.caller, self.deadline = caller, deadline

    def rows(self, name: str, **parameters: Any) -> Rows:
        """Return the rows of a statement by its name."""
        return self.rows_of_all([(name, {})], **parameters)[0]

    def rows_of_all(self, statements: Sequence[Statement], **parameters: Any) -> list[Rows]:
        """Run several statements in one round trip. parameters: common to all of them."""
        parameters["organization_id"] = self.caller.organization.id
        bound = [(name, parameters | specific) for name, specific in statements]
        return self._query(bound) if bound else []

    def page(
        self,
        name: str,
        *,
        page: int,
        size: int,
        first: str = "id",
        **parameters: Any,
    ) -> tuple[dict[str, Any], Rows]:
        """Return the columns about the whole list, by name, and the records of one page.

        Args:
            first: the first column of a record; columns before it are about the list.
        """
        rows = self.rows(name, page_size=size, page_offset=(page - 1) * size, **parameters)
        return rows.split(first)


# Members of an object that identify a record.
IDENTITY = ("id", "key")


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a service function."""

    data: Any  # as a payload builds it
    sources: Sequence[Source]  # the sources of the data, for its freshness
    pagination: dict[str, Any] | None = None  # members of the pagination by attribute name
    # Short sentences for agents; REST ignores them.
    hints: tuple[str, ...] = ()  # what to do next
    notices: tuple[str, ...] = ()  # what to beware of, such as stale parts
    rows: Sequence[Mapping[str, Any]] = ()  # the stored rows of the data, if its tool needs them

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the identity of each record in the data, and its source if it has one."""
        source_ids = {source.id for source in self.sources}
        pending = [self.data]
        while pending:
            value = pending.pop()
            if isinstance(value, list):
                pending += reversed(value)
            elif isinstance(value, dict):
                identity = {name: value[name] for name in IDENTITY if name in value}
                if identity and identity.get("id") not in source_ids:
                    source = {name: value[name] for name in ("sourceId",) if name in value}
                    yield identity | source
                pending += [part for part in reversed(value.values()) if isinstance(part, list)]


# Turns the result of a service function into that of its tool. The reader runs further statements;
# the arguments are the tool's, by attribute name.
Shape = Callable[[Result, Reader, Mapping[str, Any]], Result]


# What to call for ids of other kinds, by the groups of their patterns.
MESSAGE = (
    rf"({UUID_TEXT}):(\d{{1,10}})",
    "This is the id of a message: call list_telegram_messages with "
    '{{"chatId": "{0}", "around": {1}}}.',
)
PERSON = (
    r"(telegram|x):[^/]{1,200}",
    "This is the key of a person: call read_person with it as key.",
)
DOCUMENT = (
    rf"[a-z]+:{UUID_TEXT}",
    "This is the id of a document or note: call read_knowledge with it as id.",
)


class Identifier(NamedTuple):
    """An argument that names a record."""

    argument: str
    source: str  # a sentence that says which operations return it
    # Patterns of other ids that agents pass, each with what to call instead; groups are in {}.
    others: tuple[tuple[str, str], ...] = ()


class Sunset(NamedTuple):
    """The announced end of an operation; both times in UTC."""

    deprecated_at: datetime
    ends_at: datetime  # at least 12 months later

    @property
    def headers(self) -> dict[str, str]:
        """The headers of RFC 9745 and RFC 8594."""
        deprecation = f"@{int(self.deprecated_at.timestamp())}"
        return {"Deprecation": deprecation, "Sunset": format_datetime(self.ends_at, usegmt=True)}


class Use(NamedTuple):
    """An example of good use, for agents."""

    question: str
    arguments: dict[str, Any]  # of the tool, which help to answer the question


@dataclass(frozen=True, kw_only=True, eq=False)
class Operation:
    """One row of the catalog: all facts that REST, MCP and the contract need."""

    path: str  # below /api/v1
    title: str
    scopes: tuple[str, ...]  # any one of them suffices
    kinds: tuple[str, ...]  # kinds of source that it reads
    arguments: type[Arguments]
    payload: type[Payload]  # schema of `data` (of each item if `is_list`)
    service: Callable[..., Result]
    is_list: bool = False
    is_overview: bool = False  # reads what there is of all kinds, so no source needs to be approved
    is_core: bool = False  # agents need its tool for most questions
    pagination: type[Payload] | None = None
    origin: str = "database"
    is_findable: bool = False  # names a record, so it can answer 404
    conflicts: bool = False  # can answer 409
    watches: bool = False  # a read marks the organization as watched
    identifier: Identifier | None = None  # the argument that agents most often get wrong
    hint: str = ""  # text for agents only, after the docstring
    use: Use | None = None
    guide: tuple[str, ...] = ()  # sentences for the MCP instructions
    # Where the tool differs from REST.
    shape: Shape | None = None
    tool_arguments: type[Arguments]  # REST's, and others with defaults
    tool_payload: type[Payload]  # as `payload`
    tool_pagination: type[Payload] | None = None
    limit_for_q: int | None = None  # the default of limit if q is passed
    sunset: Sunset | None = None

    @property
    def name(self) -> str:
        """The name of the operation, its service function, tool, SQL file and example."""
        return self.service.__name__

    @property
    def doc(self) -> str:
        """The public text: the first paragraph of the service function."""
        return " ".join((self.service.__doc__ or "").split("\n\n")[0].split())

    @property
    def example(self) -> Path:
        """The JSON file beside the service: `parameters` by REST name, and the demo's `answer`."""
        return Path(getfile(self.service)).with_name(f"{self.name}.json")

    def reads(self, kind: str, scopes: Collection[str]) -> bool:
        """Return whether a key with these scopes reads records of a kind of source with it."""
        if kind not in self.kinds or set(self.scopes).isdisjoint(scopes):
            return False
        row = SOURCE_KINDS[kind]
        return row.is_readable_with(scopes) or row.is_readable_with(self.scopes, as_knowledge=True)

    def check_scope(self, caller: Caller) -> None:
        """Raise InsufficientScope naming the missing scope."""
        if not caller.scopes.intersection(self.scopes):
            raise InsufficientScope(self.scopes)


@dataclass(frozen=True, kw_only=True)
class Resource:
    """The operations on one kind of record, which `operation` adds."""

    tag: str  # groups operations in the contract
    about: str = ""  # description of the tag; empty if another resource with this tag has it
    operations: list[Operation] = field(default_factory=list)

    def operation(self, **row: Any) -> Callable[[Service], Service]:
        """Return a decorator that adds the operation of a service function.

        row: the other members of Operation; those of the tool are by default REST's.
        """
        for name in ("arguments", "payload", "pagination"):
            row.setdefault(f"tool_{name}", row.get(name))

        def add(service: Service) -> Service:
            self.operations.append(Operation(service=service, **row))
            return service

        return add

    @property
    def name(self) -> str:
        """The name of its module in `orgctx/resources/` and of its folder in `sql/`."""
        return self.operations[0].service.__module__.split(".")[2]
