"""Real servers for the whole suite, and a migrated database for each test or module.

A test asks for `deployment` (or for one of its parts by name), or for `own_acme` where it begins
with data; tests that only read ask for `acme`, or load `module_deployment` once, in a fixture of
their module.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from psycopg.conninfo import make_conninfo
from redis import Redis

from orgctx.cli.database import migrations
from orgctx.embedded import Servers
from orgctx.embedded import servers as embedded_servers
from tests.mcp.served import Served, serve
from tests.support import citus, memory, organizations
from tests.support import factories as make
from tests.support.deployment import Deployment, as_template, copied, new_database
from tests.support.written import PASSWORD, written

# Under nohup, or in the background of a script, these are ignored, and programs that tests start
# would inherit that and never end. A handler is not inherited.
for number in (signal.SIGHUP, signal.SIGINT):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, lambda *_: None)


@pytest.fixture(scope="session")
def in_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in memory, if there is room: each test creates and deletes hundreds of files."""
    with memory.folder() as folder:
        yield folder or tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def servers(in_memory: Path) -> Iterator[Servers]:
    """Those of ORGCTX_TEST_DATABASE_URL and ORGCTX_TEST_REDIS_URL, else embedded ones, whose
    URLs have passwords. ORGCTX_TEST_CITUS_URL: every test then has a distributed database."""
    database_url = citus.URL or os.environ.get("ORGCTX_TEST_DATABASE_URL")
    redis_url = os.environ.get("ORGCTX_TEST_REDIS_URL")
    if database_url and redis_url:
        yield Servers(database_url, redis_url)
        return
    with embedded_servers(in_memory / "servers", durable=False) as running:
        yield Servers(
            database_url or make_conninfo(running.database_url, password=PASSWORD),
            redis_url or with_password(running.redis_url),
        )


def with_password(redis_url: str) -> str:
    """Give a Redis a password, and its URL."""
    with Redis.from_url(redis_url) as client:
        client.config_set("requirepass", PASSWORD)
    return redis_url.replace("unix://", f"unix://:{PASSWORD}@")


@pytest.fixture(scope="session", autouse=True)
def nothing_secret_is_written(
    tmp_path_factory: pytest.TempPathFactory, in_memory: Path
) -> Iterator[None]:
    """No file of this run contains keys or passwords: logs, output, databases."""
    base = tmp_path_factory.getbasetemp()
    written.begin(base / "written")
    yield
    assert not [*written.leaks(base), *written.leaks(in_memory)]


def pytest_collection() -> None:
    """Tests are kept until the end, so a search for garbage among them finds next to nothing."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Keep a test's captured output after it has ended; a failure shows what servers logged."""
    report = yield
    if report.failed:
        report.sections += [(f"Log of {name}", lines) for name, lines in written.tails(call.start)]
    if call.when == "teardown" and report.sections:
        written.output(*(text for _, text in report.sections))
    return report


@pytest.fixture(scope="session")
def template(servers: Servers) -> Iterator[str]:
    """The name of a migrated, empty database to copy."""
    if citus.URL:
        with citus.distributed() as url:
            yield as_template(Deployment.on(url, servers.redis_url))
        return
    with new_database(servers.database_url) as url:
        migrations.migrate(url, url)
        yield as_template(Deployment.on(url, servers.redis_url))


@pytest.fixture(scope="session")
def acme_template(servers: Servers, template: str) -> Iterator[str]:
    """The name of a database with Acme, loaded and approved: a copy is quicker than a load."""
    with copied(servers, template) as deployment:
        deployment.load_acme()
        yield as_template(deployment)


@pytest.fixture
def database_url(servers: Servers, template: str) -> Iterator[str]:
    """A migrated database of the test's own, without data."""
    with new_database(servers.database_url, template=template) as url:
        yield url


@pytest.fixture(scope="module")
def module_database_url(servers: Servers, template: str) -> Iterator[str]:
    """A migrated database of the module's own."""
    with new_database(servers.database_url, template=template) as url:
        yield url


@pytest.fixture
def redis_url(servers: Servers) -> str:
    """Redis, empty."""
    empty_redis(servers.redis_url)
    return servers.redis_url


def empty_redis(url: str) -> None:
    client = Redis.from_url(url)
    client.flushdb()
    client.close()


@pytest.fixture
def deployment(database_url: str, redis_url: str) -> Deployment:
    """Everything of one test: its config, app, commands and data."""
    return Deployment.on(database_url, redis_url)


@pytest.fixture(scope="module")
def module_deployment(module_database_url: str, servers: Servers) -> Deployment:
    """The same for a module whose tests only read; Redis is emptied when it begins."""
    empty_redis(servers.redis_url)
    return Deployment.on(module_database_url, servers.redis_url)


@pytest.fixture(scope="module")
def tenants(module_deployment: Deployment) -> Deployment:
    """All organizations of tests/support/organizations; its tests only read."""
    organizations.load(module_deployment)
    return module_deployment


@pytest.fixture(scope="module")
def acme(servers: Servers, acme_template: str) -> Iterator[Deployment]:
    """Acme, loaded and approved; its tests only read. Redis is emptied when the module begins."""
    empty_redis(servers.redis_url)
    with copied(servers, acme_template) as deployment:
        yield deployment


@pytest.fixture(scope="module")
def acme_app(acme: Deployment) -> Iterator[Flask]:
    with acme.app() as app:
        yield app


@pytest.fixture(scope="module")
def key(acme: Deployment) -> str:
    """A key of Acme with every scope, for REST and MCP."""
    return acme.issue_key(make.ACME, make.OWNER)


@pytest.fixture(scope="module")
def served(acme: Deployment, key: str) -> Iterator[Served]:
    """Acme behind the shipped server with one worker, for clients that are separate programs."""
    with serve(acme, key) as served:
        yield served


@pytest.fixture
def own_acme(servers: Servers, acme_template: str, redis_url: str) -> Iterator[Deployment]:
    """Acme, loaded and approved, for a test that changes it."""
    with new_database(servers.database_url, template=acme_template) as url:
        yield Deployment.on(url, redis_url)


@pytest.fixture
def app(deployment: Deployment) -> Iterator[Flask]:
    with deployment.app() as app:
        yield app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def load(deployment: Deployment) -> Callable[..., Any]:
    return deployment.load
