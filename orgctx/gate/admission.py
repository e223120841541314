"""Admit a request: check its method, body, quotas and key, and find its Caller.

The checks run in the order of the contract, and the first that fails answers. Their results are
in `Admission`, from which the response headers are made. Scopes are checked elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, NamedTuple, TypeVar
from uuid import uuid4

from orgctx import keys
from orgctx.config.settings import Config
from orgctx.errors import (
    BodyNotAccepted,
    MethodNotAllowed,
    RateLimited,
    ServiceUnavailable,
    Unauthorized,
)
from orgctx.gate.caller_cache import CachedCaller, CallerCache, CallerChanged, Verification
from orgctx.gate.client_address import client_address
from orgctx.gate.replica_reads import ReplicaReads
from orgctx.observability.observers import OBSERVERS
from orgctx.operations.exposure import Caller, Organization, Source, in_order
from orgctx.operations.operation import Stores
from orgctx.stores.db import Pool, Statement
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import Charge, Limit, Quota
from orgctx.stores.replicas import Replicas

T = TypeVar("T")


class Recalled(NamedTuple):
    """How a request was admitted from memory, and the look-up that verifies it."""

    proof: Verification
    charge: Charge
    authorization: str
    access: str


@dataclass(slots=True)
class Admission:
    """The state of one request's admission.

    limits: the counters that were charged. refused_by: the name of the exhausted one. recalled:
    set for a remembered caller. reads: set if there are read replicas.
    """

    deadline: Deadline
    request_id: str = field(default_factory=lambda: str(uuid4()))
    started_at: float = field(default_factory=perf_counter)
    limits: tuple[Limit, ...] = ()
    refused_by: str | None = None
    caller: Caller | None = None
    recalled: Recalled | None = None
    reads: ReplicaReads | None = None

    def stores(self, service: Stores) -> Stores:
        """The stores that the request reads."""
        return self.recalled.proof if self.recalled else self.reads or service

    def tightest(self) -> Limit | None:
        """The limit with the fewest requests left; among equals the last to reset."""
        if not self.limits:
            return None
        return min(self.limits, key=lambda limit: (limit.remaining, -limit.reset_seconds))

    def rate_limit_headers(self) -> list[tuple[str, str]]:
        """RateLimit-* of the tightest limit."""
        tightest = self.tightest()
        if tightest is None:
            return []
        return [
            ("RateLimit-Limit", str(tightest.limit)),
            ("RateLimit-Remaining", str(tightest.remaining)),
            ("RateLimit-Reset", str(tightest.reset_seconds)),
        ]


class Gate:
    """The checks before any resource, which REST and MCP call in order."""

    def __init__(self, config: Config, pool: Pool, replicas: Replicas, quota: Quota) -> None:
        self._config = config
        self._pool = pool
        self._replicas = replicas
        self._quota = quota
        # A look-up cannot travel with a statement to another server, and a cluster cannot charge
        # all counters at once.
        may_remember = quota.is_one_server and not replicas.all
        self.memory = CallerCache() if may_remember else None

    def open(self) -> Admission:
        """Start a request: give it an id and a time budget."""
        return Admission(Deadline(self._config.request_timeout_seconds))

    def recall(
        self,
        admission: Admission,
        environ: Mapping[str, Any],
        authorization: str | None,
        access: str,
    ) -> bool:
        """Admit a remembered caller with one charge. The answer must then be made by `proven`.

        Returns False if nothing was counted; the caller must then take every step.
        """
        try:
            key_hash = keys.digest(bearer(authorization))
        except Unauthorized:
            return False
        remembered = self.memory.recall(key_hash) if self.memory else None
        if remembered is None or remembered.access not in (access, "both"):
            return False
        caller, config = remembered.caller, self._config
        charge = self._quota.charge_all(
            client_address(environ, config.trusted_proxy_hops, config.ipv6_prefix),
            caller.organization.id,
            caller.key_id,
            (config.limit_ip, *remembered.limits),
            admission.deadline,
        )
        if not charge.admitted:
            return False
        look_up = _look_up(key_hash)
        proof = Verification(self._pool, self._quota, look_up, remembered, admission.deadline)
        admission.limits, admission.caller = charge.limits, caller
        admission.recalled = Recalled(proof, charge, authorization or "", access)
        return True

    def proven(self, admission: Admission, act: Callable[[], T]) -> T:
        """Return or raise the result of `act` once the caller is verified.

        If the caller has changed, take all steps and call `act` again for the current one.
        """
        recalled = admission.recalled
        if recalled is None:
            return act()
        try:
            try:
                return act()
            finally:
                recalled.proof.verify()
                self._mark_used(admission, recalled)
        except CallerChanged:
            self.readmit(admission)
            return act()
        except ServiceUnavailable:
            if not recalled.proof.is_verified:
                self._give_back(admission, recalled)
            raise

    def readmit(self, admission: Admission, *, cost: int = 1) -> None:
        """Undo `recall` and take the steps for a caller who is not remembered."""
        recalled = admission.recalled
        assert recalled is not None
        self._give_back(admission, recalled)
        limits = self.authenticate(admission, recalled.authorization, recalled.access)
        self.charge_key(admission, limits, cost=cost)

    def _give_back(self, admission: Admission, recalled: Recalled) -> None:
        """Undo `recall`, except for the charge of the address."""
        caller = admission.caller
        assert caller is not None
        admission.recalled = admission.caller = None
        admission.limits = admission.limits[:1]
        self._quota.give_back(caller.key_id, recalled.charge, admission.deadline)

    def _mark_used(self, admission: Admission, recalled: Recalled) -> None:
        caller = admission.caller
        assert caller is not None
        self._quota.mark_used(
            caller.organization.id, caller.key_id, recalled.charge, admission.deadline
        )

    def charge_ip(self, admission: Admission, environ: Mapping[str, Any]) -> None:
        """Count the request for its IP address."""
        config = self._config
        address = client_address(environ, config.trusted_proxy_hops, config.ipv6_prefix)
        charge = self._quota.charge_ip(address, self._config.limit_ip, admission.deadline)
        self._settle(admission, charge)

    def authenticate(
        self, admission: Admission, authorization: str | None, access: str
    ) -> tuple[int, int]:
        """Find the caller by the Authorization header. access: `api` or `mcp`.

        Returns the limits of the key and of its organization. Raises Unauthorized.
        """
        key_hash = keys.digest(bearer(authorization))
        if self.memory:
            self.memory.forget(key_hash)
        look_up = _look_up(key_hash)
        answer = self._pool.look_up(look_up, None, [], admission.deadline)
        rows = answer.rows.rows if answer.rows else []
        if not rows:
            raise Unauthorized
        (found,) = (row for row in rows if row[0])
        granted = found[1]
        if granted not in (access, "both"):
            raise Unauthorized(
                f"This key has no {access.upper()} access; an owner or admin of the organization "
                f"can give it (orgctx keys change --access {access} or both)."
            )
        caller = admission.caller = _caller(found, rows)
        limits = self._limits(plan=found[3], holding=found[4])
        if self.memory:
            self.memory.remember(key_hash, CachedCaller(answer.raw, caller, granted, limits))
        if self._replicas.all:
            of_caller = (self._quota, look_up, answer.raw)
            admission.reads = ReplicaReads(self._pool, self._replicas, *of_caller)
        return limits

    def charge_key(self, admission: Admission, limits: tuple[int, int], *, cost: int = 1) -> None:
        """Count the request for its key and its organization."""
        caller = admission.caller
        assert caller is not None
        try:
            charge = self._quota.charge_key(
                caller.organization.id, caller.key_id, limits, admission.deadline, cost=cost
            )
        except ServiceUnavailable:
            admission.limits = ()
            raise
        self._settle(admission, charge)

    def _limits(self, *, plan: str, holding: Any) -> tuple[int, int]:
        config = self._config
        if plan == "pro" or holding >= config.top_holding_units:
            return config.limit_key_top, config.limit_organization_top
        return config.limit_key, config.limit_organization

    def _settle(self, admission: Admission, charge: Charge) -> None:
        admission.limits += charge.limits
        if not charge.admitted:
            exhausted = min(
                charge.limits, key=lambda limit: (limit.remaining, -limit.reset_seconds)
            )
            admission.refused_by = exhausted.name
            for one in OBSERVERS:
                one.exceed_limit(exhausted.name)
            raise RateLimited(exhausted.name, exhausted.reset_seconds)


def _look_up(key_hash: bytes) -> Statement:
    return "gate/find_key", {"key_hash": key_hash}


def refuse_method(method: str, allowed: tuple[str, ...]) -> None:
    """Raise MethodNotAllowed for any other method."""
    if method not in allowed:
        raise MethodNotAllowed(", ".join(allowed))


def refuse_body(environ: Mapping[str, Any]) -> None:
    """Raise BodyNotAccepted if a body was announced; it is not read."""
    length = environ.get("CONTENT_LENGTH") or "0"
    if length.strip("0") or "HTTP_TRANSFER_ENCODING" in environ:
        raise BodyNotAccepted


def bearer(authorization: str | None) -> str:
    """The key of an Authorization header. Raises Unauthorized."""
    if not authorization:
        raise Unauthorized("Send the API key in the header `Authorization: Bearer <API_KEY>`.")
    scheme, _, key = authorization.strip().partition(" ")
    key = key.strip()
    if scheme.lower() == "bearer" and keys.is_unexpanded(key):
        raise Unauthorized(
            "The header names a variable where the API key should be, because the client did not "
            "replace it: set the variable where the client starts, or write the form that the "
            "client replaces (orgctx connect)."
        )
    if scheme.lower() != "bearer" or not keys.is_well_formed(key):
        raise Unauthorized
    return key


def _caller(found: tuple[Any, ...], rows: list[tuple[Any, ...]]) -> Caller:
    """found: the row of find_key with the key and its organization."""
    key_id, _, scopes, _, _, *organization = found[:11]
    return Caller(
        key_id=key_id,
        organization=Organization._make(organization),
        scopes=frozenset(scopes),
        approved=in_order(Source._make(row[11:]) for row in rows if row is not found),
    )
