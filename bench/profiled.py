"""Settings of gunicorn whose workers sample their own processor time: -c python:bench.profiled.

The timer counts processor time, so a worker that waits is not sampled. It costs less than 1 %. What
the event loop does counts for the layer that it then continues.
"""

# ruff: noqa: F403
from orgctx.gunicorn import *

# isort: split

import os
import signal
from collections import Counter
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import orjson

INTERVAL_SECONDS = 0.002
# Parts of `file:function`; the innermost function that contains one decides.
LAYERS = {
    "log line": ("/observability/logs", "/app.py:_log"),
    "response": (
        *("/werkzeug/wrappers/response", "/werkzeug/sansio/response", "/werkzeug/datastructures/h"),
        *("/werkzeug/wsgi.py", "/app.py:_end", "/current.py:SecurityHeaders", ":conditional"),
        *(":revalidate", ":etag_of", ":to_json"),
    ),
    "Redis client": ("/redis/", "/stores/redis_client", "/stores/quota"),
    "PostgreSQL client": (
        *("/psycopg/", "/stores/pool", "/stores/connection", "/stores/call_queue"),
        *("/stores/tenant_queue", "/stores/db"),
    ),
    "gate": ("/orgctx/gate/", "/orgctx/key_format"),
    "operation": ("/orgctx/operations/", "/orgctx/resources/", "/orgctx/schemas/"),
    "Flask": ("/flask/", "/werkzeug/", "/blinker/", "/app.py", "/orgctx/rest", "/orgctx/http/"),
    "gunicorn's worker": ("/gunicorn/", "/orgctx/server/"),
}

_samples = Counter[str]()


@cache
def _layer(function: str) -> str | None:
    matches = (name for name, parts in LAYERS.items() if any(part in function for part in parts))
    return next(matches, None)


def _sample(_: int, frame: FrameType | None) -> None:
    while frame:
        code = frame.f_code
        if layer := _layer(f"{code.co_filename}:{code.co_qualname}"):
            _samples[layer] += 1
            return
        frame = frame.f_back
    _samples["event loop"] += 1


def post_fork(_: Any, __: Any) -> None:
    signal.signal(signal.SIGPROF, _sample)
    signal.siginterrupt(signal.SIGPROF, False)
    signal.setitimer(signal.ITIMER_PROF, INTERVAL_SECONDS, INTERVAL_SECONDS)


def worker_exit(_: Any, worker: Any) -> None:
    signal.setitimer(signal.ITIMER_PROF, 0)
    file = Path(os.environ["BENCH_PROFILE"], str(worker.pid))
    file.write_bytes(orjson.dumps(_samples))
