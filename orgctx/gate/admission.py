"""Admit a request: check its method, body, quotas and key, and find its Caller.

The checks run in the order of the contract; the first that fails determines the error response.
`Admission` holds their results for the response headers. Operations check scopes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from time import perf_counter
from typing import Any, TypeVar
from uuid import uuid4

from orgctx import key_format
from orgctx.config.settings import Config
from orgctx.errors import (
    BodyNotAccepted,
    KnownKey,
    MethodNotAllowed,
    RateLimited,
    ServiceUnavailable,
    Unauthorized,
)
from orgctx.gate.caller_cache import (
    CachedCaller,
    CallerCache,
    CallerChanged,
    ReplicaReads,
    VerifiedReads,
)
from orgctx.gate.client_address import client_address
from orgctx.observability.observers import OBSERVERS
from orgctx.operations.exposure import Caller, Organization, Source, in_order
from orgctx.operations.operation import Reader
from orgctx.stores.db import Statement
from orgctx.stores.deadline import Deadline
from orgctx.stores.pool import Pool
from orgctx.stores.quota import Charge, Limit, Quota
from orgctx.stores.replicas import Replicas

T = TypeVar("T")

SEND_KEY = "Send the API key in the header `Authorization: Bearer <API_KEY>`"


@dataclass(slots=True)
class Admission:
    """The state of one request's admission."""

    deadline: Deadline
    request_id: str = field(default_factory=lambda: str(uuid4()))
    started_at: float = field(default_factory=perf_counter)
    # The counters that were charged.
    limits: tuple[Limit, ...] = ()
    # The name of the exhausted limit.
    limited_by: str | None = None
    # The hash of the key, and the interface that it asks: `api` or `mcp`.
    key_hash: bytes = b""
    access: str = ""
    caller: Caller | None = None
    # Set with the caller: the limits of the key and its organization, and how the request reads.
    caller_limits: tuple[int, int] = (0, 0)
    verified_reads: VerifiedReads | None = None
    # What the request read, if that is recorded.
    recorded_reads: list[dict[str, Any]] | None = None

    def tightest(self) -> Limit | None:
        """Return the limit with the fewest requests left; of equal ones, the last to reset."""
        if not self.limits:
            return None
        return min(self.limits, key=_tightness)

    def rate_limit_headers(self) -> list[tuple[str, str]]:
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
        self.replicas = replicas if replicas.all else None
        self._quota = quota
        # A Redis Cluster cannot charge all counters at once.
        self.caller_cache = CallerCache() if quota.is_one_server else None

    def new_admission(self) -> Admission:
        """Return the admission of a new request, with an id and a time budget."""
        deadline = Deadline(self._config.request_timeout_seconds)
        return Admission(deadline, recorded_reads=[] if self._config.audit_reads else None)

    def admit(
        self,
        admission: Admission,
        environ: Mapping[str, Any],
        authorization: str | None,
        access: str,
        *,
        is_verified_later: bool = True,
    ) -> None:
        """Find the caller by the Authorization header, and charge its address and key.

        Args:
            access: `api` or `mcp`.
            is_verified_later: whether `answer` makes the response, which verifies the caller. Only
                then a cached caller is admitted, by one charge of all counters.

        Raises:
            RateLimited, Unauthorized: the first check that failed.
        """
        admission.access = access
        try:
            admission.key_hash = key_format.digest(bearer(authorization))
        except Unauthorized:
            self.charge_address(admission, environ)
            raise
        if is_verified_later and self._admit_cached(admission, environ):
            return
        self.charge_address(admission, environ)
        self.identify(admission)
        self.charge_key(admission)

    def _admit_cached(self, admission: Admission, environ: Mapping[str, Any]) -> bool:
        """Charge a cached caller; return whether there is one. Raises as `admit`."""
        cached_caller = self._cached(admission)
        if cached_caller is None or cached_caller.access not in (admission.access, "both"):
            return False
        address_charge, key_charge = self._quota.charge_all(
            self.address(environ),
            cached_caller.caller.organization.id,
            cached_caller.caller.key_id,
            (*cached_caller.limits, self._config.limit_ip),
            admission.deadline,
        )
        self._apply(admission, address_charge)
        if key_charge.admitted:
            self._set_caller(admission, cached_caller)
        else:
            # No response verifies the caller, whose limits may have changed.
            self.identify(admission)
            if admission.caller_limits != cached_caller.limits:
                self.charge_key(admission)
                return True
        self._apply(admission, key_charge)
        return True

    def _cached(self, admission: Admission) -> CachedCaller | None:
        return self.caller_cache.get(admission.key_hash) if self.caller_cache else None

    def _set_caller(self, admission: Admission, caller: CachedCaller) -> None:
        """Set the caller, whose look-up is repeated with the first statement of the request."""
        admission.caller, admission.caller_limits = caller.caller, caller.limits
        verified = (self._pool, find_key(admission.key_hash), caller, admission.deadline)
        admission.verified_reads = (
            ReplicaReads(self.replicas, *verified) if self.replicas else VerifiedReads(*verified)
        )

    def reader(self, admission: Admission) -> Reader:
        """Return what an admitted request reads with."""
        assert admission.verified_reads is not None
        assert admission.caller is not None
        query = admission.verified_reads.query_all
        return Reader(query, self._quota, admission.caller, admission.deadline)

    def answer(self, admission: Admission, respond: Callable[[], T]) -> T:
        """Return or raise the result of `respond`, for the caller as it is at that time.

        If the caller has changed, look it up and call `respond` again. It is not charged again.
        """
        while True:
            assert admission.verified_reads is not None
            try:
                try:
                    return respond()
                finally:
                    admission.verified_reads.verify()
            except CallerChanged:
                self.identify(admission)

    def charge_address(
        self, admission: Admission, environ: Mapping[str, Any], name: str = "IP address"
    ) -> None:
        """Charge the request to its IP address. Raises RateLimited.

        name: of the limit: `page` for files of the page.
        """
        limit = self._config.limit_page if name == "page" else self._config.limit_ip
        address, deadline = self.address(environ), admission.deadline
        self._apply(admission, self._quota.charge_address(name, address, limit, deadline))

    def identify(self, admission: Admission) -> None:
        """Find the caller by the hash of its key. Raises Unauthorized."""
        admission.caller = None
        key_hash, access, cached = admission.key_hash, admission.access, self._cached(admission)
        looked_up = self._pool.query(*find_key(key_hash), admission.deadline)
        if self.caller_cache and cached and not cached.equals(looked_up):
            self.caller_cache.remove(key_hash)
        if not looked_up.rows:
            raise Unauthorized(reason="unknown key")
        key_id, organization_id, key_access, *_ = looked_up.rows[0]
        if key_access not in (access, "both"):
            raise _rejection(KnownKey(key_id, organization_id), key_access, access)
        if cached and cached.is_current(looked_up):
            self._set_caller(admission, cached)
            return
        # Only now, because an organization may have many sources, and has a share of the pool.
        parameters = {"key_hash": key_hash, "access": access}
        read = self._pool.query("gate/read_caller", parameters, admission.deadline, organization_id)
        caller = self._build_caller(looked_up.rows[0], read.rows)
        if self.caller_cache:
            self.caller_cache.add(key_hash, caller)
        self._set_caller(admission, caller)

    def _build_caller(self, key: tuple[Any, ...], rows: list[tuple[Any, ...]]) -> CachedCaller:
        """Build a caller from the row of find_key and those of read_caller.

        Raises Unauthorized if the key ended between these.
        """
        *key_row, now = key
        if not rows:
            raise Unauthorized(reason="unknown key")
        ((plan, holding, *organization),) = (row[:8] for row in rows if row[0])
        config = self._config
        limits = (config.limit_key, config.limit_organization)
        if plan == "pro" or holding >= config.top_holding_units:
            limits = (config.limit_key_top, config.limit_organization_top)
        sources = [Source._make((*row[8:], False)) for row in rows if not row[0]]
        key_id, _, access, scopes, *_ = key_row
        caller = Caller(
            key_id=key_id,
            organization=Organization._make(organization),
            scopes=frozenset(scopes),
            approved=in_order(source.aged(now) for source in sources),
        )
        overdue_at = (source.overdue_at for source in sources)
        fresh_until = min((at for at in overdue_at if at >= now), default=inf)
        return CachedCaller(tuple(key_row), caller, access, limits, fresh_until)

    def charge_key(self, admission: Admission, *, cost: int = 1) -> None:
        """Charge `cost` requests to the key and its organization. Raises RateLimited."""
        caller = admission.caller
        assert caller is not None
        try:
            charge = self._quota.charge_key(
                caller.organization.id,
                caller.key_id,
                admission.caller_limits,
                admission.deadline,
                cost=cost,
            )
        except ServiceUnavailable:
            admission.limits = ()
            raise
        self._apply(admission, charge)

    def address(self, environ: Mapping[str, Any]) -> str:
        """Return whose requests are counted together before the key is known."""
        return client_address(environ, self._config.trusted_proxy_hops)

    def _apply(self, admission: Admission, charge: Charge) -> None:
        """Add the counters of a charge to the admission. Raises RateLimited."""
        admission.limits += charge.limits
        if not charge.admitted:
            exhausted = min(charge.limits, key=_tightness)
            admission.limited_by = exhausted.name
            for observer in OBSERVERS:
                observer.exceed_limit(exhausted.name)
            raise RateLimited(exhausted.name, exhausted.reset_seconds)


def _tightness(limit: Limit) -> tuple[int, int]:
    return limit.remaining, -limit.reset_seconds


def find_key(key_hash: bytes) -> Statement:
    return "gate/find_key", {"key_hash": key_hash}


def check_method(method: str, allowed: tuple[str, ...]) -> None:
    if method not in allowed:
        raise MethodNotAllowed(", ".join(allowed))


def check_no_body(environ: Mapping[str, Any]) -> None:
    """Raise BodyNotAccepted if the headers announce a body; it is not read."""
    length = environ.get("CONTENT_LENGTH") or "0"
    if length.strip("0") or "HTTP_TRANSFER_ENCODING" in environ:
        raise BodyNotAccepted


def bearer(authorization: str | None) -> str:
    """Return the key of an Authorization header. Raises Unauthorized.

    The messages say only what the header itself shows: no key is looked up.
    """
    scheme, _, key = (authorization or "").strip().partition(" ")
    key = key.strip()
    if not scheme:
        raise Unauthorized(f"{SEND_KEY}.", reason="no key")
    if scheme.lower() != "bearer":
        wrong = (
            "has no scheme" if not key or scheme.startswith(key_format.PREFIX) else "is not Bearer"
        )
        raise Unauthorized(f"The Authorization header {wrong}. {SEND_KEY}.", reason="malformed key")
    if key_format.is_unexpanded(key):
        raise Unauthorized(
            "The Authorization header names a variable instead of an API key, because the client "
            "did not expand it. Set the variable where the client starts, or use the syntax that "
            "`orgctx connect` shows for this client.",
            reason="variable instead of a key",
        )
    if defect := key_format.defect(key):
        raise Unauthorized(f"Malformed API key: {defect}", reason="malformed key")
    return key


def _rejection(key: KnownKey, key_access: str, access: str) -> Unauthorized:
    """Return the error for a known key that is not usable, or not with this access."""
    if key_access not in ("api", "mcp"):
        return Unauthorized(reason=key_access, key=key)
    return Unauthorized(
        f"This key has no {access.upper()} access. Ask an owner or admin of the "
        f"organization to run `orgctx keys change` with --access {access} or both.",
        reason="wrong interface",
        key=key,
    )
