"""The share of the quotas in a request: python -m bench.quota [--scale full] [--case CASE].

It compares the processor time of the process that serves, with both calls to Redis and without
them, in turns, and prints the median of the ratios. Flask's own client asks, so no server's time is
in it.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any
from unittest.mock import patch

from flask.testing import FlaskClient

from bench.cases import cases
from bench.dataset import SCALES
from bench.prepare import prepared
from orgctx.app import create_app
from orgctx.stores.quota import Charge, Counter, Limit, Quota

ADMITTED = Charge(True, (Limit("API key", 1, 1, 1),), (Counter(2, 1),) * 3)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", choices=SCALES, default="small")
    parser.add_argument("--case", default="50 messages")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--data-dir", type=Path, default=Path(".orgctx/bench"))
    options = parser.parse_args()
    with prepared(options.data_dir, options.scale) as ready:
        os.environ.update(ready.environment)
        client = create_app().test_client()
        (case,) = (case for case in cases(options.scale) if case.name == options.case)
        request = {
            "path": case.path,
            "query_string": case.query,
            "headers": {"Authorization": f"Bearer {ready.key}"},
        }
        _cost(client, request, options.requests)
        shares = [_share(client, request, options.requests) for _ in range(options.rounds)]
    print(f"{case.name}: quotas are {median(shares):.0%} of the processor time")
    return 0


def _share(client: FlaskClient, request: dict[str, Any], requests: int) -> float:
    whole = _cost(client, request, requests)
    with patch.object(Quota, "_charge", lambda *_: ADMITTED):
        return 1 - _cost(client, request, requests) / whole


def _cost(client: FlaskClient, request: dict[str, Any], requests: int) -> float:
    began = process_time()
    for _ in range(requests):
        assert client.get(**request).status_code == 200
    return process_time() - began


if __name__ == "__main__":
    sys.exit(main())
