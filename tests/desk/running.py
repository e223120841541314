"""The desk as a process: `orgctx desk` under gunicorn."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.support.deployment import TESTS, Deployment
from tests.support.processes import free_port, wait
from tests.support.written import written


def environment(deployment: Deployment, settings: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a desk. settings: further variables, such as ORGCTX_DESK_URL."""
    values = {
        **os.environ,
        "PYTHONPATH": str(TESTS.parent),
        **deployment.environment,
        **settings,
    }
    return {name: value for name, value in values.items() if value is not None}


@contextmanager
def desk(deployment: Deployment, *, port: int = 0, **settings: str) -> Iterator[tuple[str, Path]]:
    """Run `orgctx desk` while the block runs. Yields its origin and its log.

    port: by default a free one. settings: variables.
    """
    port = port or free_port()
    origin = f"http://localhost:{port}"
    command = [sys.executable, "-m", "orgctx.cli", "desk"]
    with written.log(f"desk-{port}") as log:
        process = subprocess.Popen(
            command,
            cwd=TESTS,
            env=environment(deployment, {"ORGCTX_DESK_URL": origin, **settings}),
            stderr=log,
        )
        try:
            wait(process, port, "/healthz")
            yield origin, Path(log.name)
        finally:
            process.terminate()
            process.wait(60)
