"""What all views share: the desk, the member who is signed in, and connections."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from flask import Flask, current_app, g, request

from orgctx import decisions
from orgctx.config.settings import Config
from orgctx.decisions import Decision
from orgctx.decisions.connection import connect
from orgctx.desk import forms
from orgctx.desk.settings import login_url
from orgctx.errors import ServiceUnavailable
from orgctx.stores.db import Connection, Tenant
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import Quota
from orgctx.stores.tenant_queue import TenantQueue

# A request has a connection of its own while it reads or decides, and PostgreSQL has few for all
# programs. An organization uses at most half of these, and waits for one as long as for a lock.
MOST_CONNECTIONS, WAIT_SECONDS = 16, 5.0
_connections = TenantQueue(MOST_CONNECTIONS)


def number(text: str) -> int:
    """Return a positive number of ASCII digits that fits a bigint. Raises ValueError."""
    if not text.isascii() or not 0 < (value := int(text)) < 2**63:
        raise ValueError
    return value


@dataclass(frozen=True)
class Desk:
    """The parts of the application."""

    config: Config
    # The application that answers as a key.
    api: Flask

    @property
    def quota(self) -> Quota:
        """The counters that show how keys are used."""
        quota: Quota = self.api.extensions["orgctx"].quota
        return quota

    def deadline(self) -> Deadline:
        """Return the deadline of a request to Redis."""
        return Deadline(self.config.request_timeout_seconds)

    def close(self) -> None:
        self.api.extensions["orgctx"].close()


@dataclass(frozen=True)
class Member:
    """The member who is signed in, as of this request. role: owner or admin."""

    organization_id: UUID
    user_id: UUID
    authentication: str
    name: str
    role: str
    organization_name: str


def desk() -> Desk:
    """Return the application's parts."""
    parts: Desk = current_app.extensions["orgctx.desk"]
    return parts


def member() -> Member:
    """Return who is signed in. Only for views that need a session."""
    signed_in: Member = g.member
    return signed_in


@contextmanager
def reading(organization_id: UUID | None = None) -> Iterator[Tenant]:
    """Open a read-only transaction of an organization, by default of the member who is signed in.

    Raises:
        ServiceUnavailable: the organization has no free connection.
    """
    tenant = organization_id or member().organization_id
    with reading_all(tenant) as connection:
        yield Tenant(connection, tenant)


@contextmanager
def reading_all(tenant: UUID | None = None) -> Iterator[Connection]:
    """Open a read-only transaction, one of those that a tenant, or nobody yet, may have."""
    with _connected(tenant) as connection, connection.transaction():
        connection.execute("SET TRANSACTION READ ONLY")
        yield connection


@contextmanager
def deciding(command: str, *, as_shown: bool = True) -> Iterator[Decision]:
    """Let the member who is signed in decide about objects that are still as the form says.

    Args:
        command: the words of the command that does the same, such as `keys issue`.
        as_shown: False if the page of the form shows no states.

    Raises:
        NotAuthorized: the member is no longer an owner or admin.
    """
    who = member()
    as_whom = (who.organization_id, who.user_id, who.authentication)
    with deciding_as(*as_whom, command) as decision:
        if as_shown:
            decision.expect(forms.shown(request.form))
        yield decision


@contextmanager
def deciding_as(
    organization_id: UUID,
    user_id: UUID,
    authentication: str,
    command: str,
) -> Iterator[Decision]:
    """Let a member decide who is not signed in yet. Arguments and errors: as for `deciding`."""
    with (
        _connected(organization_id) as connection,
        decisions.deciding(
            Tenant(connection, organization_id),
            user_id,
            command=command,
            authentication=authentication,
        ) as decision,
    ):
        yield decision


@contextmanager
def _connected(tenant: UUID | None) -> Iterator[Connection]:
    if not _connections.acquire(tenant, WAIT_SECONDS):
        raise ServiceUnavailable("All connections of the desk are in use.")
    try:
        with connect(login_url(desk().config)) as connection:
            yield connection
    finally:
        _connections.release(tenant)
