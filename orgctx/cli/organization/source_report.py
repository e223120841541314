"""Report the records of a source and what its approval exposes, with the code of the service."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from orgctx.app import create_app
from orgctx.cli import admin, names
from orgctx.config.settings import Config
from orgctx.decisions.keys import listed, reads
from orgctx.operations.exposure import Caller, Organization, Source
from orgctx.operations.operation import Reader
from orgctx.operations.source_kinds import KNOWLEDGE_SCOPE, SCOPES, SOURCE_KINDS
from orgctx.resources.catalog import OPERATIONS
from orgctx.resources.search.service import search_context
from orgctx.stores.deadline import Deadline

SAMPLE_COUNT = 5


def report(organization: str, source_id: str) -> dict[str, Any]:
    """Describe a source.

    Returns the columns of the source, `samples` of its newest records, and `exposes`: the
    operations with which each active key could read it. Samples are the result of a search with
    every scope, as if the source were approved. Raises CommandError if the source does not exist.
    """
    with admin.reading() as connection:
        organization_id = admin.find_organization(connection, organization)
        (id_,) = names.find_sources(connection, organization, organization_id, [source_id])
        (source,) = admin.run(connection, "read_source", organization_id=organization_id, id=id_)
        keys = listed(connection, organization_id)
    return {
        **source,
        "exposes": [_exposure(key, source) for key in keys if key["state"] == "active"],
        "samples": _samples(organization_id, source),
    }


def _exposure(key: dict[str, Any], source: dict[str, Any]) -> dict[str, Any]:
    """List the operations with which a key could read a source."""
    scopes, kind = set(key["scopes"]), source["kind"]
    operations = [
        operation.name
        for operation in OPERATIONS
        if kind in operation.kinds
        and scopes.intersection(operation.scopes)
        and (SOURCE_KINDS[kind].scope in scopes or KNOWLEDGE_SCOPE in operation.scopes)
    ]
    return {
        "id": key["id"],
        "hint": key["hint"],
        "name": key["name"],
        "access": key["access"],
        "operations": operations if reads(key, source) else [],
    }


def _samples(organization_id: UUID, source: dict[str, Any]) -> list[dict[str, Any]]:
    config = Config.from_environment()
    approved_source = Source(**{name: source[name] for name in Source._fields})
    now = datetime.now(UTC)
    caller = Caller(
        key_id=organization_id,
        organization=Organization(organization_id, "", "", now, now, is_preview=False),
        scopes=frozenset(SCOPES),
        approved=(approved_source,),
    )
    service = create_app(config).extensions["orgctx"]
    with closing(service.pool), closing(service.quota):
        reader = Reader(service, caller, Deadline(config.request_timeout_seconds))
        result = search_context(
            caller, reader, q=None, source=source["id"], after=None, before=None, limit=SAMPLE_COUNT
        )
    items: list[dict[str, Any]] = result.data["items"]
    return items
