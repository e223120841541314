"""Requests of each operation for tests, and what docs/contract.md says of the operation."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from orgctx.operations.operation import Operation
from orgctx.resources.catalog import OPERATIONS
from orgctx.schemas.payload import fields_of
from tests.contract import document
from tests.support import factories as make
from tests.support import organizations as orgs

Arguments = dict[str, Any]

COLLECTED = {"telegram:read", "x:read", "token:read"}


@dataclass(frozen=True)
class Row:
    """Requests of one operation, as arguments of its tool."""

    name: str
    scopes: tuple[str, ...]
    # Valid requests, the first without options. `factories.everything` and both organizations of
    # tests/contract/data.py have what they read.
    asks: tuple[Arguments, ...] = ({},)
    crawl: tuple[Arguments, ...] = ({},)  # for the data in tests.support.organizations
    missing: Arguments | None = None  # a request for a record that does not exist

    @property
    def operation(self) -> Operation:
        (operation,) = (each for each in OPERATIONS if each.name == self.name)
        return operation

    @property
    def path(self) -> str:
        return self.operation.path

    @property
    def names(self) -> dict[str, str]:
        """The arguments in the path, each with its name there."""
        fields = fields_of(self.operation.arguments).values()
        return {str(field.data_key): field.path for field in fields if field.path}

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of source that it reads, one of which must be approved; none: all, or none."""
        is_library = "knowledge:read" in self.scopes
        return tuple(
            kind.name
            for kind in document.kinds()
            if "context:read" not in self.scopes
            and (kind.prefix if is_library else kind.scope in self.scopes)
        )

    @property
    def origin(self) -> str:
        return "database" if COLLECTED.isdisjoint(self.scopes) else "collector"

    def request(self, arguments: Arguments) -> str:
        """Return the REST request: a path below /api/v1 and its query."""
        names = self.names
        parameters = {
            names.get(name, name): value if isinstance(value, str) else json.dumps(value)
            for name, value in arguments.items()
        }
        return request_path(self.operation, parameters)


def request_path(operation: Operation, parameters: Mapping[str, Any]) -> str:
    """Return the path below /api/v1 and the query. Raises KeyError without a path parameter."""
    query = {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in parameters.items()
    }
    path = operation.path
    for field in fields_of(operation.arguments).values():
        if field.path:
            path = path.replace(f"{{{field.path}}}", quote(query.pop(field.path), safe=""))
    return f"{path}?{urlencode(query)}" if query else path


TERMS = tuple({"q": term} for term in orgs.TERMS)
PAGES = tuple({"page": page} for page in (1, 2, 9))
PEOPLE = ("telegram:read", "x:read")
SOURCES = (*make.KIND_SOURCES.values(), *orgs.HIDDEN_SOURCES)
DOCUMENTS = (
    *map(make.knowledge_id, ("1", "2", "archived", "hidden", "none")),
    *(make.knowledge_id(f"only of {each.marker} alone") for each in orgs.ALL),
    *(make.knowledge_id(prefix=prefix) for prefix in make.KNOWLEDGE),
    orgs.SUPPRESSED,
    orgs.LONG,
    make.knowledge_id("hidden", "note"),
)
ASSETS = (
    *map(make.uuid, ("folder", "inner", "stray", "file", "hidden folder", "hidden file", "none")),
    *(each.only("only") for each in orgs.ALL),
)
CHATS = (make.CHAT, orgs.HIDDEN_CHAT, make.uuid("none"))
MESSAGES: tuple[Arguments, ...] = (
    {"before": 5, "limit": 2},
    {},
    *TERMS,
    # If the first two messages contain enough matches, the search treats the term as common.
    {"q": "message", "limit": 5},
    {"around": 3, "limit": 4},
    {"sender": "telegram:user1"},
    {"sender": "telegram:user1", "q": "message", "before": 9, "limit": 2},
    {"sender": "telegram:hidden1"},
    *(
        {"sender": name, "until": "2090-01-01T00:00:00Z"}
        for name in ("ada", "hidden 1", "@hidden1")
    ),
    *(
        {"since": "2020-01-01T00:00:00Z", "limit": 2} | more
        for more in (
            {},
            {"q": "message"},
            {"sender": "telegram:user1"},
            {"q": "message", "sender": "telegram:user1"},
        )
    ),
)

ROWS = {
    row.name: row
    for row in (
        Row("get_context", ("context:read",)),
        Row("list_sources", ("context:read",)),
        Row(
            "search_context",
            ("context:read",),
            asks=(
                {},
                {"q": "document", "limit": 2},
                {"source": "docs:handbook"},
                {"after": "2026-01-01T00:00:00Z", "before": "2026-12-31T00:00:00+02:00"},
            ),
            crawl=(
                *(
                    {"q": term, "limit": 50}
                    for term in (
                        *orgs.TERMS,
                        *orgs.WORDS,
                        orgs.SHARED,
                        orgs.TOGETHER,
                        orgs.FOLLOWED,
                    )
                ),
                *({"q": orgs.WORDS[0], "source": source} for source in SOURCES),
                *({"source": source} for source in SOURCES),
                {},
                {"limit": 2},
                {"after": make.AT, "before": "2027-01-01T00:00:00Z"},
            ),
            missing={"source": "docs:nothing"},
        ),
        Row("list_people", PEOPLE, asks=({}, {"q": "ada"}, {"page": 2}), crawl=(*TERMS, *PAGES)),
        Row(
            "read_person",
            PEOPLE,
            asks=({"key": "telegram:user1"},),
            crawl=tuple({"key": key} for key in ("telegram:user1", "telegram:hidden1", "x:7")),
            missing={"key": "x:nobody"},
        ),
        Row(
            "list_knowledge",
            ("knowledge:read",),
            asks=({}, {"kind": "note"}, {"archived": True}, {"visibility": "public", "page": 1}),
            crawl=(*TERMS, *PAGES, {"kind": "source"}, {"kind": "note"}, {"archived": True}),
        ),
        Row(
            "read_knowledge",
            ("knowledge:read",),
            asks=(
                {"id": make.knowledge_id()},
                {"id": make.knowledge_id(), "offset": 3, "limit": 5},
                {"id": make.knowledge_id(), "q": "e", "limit": 5},
            ),
            crawl=(
                *({"id": item_id} for item_id in DOCUMENTS),
                {"id": orgs.LONG, "offset": 10, "limit": 50000},
                *({"id": item_id, "q": "e"} for item_id in DOCUMENTS),
            ),
            missing={"id": make.knowledge_id("nothing")},
        ),
        Row(
            "list_assets",
            ("assets:read",),
            asks=({}, {"folderId": make.uuid("Brand")}),
            crawl=(*PAGES, *({"folderId": asset_id} for asset_id in ASSETS)),
            missing={"folderId": make.uuid("nothing")},
        ),
        Row(
            "read_asset",
            ("assets:read",),
            asks=({"id": make.uuid("Brand")},),
            crawl=tuple({"id": asset_id} for asset_id in ASSETS),
            missing={"id": make.uuid("nothing")},
        ),
        Row("list_telegram_chats", ("telegram:read",), ({}, {"q": "acme"}), (*PAGES, *TERMS)),
        Row(
            "list_telegram_messages",
            ("telegram:read",),
            asks=tuple(
                {"chatId": make.CHAT, **more}
                for more in (
                    {},
                    {"q": "message", "before": 100, "limit": 3},
                    {"around": 1, "limit": 3},
                    {"sender": "telegram:user1"},
                    {"sender": "Ada", "since": "2020-01-01T00:00:00Z", "limit": 2},
                )
            ),
            crawl=tuple({"chatId": chat, **more} for chat in CHATS for more in MESSAGES),
            missing={"chatId": make.uuid("nothing")},
        ),
        Row(
            "list_x_mentions",
            ("x:read",),
            asks=(
                {},
                {"page": 1},
                {"q": "mention"},
                {"sort": "views", "after": "2025-01-01T00:00:00Z"},
                {"author": "@bob", "limit": 3},
            ),
            crawl=(
                *PAGES,
                *TERMS,
                {"sort": "views", "before": "2027-01-01T00:00:00Z"},
                *({"author": name, "limit": 100} for name in ("bob", "hidden1", orgs.AMBER.marker)),
            ),
        ),
        Row("get_token", ("token:read",)),
    )
}
# One valid request path for each operation.
PATHS = {name: row.request(row.asks[0]) for name, row in ROWS.items()}
MISSING = {name: row.request(row.missing) for name, row in ROWS.items() if row.missing}
# Operations with the parameter q.
SEARCHABLE = tuple(
    name for name, row in ROWS.items() if any("q" in arguments for arguments in row.crawl)
)
PAGINATED = tuple(operation.name for operation in OPERATIONS if operation.pagination)
NUMBERED = tuple(
    operation.name for operation in OPERATIONS if "page" in fields_of(operation.arguments)
)
