"""Sessions, links to sign in and counts of attempts, in Redis. Redis stores only hashes of secrets.

A session ends after 12 hours, by sign-out, or by `orgctx desk end`. The guard also ends it when the
member is no longer an owner or admin.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any
from uuid import UUID

import orjson

from orgctx.stores.deadline import Deadline
from orgctx.stores.redis_client import connect

SESSION_SECONDS = 12 * 60 * 60
LINK_SECONDS = 10 * 60
# Attempts to sign in from one address within the seconds.
MAX_ATTEMPTS, ATTEMPT_SECONDS = 10, 10 * 60
REDIS_SECONDS = 5.0
SECRET_BYTES = 32
# Authentication of a member who opened a link that an operator made.
LINK = "link"


@dataclass(frozen=True)
class Session:
    """Who is signed in. authentication: how, as the audit log says it."""

    organization_id: UUID
    user_id: UUID
    authentication: str
    # What each form must send back.
    form_token: str


class Sessions:
    """Raises ServiceUnavailable or RequestTimeout if Redis does not answer."""

    def __init__(self, redis_url: str) -> None:
        self._client = connect(redis_url, timeout_seconds=REDIS_SECONDS)

    def close(self) -> None:
        self._client.close()

    def start(self, organization_id: UUID, user_id: UUID, authentication: str) -> str:
        """Start a session. Returns its secret."""
        secret = token_urlsafe(SECRET_BYTES)
        session = Session(organization_id, user_id, authentication, token_urlsafe(SECRET_BYTES))
        name = _name("session", secret)
        self._run("SET", name, _to_json(asdict(session)), "EX", SESSION_SECONDS)
        member = _member(organization_id, user_id)
        self._run("SADD", member, name)
        self._run("EXPIRE", member, SESSION_SECONDS)
        return secret

    def find(self, secret: str) -> Session | None:
        """Return the session with this secret, None if it has ended."""
        value = self._run("GET", _name("session", secret))
        if value is None:
            return None
        members = orjson.loads(value)
        for name in ("organization_id", "user_id"):
            members[name] = UUID(members[name])
        return Session(**members)

    def end(self, secret: str) -> None:
        """End one session."""
        self._run("DEL", _name("session", secret))

    def end_all(self, organization_id: UUID, user_id: UUID) -> int:
        """End all sessions of a member. Returns how many there were."""
        member = _member(organization_id, user_id)
        names = [name.decode() for name in self._run("SMEMBERS", member)]
        count: int = sum(self._run("DEL", name) for name in names)
        self._run("DEL", member)
        return count

    def invite(self, organization_id: UUID, user_id: UUID) -> str:
        """Return the secret of a link with which a member signs in once, within LINK_SECONDS."""
        secret = token_urlsafe(SECRET_BYTES)
        value = _to_json({"organization_id": organization_id, "user_id": user_id})
        self._run("SET", _name("link", secret), value, "EX", LINK_SECONDS)
        return secret

    def accept(self, secret: str) -> tuple[UUID, UUID] | None:
        """Use up a link. Returns the organization and the member, None if it is not valid."""
        value = self._run("GETDEL", _name("link", secret))
        if value is None:
            return None
        members = orjson.loads(value)
        return UUID(members["organization_id"]), UUID(members["user_id"])

    def attempt(self, address: str) -> bool:
        """Count an attempt to sign in. Returns whether it is allowed."""
        name = f"orgctx:desk:attempts:{address}"
        # Only the first attempt sets the end, so that later ones cannot postpone it.
        self._run("SET", name, 0, "EX", ATTEMPT_SECONDS, "NX")
        return int(self._run("INCR", name)) <= MAX_ATTEMPTS

    def _run(self, *command: str | int) -> Any:
        return self._client.execute(Deadline(REDIS_SECONDS), *command)


def _name(kind: str, secret: str) -> str:
    return f"orgctx:desk:{kind}:{sha256(secret.encode()).hexdigest()}"


def _member(organization_id: UUID, user_id: UUID) -> str:
    return f"orgctx:desk:member:{organization_id}:{user_id}"


def _to_json(value: object) -> str:
    return orjson.dumps(value).decode()
