"""The desk as a process: `orgctx desk` under gunicorn."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.deployment import TESTS, Deployment
from tests.support.processes import free_port, started
from tests.support.written import written


@contextmanager
def desk(deployment: Deployment, *, port: int = 0, **settings: str) -> Iterator[tuple[str, Path]]:
    """Run `orgctx desk` while the block runs. Yields its origin and its log.

    port: by default a free one. settings: variables.
    """
    port = port or free_port()
    origin = f"http://localhost:{port}"
    command = [sys.executable, "-m", "orgctx.cli", "desk"]
    environment = {**deployment.program_environment, "ORGCTX_DESK_URL": origin, **settings}
    with (
        written.log(f"desk-{port}") as log,
        started(command, port, environment, "/healthz", cwd=TESTS, stderr=log),
    ):
        yield origin, Path(log.name)
