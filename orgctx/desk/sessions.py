"""Sessions, links to sign in and counts of attempts, in Redis. Redis stores only hashes of secrets.

The service writes to the same Redis, so each value begins with a seal that only the desk can make.
A session ends after 12 hours, by sign-out, or by `orgctx desk end`. The guard also ends it when the
member is no longer an owner or admin.
"""

import hmac
from base64 import urlsafe_b64encode
from dataclasses import asdict, dataclass
from hashlib import sha256
from secrets import token_urlsafe
from time import time
from typing import Any
from uuid import UUID

import orjson

from orgctx.config.settings import Config
from orgctx.desk.settings import login_url
from orgctx.stores.deadline import Deadline
from orgctx.stores.redis_client import connect

SESSION_SECONDS = 12 * 60 * 60
LINK_SECONDS = 10 * 60
# Attempts to sign in from one address within the seconds.
MAX_ATTEMPTS, ATTEMPT_SECONDS = 10, 10 * 60
REDIS_SECONDS = 5.0
SECRET_BYTES = 32
# In hexadecimal digits.
SEAL_LENGTH = 64
# Kinds of secrets. The audit log names the first one as the authentication of a member who opened a
# link that an operator made.
LINK, SESSION = "link", "session"


# Only the first attempt sets the end, so that later ones cannot postpone it.
COUNT_ATTEMPT = """
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return count
"""


@dataclass(frozen=True)
class Session:
    """Who is signed in. authentication: how, as the audit log says it."""

    organization_id: UUID
    user_id: UUID
    authentication: str


@dataclass(frozen=True)
class Entry:
    """A member whom a link or a provider lets sign in."""

    organization_id: UUID
    user_id: UUID

    @classmethod
    def from_json(cls, value: dict[str, str]) -> "Entry":
        return cls(UUID(value["organization_id"]), UUID(value["user_id"]))


class Sessions:
    """Raises ServiceUnavailable or RequestTimeout if Redis does not answer."""

    def __init__(self, config: Config) -> None:
        self._client = connect(config.redis_url, timeout_seconds=REDIS_SECONDS)
        # The service does not have this login.
        self._key = login_url(config).encode()

    def close(self) -> None:
        self._client.close()

    def start(
        self, entry: Entry, authentication: str, kind: str = LINK, kept: str = ""
    ) -> str | None:
        """Start a session.

        Args:
            kind, kept: the secret of `keep` that was taken for it.

        Returns:
            its secret, None if `end_all` runs at the same time, or ran since the secret was taken.
        """
        secret = token_urlsafe(SECRET_BYTES)
        name = _name(SESSION, secret)
        # First, so that `end_all` finds every session.
        self._register(entry, name, SESSION_SECONDS)
        self._store(name, {**asdict(entry), "authentication": authentication}, SESSION_SECONDS)
        names = [name, _name(kind, kept)] if kept else [name]
        if None in [self._run("ZSCORE", _member(entry), name) for name in names]:
            self.end(secret)
            return None
        return secret

    def find(self, secret: str) -> Session | None:
        """Return the session with this secret, None if it has ended."""
        members = self._read("GET", _name(SESSION, secret))
        if members is None:
            return None
        return Session(
            UUID(members["organization_id"]),
            UUID(members["user_id"]),
            members["authentication"],
        )

    def end(self, secret: str) -> None:
        name = _name(SESSION, secret)
        members = self._read("GETDEL", name)
        if members is not None:
            self._run("ZREM", _member(Entry.from_json(members)), name)

    def end_all(self, entry: Entry) -> int:
        """End all sessions and sign-ins of a member. Returns how many sessions there were."""
        count = 0
        for name in self._run("ZRANGE", _member(entry), 0, -1):
            is_deleted = self._run("DEL", name.decode())
            self._run("ZREM", _member(entry), name.decode())
            count += is_deleted if _name(SESSION) in name.decode() else 0
        return count

    def invite(self, entry: Entry) -> str:
        """Return the secret of a link that signs a member in once, within LINK_SECONDS."""
        return self.keep(LINK, asdict(entry), entry)

    def accept(self, secret: str) -> Entry | None:
        """Use up a link. Returns the member, None if it is not valid."""
        value = self.take(LINK, secret)
        return None if value is None else Entry.from_json(value)

    def keep(self, kind: str, value: object, *entries: Entry) -> str:
        """Store a JSON value for LINK_SECONDS, or until `end_all` of one of the members.

        Returns the secret that `take` needs.
        """
        secret = token_urlsafe(SECRET_BYTES)
        self._store(_name(kind, secret), value, LINK_SECONDS)
        for entry in entries:
            self._register(entry, _name(kind, secret), LINK_SECONDS)
        return secret

    def take(self, kind: str, secret: str) -> Any:
        """Return the value of `keep`, once; None if there is none."""
        return self._read("GETDEL", _name(kind, secret))

    def attempt(self, address: str) -> bool:
        """Count an attempt to sign in. Returns whether it is allowed."""
        name = f"orgctx:desk:attempts:{address}"
        return int(self._run("EVAL", COUNT_ATTEMPT, 1, name, ATTEMPT_SECONDS)) <= MAX_ATTEMPTS

    def _register(self, entry: Entry, name: str, seconds: int) -> None:
        """Let `end_all` find a session or link, and forget those that have expired."""
        member, now = _member(entry), int(time())
        self._run("ZREMRANGEBYSCORE", member, 0, now)
        self._run("ZADD", member, now + seconds, name)
        self._run("EXPIRE", member, SESSION_SECONDS)

    def _store(self, name: str, value: object, seconds: int) -> None:
        text = orjson.dumps(value).decode()
        self._run("SET", name, self._seal(name, text) + text, "EX", seconds)

    def _read(self, command: str, name: str) -> Any:
        """Return the value that a command returns, None unless a desk stored it."""
        stored = (self._run(command, name) or b"").decode(errors="replace")
        seal, text = stored[:SEAL_LENGTH], stored[SEAL_LENGTH:]
        is_genuine = hmac.compare_digest(seal.encode(), self._seal(name, text).encode())
        return orjson.loads(text) if is_genuine else None

    def _seal(self, name: str, text: str) -> str:
        return hmac.digest(self._key, f"{name} {text}".encode(), "sha256").hex()

    def _run(self, *command: str | int) -> Any:
        return self._client.execute(Deadline(REDIS_SECONDS), *command)


def derive(secret: str, purpose: str) -> str:
    """Return another secret, which Redis need not store."""
    digest = hmac.digest(secret.encode(), purpose.encode(), "sha256")
    return urlsafe_b64encode(digest).decode().rstrip("=")


def _name(kind: str, secret: str | None = None) -> str:
    digest = "" if secret is None else sha256(secret.encode()).hexdigest()
    return f"orgctx:desk:{kind}:{digest}"


def _member(entry: Entry) -> str:
    return f"orgctx:desk:member:{entry.organization_id}:{entry.user_id}"
