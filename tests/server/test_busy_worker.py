"""A worker that computes past the deadline gives up one request, and goes on with the others."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask

from orgctx.app import create_app
from tests.support.deployment import Deployment
from tests.support.service import exchange, serve


def busy() -> Flask:
    """The service with a path whose request never ends."""
    app = create_app()

    @app.get("/busy")
    def compute() -> str:
        while True:
            sum(range(1_000))

    return app


@pytest.mark.thorough
def test_busy_request_is_given_up_and_others_go_on(deployment: Deployment) -> None:
    with serve(deployment, server="busy", request_timeout_seconds=2) as running:
        (worker,) = running.workers()
        heads = [
            f"GET /{path} HTTP/1.1\r\nHost: a\r\n\r\n".encode() for path in ("busy", "healthz")
        ]
        with ThreadPoolExecutor(4) as threads:
            answers = threads.map(lambda head: exchange(running, head), heads * 2)
            statuses = [answer.status for (answer,) in answers]
        assert statuses == [504, 200, 504, 200]
        assert running.workers() == {worker}
