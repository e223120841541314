"""One loaded organization that all contract tests read, and clients that check its answers."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask
from redis import Redis

from orgctx.embedded import Servers
from orgctx.operations.source_kinds import SCOPES
from tests.conftest import empty_redis
from tests.contract import data
from tests.contract.checks import DOCUMENT, CheckedClient
from tests.support import factories as make
from tests.support.deployment import Deployment, copied


@dataclass
class Api:
    """The API for the holder of one key."""

    deployment: Deployment
    client: Any
    organization_id: str = make.ACME
    _keys: dict[tuple[str, ...], str] = field(default_factory=dict)

    def key(self, *scopes: str) -> str:
        """A key with these scopes, or with all."""
        wanted = scopes or SCOPES
        if wanted not in self._keys:
            self._keys[wanted] = self.deployment.issue_key(self.organization_id, make.OWNER, wanted)
        return self._keys[wanted]

    def request(
        self,
        path: str,
        *,
        method: str = "GET",
        scopes: tuple[str, ...] = (),
        headers: dict[str, str] | None = None,
        body: bytes | None = None,
        **query: Any,
    ) -> Any:
        """The response to any request to a path below /api/v1; `query` in the API's own names."""
        authorization = {"Authorization": f"Bearer {self.key(*scopes)}"}
        return self.client.open(
            f"/api/v1{path}",
            method=method,
            query_string=query or None,
            headers=authorization | (headers or {}),
            data=body,
        )

    def get(self, path: str, *, status: int = 200, **options: Any) -> Any:
        """The JSON of an answer that must have this status."""
        response = self.request(path, **options)
        assert response.status_code == status, response.text
        return response.json

    def data(self, path: str, **options: Any) -> Any:
        """The `data` of a 200."""
        return self.get(path, **options)["data"]

    def redis(self) -> Any:
        """The Redis of this API."""
        return Redis.from_url(self.deployment.redis_url)

    def message(self, path: str, status: int, **options: Any) -> str:
        """The message of an error."""
        message: str = self.get(path, status=status, **options)["error"]["message"]
        return message


@pytest.fixture(scope="session")
def acme(servers: Servers, template: str) -> Iterator[Deployment]:
    """The organization of tests.contract.data, loaded and approved."""
    with copied(servers, template) as deployment:
        deployment.load(data.records())
        deployment.approve(make.ACME, make.OWNER)
        yield deployment


@pytest.fixture(scope="session")
def acme_app(acme: Deployment) -> Iterator[Flask]:
    with acme.app() as app:
        CheckedClient.document = app.test_client().get(DOCUMENT).get_json()
        app.test_client_class = CheckedClient
        yield app


@pytest.fixture(scope="session")
def api(acme: Deployment, acme_app: Flask) -> Api:
    """The API on shared data. A test that changes something takes `own_api` instead."""
    return Api(acme, acme_app.test_client())


@contextmanager
def starting(deployment: Deployment) -> Iterator[Callable[..., Api]]:
    """Start apps on one deployment. All are closed together."""
    with ExitStack() as stack:

        def start(*records: make.Record, **settings: Any) -> Api:
            if records:
                deployment.load_acme(*records)
            app = stack.enter_context(deployment.app(**settings))
            app.test_client_class = CheckedClient
            return Api(deployment, app.test_client())

        yield start


@pytest.fixture
def own_api(deployment: Deployment, acme_app: Flask) -> Iterator[Callable[..., Api]]:
    """Call it to get the API on a database of the test's own.

    Its arguments are records, which are loaded with Acme and approved, and settings of Config.
    Without records the database is empty.
    """
    with starting(deployment) as start:
        yield start


@pytest.fixture
def small_api(own_acme: Deployment, acme_app: Flask) -> Iterator[Callable[..., Api]]:
    """The same, with an organization that has one of everything, all approved."""
    with starting(own_acme) as start:
        yield start


@pytest.fixture
def acme_api(acme: Deployment, acme_app: Flask) -> Iterator[Callable[..., Api]]:
    """Call it with settings of Config to get the API on the shared data, with empty counters."""
    empty_redis(acme.redis_url)
    with starting(acme) as start:
        yield start
    empty_redis(acme.redis_url)
