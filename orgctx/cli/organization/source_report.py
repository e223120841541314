"""Report a source with samples of its records, which the code of the service reads."""

from contextlib import closing
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from orgctx.app import create_app
from orgctx.cli import admin, names
from orgctx.config.settings import Config
from orgctx.decisions import scopes
from orgctx.operations.exposure import Caller, Organization, Source
from orgctx.operations.operation import Reader
from orgctx.operations.source_kinds import SCOPES
from orgctx.resources.search.service import search_context
from orgctx.stores.deadline import Deadline

SAMPLE_COUNT = 5


def report(organization: str, source_id: str) -> dict[str, Any]:
    """Describe a source.

    Returns what `decisions.scopes.report` does, and `samples` of its newest records: the result of
    a search with every scope, as if the source were approved. Raises CommandError if the source
    does not exist.
    """
    with admin.reading_of(organization) as tenant:
        (id_,) = names.find_sources(tenant, organization, [source_id])
        source = scopes.report(tenant, id_)
    assert source, "found above, in the same transaction"
    return {**source, "samples": _samples(tenant.organization_id, source)}


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
