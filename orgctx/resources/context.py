"""One function per overview operation."""

from collections.abc import Sequence
from typing import Any

from orgctx.operations.exposure import (
    Caller,
    Source,
    aggregate_status,
    connection_state,
    ids,
    newest,
)
from orgctx.operations.operation import Reader, Result
from orgctx.operations.source_kinds import SCOPES
from orgctx.operations.source_payload import source_members
from orgctx.resources.context.schemas import Context


def get_context(caller: Caller, reader: Reader) -> Result:
    """Get an overview: the organization, this key's scopes, the approved sources, and what is
    connected.

    A connection and the organization's identity appear only if an approved
    source provides them.
    """
    sources = caller.exposed()
    members = {
        "organization": _organization(caller),
        "granted_scopes": [scope for scope in SCOPES if scope in caller.scopes],
        "sources": [source_members(source) for source in sources],
        "connections": _connections(caller, reader),
    }
    return Result(Context.one(members), sources)


def _organization(caller: Caller) -> dict[str, Any]:
    organization = caller.organization
    if not caller.exposed("profile"):
        return {"id": organization.id}
    return {
        "id": organization.id,
        "display_name": organization.display_name,
        "slug": organization.slug,
        "created_at": organization.created_at,
        "updated_at": organization.updated_at,
    }


def _connections(caller: Caller, reader: Reader) -> dict[str, Any]:
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
        # The symbol is known if a snapshot of the linked address is stored.
        snapshots = reader.rows("context/get_context", source_ids=ids(token)).dicts()
        symbol = snapshots[0]["symbol"] if snapshots else None
        linked = {"address": token[0].account, "symbol": symbol}
        blocks["token"] = connection_state(token) | linked
    return blocks


def _available(sources: Sequence[Source]) -> bool:
    return aggregate_status(sources) != "unavailable"
