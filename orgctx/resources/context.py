"""The overview that a client reads first, and the list of approved sources."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from orgctx.operations.exposure import (
    Caller,
    Source,
    aggregate_status,
    connection_state,
    ids,
    newest,
)
from orgctx.operations.operation import Reader, Resource, Result, Use
from orgctx.operations.source_kinds import KINDS, SCOPES
from orgctx.operations.source_payload import ContextSource, descriptions_of, members_of, summary
from orgctx.operations.stored_text import Folded, TextWork
from orgctx.schemas import arguments
from orgctx.schemas.arguments import Arguments
from orgctx.schemas.fields import MAX_NAME, Boolean, Enum, Integer, List, Nested, Text
from orgctx.schemas.formats import DateTime, Uuid
from orgctx.schemas.payload import NumberedPagination, Payload, numbered

RESOURCE = Resource(
    tag="context",
    about="The overview, the sources, and the search over all of them.",
)
MAX_SOURCES = 20
PAGE_SIZE = 50
SEARCHED = ("label", "description", "id")
# Matches no q, so that no match spans two members.
SEPARATOR = "\0"


class ContextOrganization(Payload):
    """The organization; members other than id appear only while its profile source is exposed."""

    id = Uuid()
    display_name = Text(MAX_NAME, optional=True)
    slug = Text(200, optional=True)
    created_at = DateTime(optional=True)
    updated_at = DateTime(optional=True)


class ConnectionState(Payload):
    """Whether something is connected, and how fresh it is."""

    connected = Boolean()
    status = Enum("available", "current", "stale", "unavailable", "synthetic", "error")
    updated_at = DateTime(nullable=True)


class KnowledgeConnection(Payload):
    """The knowledge library."""

    available = Boolean(doc="Whether any of its sources has data.")
    docs = Nested(ConnectionState, nullable=True, doc="null if no docs source is approved.")


class AssetsConnection(Payload):
    """Files and folders."""

    available = Boolean(doc="Whether any of its sources has data.")
    item_count = Integer(0, doc="Files and folders.")
    updated_at = DateTime(nullable=True)


class TelegramConnection(ConnectionState):
    """Linked Telegram chats."""

    chat_count = Integer(0)


class XConnection(ConnectionState):
    """The connected X account."""

    username = Text(MAX_NAME, nullable=True)


class TokenConnection(ConnectionState):
    """The linked token."""

    address = Text(100, nullable=True)
    symbol = Text(MAX_NAME, nullable=True)


class Connections(Payload):
    """One member for each area with an approved source that the key can read."""

    knowledge = Nested(KnowledgeConnection, optional=True)
    assets = Nested(AssetsConnection, optional=True)
    telegram = Nested(TelegramConnection, optional=True)
    x = Nested(XConnection, optional=True)
    token = Nested(TokenConnection, optional=True)


class Context(Payload):
    """What this key can read of its organization."""

    organization = Nested(ContextOrganization)
    granted_scopes = List(Enum(*SCOPES), unique=True)
    sources = List(Nested(ContextSource))
    connections = Nested(Connections)


def brief_context(result: Result, *_: object) -> Result:
    """Return the first 20 sources, and a summary by kind if there are more."""
    sources = result.data["sources"]
    if len(sources) <= MAX_SOURCES:
        return result
    return replace(
        result,
        data=result.data | {"sources": sources[:MAX_SOURCES]},
        hints=(
            f"{summary(result.sources)} This overview lists the first {MAX_SOURCES}; "
            "list_sources lists all of them.",
        ),
    )


@RESOURCE.operation(
    path="/context",
    title="Get context",
    scopes=("context:read",),
    kinds=KINDS,
    is_overview=True,
    arguments=Arguments,
    payload=Context,
    use=Use("What do you know about us?", {}),
    shape=brief_context,
    guide=("Call get_context first: it returns what this key can read and how fresh it is.",),
)
def get_context(caller: Caller, reader: Reader) -> Result:
    """Get an overview: the organization, this key's scopes, the approved sources, and what is
    connected.

    A connection and the organization's identity appear only if an approved
    source provides them.
    """
    sources = caller.exposed()
    # The symbol is known if a snapshot of the linked address is stored.
    snapshot = ("context/get_context", {"source_ids": ids(caller.exposed("token"))})
    descriptions, snapshots = reader.rows_of_all([descriptions_of(sources), snapshot])
    members = {
        "organization": _organization(caller),
        "granted_scopes": [scope for scope in SCOPES if scope in caller.scopes],
        "sources": members_of(sources, descriptions),
        "connections": _connections(caller, snapshots.dicts()),
    }
    return Result(Context.one(members), sources)


def _organization(caller: Caller) -> dict[str, Any]:
    organization = caller.organization
    return organization._asdict() if caller.exposed("profile") else {"id": organization.id}


def _connections(caller: Caller, snapshots: list[dict[str, Any]]) -> dict[str, Any]:
    docs, assets = caller.exposed("docs"), caller.exposed("assets")
    knowledge = caller.exposed("docs", "notes")
    telegram, x, token = caller.exposed("telegram"), caller.exposed("x"), caller.exposed("token")
    blocks: dict[str, Any] = {}
    if knowledge:
        blocks["knowledge"] = {
            "available": _available(knowledge),
            "docs": connection_state(docs) if docs else None,
        }
    if assets:
        blocks["assets"] = {
            "available": _available(assets),
            "item_count": sum(source.record_count for source in assets),
            "updated_at": newest(assets),
        }
    if telegram:
        chat_count = sum(source.chat_id is not None for source in telegram)
        blocks["telegram"] = connection_state(telegram) | {"chat_count": chat_count}
    if x:
        blocks["x"] = connection_state(x) | {"username": x[0].account}
    if token:
        symbol = snapshots[0]["symbol"] if snapshots else None
        linked = {"address": token[0].account, "symbol": symbol}
        blocks["token"] = connection_state(token) | linked
    return blocks


def _available(sources: Sequence[Source]) -> bool:
    return aggregate_status(sources) != "unavailable"


class ListSourcesTool(Arguments):
    kind = Enum(*KINDS, default=None, doc="Only sources of this kind.")
    q = arguments.query("Literal text to find in labels, descriptions and ids, ignoring case.")
    page = arguments.page()


def page_of_sources(result: Result, reader: Reader, arguments: Mapping[str, Any]) -> Result:
    """Return one page of 50, with a summary by kind if the first page does not hold all sources."""
    kind, page, q = (arguments[name] for name in ("kind", "page", "q"))
    work = TextWork(reader.deadline)
    sources = [source for source in result.data if kind in (None, source["kind"])]
    if q:
        sources = [source for source in sources if q in Folded(_searched(source), work)]
    is_long = not kind and not q and page == 1 and len(sources) > PAGE_SIZE
    return replace(
        result,
        data=sources[(page - 1) * PAGE_SIZE : page * PAGE_SIZE],
        pagination=numbered(page, PAGE_SIZE, len(sources)),
        hints=(f"{summary(result.sources)} Pass `q`, `kind` or `page` for the others.",)
        if is_long
        else (),
    )


def _searched(source: Mapping[str, Any]) -> str:
    return SEPARATOR.join(source[name] for name in SEARCHED)


@RESOURCE.operation(
    path="/sources",
    title="List sources",
    scopes=("context:read",),
    kinds=KINDS,
    is_overview=True,
    arguments=Arguments,
    payload=ContextSource,
    is_list=True,
    use=Use("Which chats are stale?", {"kind": "telegram"}),
    shape=page_of_sources,
    tool_arguments=ListSourcesTool,
    tool_pagination=NumberedPagination,
)
def list_sources(caller: Caller, reader: Reader) -> Result:
    """List the approved sources that this key can read, with status, update time and number of
    records. The id of a source narrows a search.

    Ordered by kind, then label (case-insensitive), then id, as approved at the
    time of this request.
    """
    sources = caller.exposed()
    (descriptions,) = reader.rows_of_all([descriptions_of(sources)])
    return Result([ContextSource.one(each) for each in members_of(sources, descriptions)], sources)
