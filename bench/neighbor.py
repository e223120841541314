"""Measure one tenant beside hostile ones: python -m bench.neighbor [--seconds 8].

1 and 8 hostile organizations send the requests of bench.hostile, the same without a pause after a
429, batches of 20 searches that compare their term with 50 MB of text, or bodies that never end,
with 1 and 10 keys each, and the quotas of the default plan, of the top plan, and without any. A
quiet organization repeats one request of the attacked kind, alone and beside them. Each row shows
its times alone and beside them, and the ratios. Exits with 1 if one of its requests fails, if its
p50 or p99 exceeds what MOST_RATIOS allows, or if a worker takes 200 MiB.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import product
from math import inf
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

import orjson
from redis import Redis

from bench import hostile
from bench.attacks import ARRIVED_BYTES, ATTACKS, attack
from bench.cases import Case
from bench.load_generator import BadAnswer, exchange, percentile
from bench.prepare import Prepared, prepared
from bench.server_process import GUNICORN, Launch, ServerProcess, running

COUNTS, KEYS = (1, 8), (1, 10)
# The limits of the plans. All requests come from one address, which has no limit.
QUOTAS = {
    "default": {"ORGCTX_LIMIT_KEY": "120", "ORGCTX_LIMIT_ORGANIZATION": "600"},
    "top": {"ORGCTX_LIMIT_KEY": "360", "ORGCTX_LIMIT_ORGANIZATION": "1800"},
    "no": {},
}
# By how much p50 and p99 may rise.
MOST_RATIOS = {"default": (2, 4), "top": (2, 4), "no": (3, inf)}
MOST_WORKER_MIB = 200
# The quiet tenant pauses between two requests to stay within its quota.
PAUSE_SECONDS = {"operations": 0.04, "rejected": 0.04, "batches": 0.2, "bodies": 0.04}
# How long an attack lasts before the times are measured.
WARM_UP_SECONDS = 2


class Times(NamedTuple):
    """The times of requests."""

    seconds: list[float]  # sorted
    failed: list[int]  # statuses other than 200; 0 for no answer

    def __str__(self) -> str:
        p50, p99 = (percentile(self.seconds, share) for share in (0.5, 0.99))
        return f"p50 {p50:.1f} ms, p99 {p99:.1f} ms"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=8, help="length of each measurement")
    parser.add_argument("--attack", choices=ATTACKS, action="append")
    parser.add_argument("--organizations", type=int, choices=COUNTS, action="append")
    parser.add_argument("--keys", type=int, choices=KEYS, action="append")
    parser.add_argument("--quotas", choices=QUOTAS, action="append")
    parser.add_argument("--checkout", type=Path, default=Path(), help="another version to measure")
    options = parser.parse_args()
    is_passed = True
    with prepared(hostile.SCALE) as data:
        quiet, *keys = hostile.keys(data, max(options.organizations or COUNTS))
        chosen = (
            options.quotas or QUOTAS,
            options.attack or ATTACKS,
            options.organizations or COUNTS,
            options.keys or KEYS,
        )
        for quotas, name, count, key_count in product(*chosen):
            launch = Launch(GUNICORN, {"ORGCTX_LOG_LEVEL": "CRITICAL", **QUOTAS[quotas]})
            with running(launch, data, checkout=options.checkout) as server:
                row = f"{quotas} quotas, {name}, {count} hostile with {key_count} keys"
                own = [each[:key_count] for each in keys[:count]]
                is_passed &= measure(
                    row, name, server, data, quiet, own, options.seconds, MOST_RATIOS[quotas]
                )
    return int(not is_passed)


def measure(
    row: str,
    name: str,
    server: ServerProcess,
    data: Prepared,
    quiet: list[str],
    keys: list[list[str]],
    seconds: float,
    most_ratios: tuple[float, float],
) -> bool:
    """Print one row. Returns whether the quiet tenant was served as it should."""
    case = quiet_cases()[name]
    with Redis.from_url(data.redis_url) as redis:
        repeat(server, case, quiet, PAUSE_SECONDS[name], 1)
        redis.flushall()
        alone = repeat(server, case, quiet, PAUSE_SECONDS[name], seconds / 2)
        with attack(name, server.address, keys) as statuses:
            sleep(WARM_UP_SECONDS)
            redis.flushall()
            beside = repeat(server, case, quiet, PAUSE_SECONDS[name], seconds)
        mebibytes = max(resident_mebibytes(server))
    p50, p99 = (
        percentile(beside.seconds, share) / percentile(alone.seconds, share)
        for share in (0.5, 0.99)
    )
    failed = [*alone.failed, *beside.failed]
    print(
        f"{row}: alone {alone}; beside {beside}; ratios {p50:.1f} and {p99:.1f};"
        f" {len(beside.seconds)} answers, failed {failed}; largest worker {mebibytes:.0f} MiB;"
        f" hostile {dict(sorted(statuses.items()))}",
        flush=True,
    )
    most_p50, most_p99 = most_ratios
    return not failed and p50 < most_p50 and p99 < most_p99 and mebibytes < MOST_WORKER_MIB


def quiet_cases() -> dict[str, Case]:
    """Return the request of the quiet organization beside each attack."""
    message = {"jsonrpc": "2.0", "method": "tools/call"}
    params = {"name": "get_context", "arguments": {}}
    batch = [{**message, "id": number, "params": params} for number in range(5)]
    ping = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {}})
    return {
        **dict.fromkeys(("operations", "rejected"), Case("context", "/api/v1/context")),
        "batches": Case("batch", "/api/mcp", body=orjson.dumps(batch)),
        "bodies": Case("large body", "/api/mcp", body=ping.ljust(ARRIVED_BYTES)),
    }


def repeat(
    server: ServerProcess, case: Case, keys: list[str], pause_seconds: float, seconds: float
) -> Times:
    """Send a request again and again, each on a new connection, which any worker may accept."""
    times: list[float] = []
    failed: list[int] = []
    ends_at = monotonic() + seconds
    requests = [case.request(key) for key in keys]
    while monotonic() < ends_at:
        began_at = monotonic()
        try:
            status, _, _ = exchange(server.address, requests[len(times) % len(requests)])
        except (OSError, BadAnswer):
            status = 0
        times.append(monotonic() - began_at)
        if status != 200:
            failed.append(status)
        sleep(pause_seconds)
    return Times(sorted(times), failed)


def resident_mebibytes(server: ServerProcess) -> Iterator[float]:
    """Yield the peak memory of each process of the server."""
    for pid in server.pids():
        status = Path(f"/proc/{pid}/status").read_text()
        yield int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    sys.exit(main())
