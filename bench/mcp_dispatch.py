"""What MCP adds to an operation: `python -m bench.mcp_dispatch`.

list_sources needs no look-up of its own, so everything else of the request is in view: the
operation by itself, the tool around it, and jsonrpcserver around that. Medians in µs of runs that
take turns, so that a machine that slows down slows all three. Exits with 1 above the target.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from statistics import median
from time import perf_counter
from uuid import UUID

from orgctx.app import Service, create_app
from orgctx.config.settings import Config
from orgctx.gate.admission import Admission
from orgctx.mcp import dispatch, tools, visibility
from orgctx.mcp.methods import Exchange
from orgctx.mcp.protocol_versions import MODERN
from orgctx.operations.exposure import SCOPES, Caller, Organization, Source
from orgctx.operations.operation import execute
from orgctx.operations.source_kinds import KINDS
from orgctx.schemas.envelope import to_json
from orgctx.stores.deadline import Deadline

TARGET_MICROSECONDS = 60
ROUNDS, REPEATS = 300, 50
NOW = datetime.now(UTC)
NIL = UUID(int=0)


def caller() -> Caller:
    """One with an approved source of every kind."""
    organization = Organization(NIL, "Acme", "acme", NOW, NOW, False)
    sources = tuple(
        Source(kind, kind, kind, "About it.", None, "current", NOW, None, None, 1, None, False)
        for kind in KINDS
    )
    return Caller(NIL, organization, frozenset(SCOPES), sources)


def variants(service: Service) -> dict[str, Callable[[], object]]:
    """The same answer, each with more around it."""
    operation = visibility.TOOLS["list_sources"]
    who, deadline = caller(), Deadline(3600)
    admission = Admission(deadline)
    exchange = Exchange(MODERN, who, admission, service)
    params = {"name": operation.name, "arguments": {}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return {
        "operation": lambda: to_json(execute(operation, who, service, deadline, dict)[0]),
        "tool": partial(tools.call, operation, {}, who, service, deadline, admission.request_id),
        "jsonrpcserver": partial(dispatch.dispatch, request, exchange),
    }


def measure(functions: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Median microseconds of one call, by name."""
    times: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(ROUNDS):
        for name, function in functions.items():
            began = perf_counter()
            for _ in range(REPEATS):
                function()
            times[name].append((perf_counter() - began) / REPEATS * 1e6)
    return {name: median(values) for name, values in times.items()}


def main() -> int:
    """Print the medians; 1 if dispatch costs more than it may."""
    nowhere = "postgresql://127.0.0.1:1/none"
    config = Config(
        database_url=nowhere,
        admin_database_url=nowhere,
        database_read_url=nowhere,
        redis_url="redis://127.0.0.1:1",
    )
    app = create_app(config)
    medians = measure(variants(app.extensions["orgctx"]))
    for name, microseconds in medians.items():
        print(f"{name:15}{microseconds:8.1f} µs")
    added = medians["jsonrpcserver"] - medians["operation"]
    print(f"{'added':15}{added:8.1f} µs (target: under {TARGET_MICROSECONDS})")
    return int(added >= TARGET_MICROSECONDS)


if __name__ == "__main__":
    sys.exit(main())
