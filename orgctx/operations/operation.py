"""Operations and their execution, shared by REST and MCP.

`execute` checks the scope, then parses the arguments, calls the service function and builds the
envelope. The caller passes `parse`, because only REST and MCP know where the arguments are.
Does not use Flask.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import getfile
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from orgctx.errors import InsufficientScope
from orgctx.operations.exposure import Caller, Source, freshness
from orgctx.schemas.arguments import Arguments
from orgctx.schemas.envelope import Meta
from orgctx.schemas.payload import Payload
from orgctx.stores.db import Database, Rows, Statement
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import Quota


class Reader:
    """Runs the statements of one request, each bound to the caller's organization."""

    __slots__ = ("_deadline", "_organization_id", "_stores")

    def __init__(self, stores: Stores, caller: Caller, deadline: Deadline) -> None:
        self._stores = stores
        self._organization_id = caller.organization.id
        self._deadline = deadline

    def rows(self, name: str, **parameters: Any) -> Rows:
        """Return the rows of `sql/<name>.sql`."""
        return self.rows_of_all([(name, {})], **parameters)[0]

    def rows_of_all(self, statements: Sequence[Statement], **parameters: Any) -> list[Rows]:
        """Run several statements in one round trip. parameters: common to all of them."""
        parameters["organization_id"] = self._organization_id
        bound = [(name, parameters | specific) for name, specific in statements]
        if not bound:
            return []
        return self._stores.read_pool.query_all(bound, self._deadline, self._organization_id)

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


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a service function."""

    data: Any  # as a payload builds it
    sources: Sequence[Source]  # the sources of the data, for its freshness
    pagination: dict[str, Any] | None = None  # members of the pagination by attribute name


class Identifier(NamedTuple):
    """An argument that names a record."""

    argument: str
    source: str  # a sentence that says which operations return it


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
    pagination: type[Payload] | None = None
    origin: str = "database"
    is_findable: bool = False  # names a record, so it can answer 404
    conflicts: bool = False  # can answer 409
    watches: bool = False  # a read marks the organization as watched
    identifier: Identifier | None = None  # the argument that agents most often get wrong
    hint: str = ""  # text for agents only, after the docstring
    guide: tuple[str, ...] = ()  # sentences for the MCP instructions

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

    def check_scope(self, caller: Caller) -> None:
        """Raise InsufficientScope naming the missing scope."""
        if not caller.scopes.intersection(self.scopes):
            raise InsufficientScope(self.scopes)


@dataclass(frozen=True, kw_only=True)
class Resource:
    """The operations of one resource."""

    place: int  # its number in the order of the contract, which tools and documents follow
    tag: str  # groups operations in the contract
    about: str = ""  # description of the tag; empty if another resource with this tag has it
    operations: tuple[Operation, ...]

    @property
    def name(self) -> str:
        """The name of its folder in `orgctx/resources/` and in `sql/`."""
        return self.operations[0].service.__module__.split(".")[-2]


class Stores(Protocol):
    """The database to read from, and Redis for watch marks."""

    @property
    def read_pool(self) -> Database: ...

    @property
    def quota(self) -> Quota: ...


def execute(
    operation: Operation,
    caller: Caller,
    stores: Stores,
    deadline: Deadline,
    parse: Callable[[], dict[str, Any]],
) -> tuple[dict[str, Any], Result]:
    """Return the envelope of a successful response, and the Result in it.

    Args:
        parse: returns the arguments; called only after the scope was checked.

    Raises:
        ApiError: the scope is missing, an argument is invalid, or the operation fails.
    """
    operation.check_scope(caller)
    reader = Reader(stores, caller, deadline)
    result = operation.service(caller, reader, **parse())
    if operation.watches and result.sources:
        stores.quota.mark_watched(caller.organization.id, deadline)
    return _envelope(operation, caller, result), result


def _envelope(operation: Operation, caller: Caller, result: Result) -> dict[str, Any]:
    meta = {
        "organization_id": caller.organization.id,
        "freshness": freshness(
            result.sources,
            origin=operation.origin,
            is_preview=caller.organization.is_preview,
            empty=result.data == [],
        ),
    }
    envelope = {"data": result.data, "meta": Meta.one(meta)}
    if operation.pagination is not None:
        envelope["pagination"] = operation.pagination.one(result.pagination or {})
    return envelope
