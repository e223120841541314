"""Fixtures: real servers for the test run, and a migrated database for each test or module.

Which fixture to use:

- `deployment`: an empty database for one test; its parts are fixtures too, such as `database_url`.
- `own_acme`: the data of Acme, for a test that changes it.
- `acme`: the data of Acme, for modules whose tests only read.
- `shared_acme`, `shared_deployment`: those of a module with an empty Redis, for a test that changes
  no record but may issue keys.
- `module_deployment`: an empty database for a module, which loads its own data once in a fixture.
- `tenants`: the organizations of tests/support/organizations, for tests that only read.
"""

import gc
import os
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any, Literal

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, settings
from psycopg.conninfo import make_conninfo
from redis import Redis

from orgctx.cli.database import migrations
from orgctx.embedded import Servers
from orgctx.embedded import servers as embedded_servers
from orgctx.importers.folder import reading
from orgctx.importers.formats import FORMATS
from orgctx.importers.sandbox import FILE_SECONDS, Sandbox
from tests.support import citus, organizations
from tests.support import factories as make
from tests.support.deployment import Deployment, as_template, copied, lasting, new_database
from tests.support.service import Running, serve
from tests.support.thorough import FACTOR
from tests.support.written import PASSWORD, written

MEMORY = Path("/dev/shm")
# More than the databases of a test run use.
NEEDED_BYTES = 4 * 1024**3

# The files that take longest, so that no process still has one when the others have ended.
LONGEST = {
    "contract/test_schemathesis", "deploy/test_image_runs", "deploy/test_manifests",
    "deploy/test_wheel", "desk/test_browser", "hostile/test_connections", "mcp/test_python_clients",
    "metrics/test_prometheus", "page/test_as_key", "page/test_views", "stores/test_connection",
    "properties/test_linear_patterns", "reliability/test_mutations", "scale/test_plans",
}  # fmt: skip

# Neither luck nor the speed of the machine decides a run: all try the same examples, without a time
# limit. Only a search for more of them than `make test-thorough` tries is random.
settings.register_profile(
    "repeatable",
    derandomize=FACTOR <= 1,
    database=None,
    deadline=None,
    suppress_health_check=[*HealthCheck],
)
settings.load_profile("repeatable")

# Under nohup, or in the background of a script, these signals are ignored. Programs that tests
# start would inherit this and never end. They do not inherit a handler.
for number in (signal.SIGHUP, signal.SIGINT):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, lambda *_: None)


@pytest.fixture(scope="session")
def in_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder, in memory if there is room, because each test creates and deletes many files."""
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < NEEDED_BYTES:
        yield tmp_path_factory.mktemp("data")
        return
    for left in MEMORY.glob("orgctx-tests-*"):
        # A process that was killed could not delete its folder.
        if not Path(f"/proc/{left.name.removeprefix('orgctx-tests-')}").exists():
            shutil.rmtree(left, ignore_errors=True)
    directory = MEMORY / f"orgctx-tests-{os.getpid()}"
    directory.mkdir(mode=0o700)
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="session")
def servers(in_memory: Path) -> Iterator[Servers]:
    """PostgreSQL and Redis for the test run.

    Uses ORGCTX_TEST_DATABASE_URL and ORGCTX_TEST_REDIS_URL. For a variable that is not set, starts
    an embedded server with a password. If ORGCTX_TEST_CITUS_URL is set, all databases are
    distributed.
    """
    database_url = citus.URL or os.environ.get("ORGCTX_TEST_DATABASE_URL")
    redis_url = os.environ.get("ORGCTX_TEST_REDIS_URL")
    with ExitStack() as stack:
        if not (database_url and redis_url):
            directory = in_memory / "servers"
            running = stack.enter_context(embedded_servers(directory, durable=False))
            with psycopg.connect(running.database_url, autocommit=True) as connection:
                # Databases live for seconds; it would analyze the templates again and again.
                connection.execute("ALTER SYSTEM SET autovacuum = off")
                connection.execute("ALTER SYSTEM SET file_copy_method = clone")
                connection.execute("SELECT pg_reload_conf()")
            database_url = database_url or make_conninfo(running.database_url, password=PASSWORD)
            redis_url = redis_url or with_password(running.redis_url)
        stack.callback(lasting(database_url).close)
        yield Servers(database_url, redis_url)


def with_password(redis_url: str) -> str:
    """Set the password of a Redis. Returns its URL with the password."""
    with Redis.from_url(redis_url) as client:
        client.config_set("requirepass", PASSWORD)
    return redis_url.replace("unix://", f"unix://:{PASSWORD}@")


@pytest.fixture(scope="session", autouse=True)
def nothing_secret_is_written(
    tmp_path_factory: pytest.TempPathFactory, in_memory: Path
) -> Iterator[None]:
    """Assert at the end that no log, output or database file of this run contains a secret."""
    base = tmp_path_factory.getbasetemp()
    written.begin(base / "written")
    yield
    assert not [*written.leaks(base), *written.leaks(in_memory)]


@pytest.fixture(scope="session", autouse=True)
def kept_sandbox() -> Iterator[None]:
    """Let the imports of this process share a sandbox, whose start takes longer than they do."""
    limits = {"seconds": FILE_SECONDS, "memory": reading.MEMORY}
    modules = sorted({each.module for each in FORMATS})
    sandbox = Sandbox(reading.CONVERSION, **limits, preloaded=modules)
    with sandbox, pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "Sandbox", lambda *_, **__: nullcontext(sandbox))
        yield


def pytest_collection() -> None:
    """Collect no garbage while tests are collected: pytest keeps almost all objects."""
    gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files.

    Leave all but every so-manyth case of a test that is marked `one_in` to the thorough run.
    """
    items.sort(key=lambda item: f"{item.path.parent.name}/{item.path.stem}" not in LONGEST)
    counts = Counter[str]()
    for item in items:
        if mark := item.get_closest_marker("one_in"):
            name = item.nodeid.partition("[")[0]
            if counts[name] % mark.args[0]:
                item.add_marker("thorough")
            counts[name] += 1


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Store the captured output of each test, and add the servers' logs to failures."""
    report = yield
    if report.failed:
        report.sections += [(f"Log of {name}", lines) for name, lines in written.tails(call.start)]
    if call.when == "teardown" and report.sections:
        written.output(*(text for _, text in report.sections))
    return report


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """One browser for all; each test has a profile of its own."""
    # Only tests of the system suite need what it imports.
    from tests.page.browser import chromium

    with chromium() as browser:
        yield browser


@pytest.fixture
def opened(chromium: Any) -> Iterator[Any]:
    """`opened(url, **options)` prepares a visit of a service.

    Asserts at the end of the test that nothing went wrong, and closes all.
    """
    from tests.page.browser import Visit

    visits: list[Visit] = []

    def begin(url: str, **options: Any) -> Visit:
        visits.append(Visit(chromium, url, **options))
        return visits[-1]

    yield begin
    for each in visits:
        each.close()
    assert [each.errors for each in visits] == [[]] * len(visits)


@pytest.fixture(scope="session")
def axe() -> str:
    """The text of axe-core."""
    from tests.page.browser import install

    return (install() / "axe-core/axe.min.js").read_text("utf-8")


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


def template_with(fill: Callable[[Deployment], object]) -> Any:
    """A fixture: the name of a database that is filled once, because copying is faster."""

    @pytest.fixture(scope="session")
    def name(servers: Servers, template: str) -> Iterator[str]:
        with copied(servers, template) as deployment:
            fill(deployment)
            yield as_template(deployment)

    return name


acme_template = template_with(Deployment.load_acme)
tenants_template = template_with(organizations.load)


@pytest.fixture
def redis_url(servers: Servers) -> str:
    """The URL of Redis, which is emptied before the test."""
    empty_redis(servers.redis_url)
    return servers.redis_url


def empty_redis(url: str) -> None:
    with Redis.from_url(url) as client:
        client.flushdb()


def copy_of(template: str, scope: Literal["function", "module"]) -> Any:
    """A fixture: a copy of a template's database. Empties Redis before."""

    @pytest.fixture(scope=scope)
    def copy(servers: Servers, request: pytest.FixtureRequest) -> Iterator[Deployment]:
        name: str = request.getfixturevalue(template)
        empty_redis(servers.redis_url)
        with copied(servers, name) as deployment:
            yield deployment

    return copy


deployment, module_deployment = copy_of("template", "function"), copy_of("template", "module")
own_acme, acme = copy_of("acme_template", "function"), copy_of("acme_template", "module")
tenants = copy_of("tenants_template", "module")


@pytest.fixture
def database_url(deployment: Deployment) -> str:
    return deployment.admin_url


@pytest.fixture
def shared_deployment(module_deployment: Deployment, redis_url: str) -> Deployment:
    return module_deployment


@pytest.fixture
def shared_acme(acme: Deployment, redis_url: str) -> Deployment:
    return acme


@pytest.fixture(scope="module")
def acme_app(acme: Deployment) -> Iterator[Flask]:
    with acme.app() as app:
        yield app


@pytest.fixture(scope="module")
def key(acme: Deployment) -> str:
    """A key of Acme with every scope, for REST and MCP."""
    return acme.issue_key(make.ACME, make.OWNER)


@pytest.fixture
def own_key(own_acme: Deployment) -> str:
    return own_acme.issue_key(make.ACME, make.OWNER)


@pytest.fixture(scope="module")
def served(acme: Deployment, key: str) -> Iterator[Running]:
    """The service on `acme` under gunicorn with one worker, for clients in other processes."""
    with serve(acme, key) as served:
        yield served


@pytest.fixture
def app(deployment: Deployment) -> Iterator[Flask]:
    with deployment.app() as app:
        yield app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
