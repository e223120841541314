"""A process that may open few files says so, and answers 503."""

import os
import resource

import pytest

from tests.mcp.endpoint import Endpoint, call
from tests.support.deployment import Deployment
from tests.support.processes import limited
from tests.support.service import SOURCES, serve

pytestmark = pytest.mark.thorough

LIMIT = 256


def test_mcp_without_a_free_file_is_503_as_rest(acme: Deployment, key: str) -> None:
    with acme.app() as app:
        client = app.test_client()
        endpoint = Endpoint(client, key)

        def statuses() -> list[int]:
            rest = client.get(SOURCES, headers={"Authorization": f"Bearer {key}"})
            return [rest.status_code, endpoint.post(call("list_sources")).status_code]

        assert statuses() == [200, 200]
        app.extensions["orgctx"].quota.close()
        next_file = os.dup(0)
        os.close(next_file)
        with limited(resource.RLIMIT_NOFILE, next_file):
            assert statuses() == [503, 503]
        assert statuses() == [200, 200]


def test_start_warns_of_a_low_limit_in_one_line(acme: Deployment) -> None:
    with serve(acme, workers=2, open_files=LIMIT) as running:
        messages = [line.get("message", "") for line in running.log()]
    (warning,) = (message for message in messages if "open only" in message)
    assert warning.startswith(f"A worker may open only {LIMIT} files, so it serves ")
