"""orgctx doctor prints a line for each check and exits with status 1 if one fails."""

import json
import re
from pathlib import Path
from time import time

import pytest
from psycopg.conninfo import conninfo_to_dict

from orgctx.embedded import Servers
from orgctx.stores.db import migrations
from tests.cli.test_connect_check import other_service, untrusted
from tests.support import citus
from tests.support.deployment import Deployment, Result, new_database, new_login
from tests.support.proxy import redis_address


def statuses(result: Result) -> dict[str, str]:
    # SQL to run is indented.
    lines = [line for line in result.stdout.splitlines() if not line.startswith("  ")]
    parts = (line.split(":", 1)[0].split(None, 1) for line in lines)
    return {name: status for status, name in parts}


def message_of(result: Result, name: str, status: str = "warning") -> str:
    """The line of a check, which must have this status."""
    assert result.exit_code == (status == "failed"), result.stdout
    assert statuses(result)[name] == status, result.stdout
    return next(line for line in result.stdout.splitlines() if f" {name}: " in line)


CHECKS = (
    "configuration", "database", "admin database", "migrations", "role", "redis",
    *(["citus workers"] if citus.URL else []),
)  # fmt: skip
HEALTHY = dict.fromkeys(CHECKS, "ok")
# With which a login may write.
GRANTS = (
    "ALTER ROLE {} SUPERUSER",
    "ALTER ROLE {} CREATEROLE",
    "GRANT INSERT ON organizations TO {}",
    "GRANT UPDATE (label) ON sources TO {}",
    "GRANT DELETE ON sources TO {}",
    "GRANT TRUNCATE ON knowledge_suppressions TO {}",
    "GRANT pg_write_all_data TO {}",
    "GRANT SELECT ON api_keys TO {}",
    "GRANT CREATE ON SCHEMA public TO {}",
    "GRANT CREATE ON DATABASE {database} TO {}",
    "GRANT TEMPORARY ON DATABASE {database} TO {}",
    "ALTER TABLE sources OWNER TO {}",
    "ALTER FUNCTION find_caller(bytea) OWNER TO {}",
    "ALTER DATABASE {database} OWNER TO {}",
    "GRANT {owner} TO {}",
    "GRANT pg_write_server_files TO {}",
)
ONE_LOGIN = {name: "ok" for name in CHECKS if name != "admin database"}


@pytest.fixture
def deployment(deployment: Deployment) -> Deployment:
    return deployment.with_service_login()


def test_doctor_finds_nothing_wrong_also_without_the_admin_login(deployment: Deployment) -> None:
    """Which is unknown in the service's environment."""
    assert statuses(deployment.cli("doctor")) == HEALTHY
    result = deployment.cli("doctor", ORGCTX_ADMIN_DATABASE_URL=None)
    assert statuses(result) == ONE_LOGIN
    assert "OWNER" not in result.stdout


def test_doctor_warns_of_unknown_settings(deployment: Deployment) -> None:
    result = deployment.cli("doctor", ORGCTX_LIMIT_KEYS="5", ORGCTX_API_KEY="a variable of clients")
    message = message_of(result, "configuration")
    assert message.endswith("Unknown setting ORGCTX_LIMIT_KEYS; did you mean ORGCTX_LIMIT_KEY?")


def test_doctor_names_untrusted_certificates(deployment: Deployment, tmp_path: Path) -> None:
    with other_service(tls=untrusted(tmp_path)) as (port, _):
        redis = deployment.cli("doctor", ORGCTX_REDIS_URL=f"rediss://127.0.0.1:{port}")
    message = message_of(redis, "redis", "failed")
    assert "untrusted certificate" in message
    assert "ssl_ca_certs" in message


@pytest.mark.parametrize(
    ("setting", "url", "name"),
    [
        ("ORGCTX_REDIS_URL", "redis://:secret@127.0.0.1:1", "redis"),
        ("ORGCTX_DATABASE_URL", "postgresql://me:secret@127.0.0.1:1/orgctx", "database"),
        ("ORGCTX_DATABASE_READ_URL", "postgresql://127.0.0.1:1/orgctx", "replica 127.0.0.1:1"),
    ],
)
def test_doctor_fails_without_a_server(
    shared_deployment: Deployment, setting: str, url: str, name: str
) -> None:
    result = shared_deployment.cli("doctor", "--json", **{setting: url})
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert not report["ok"]
    failed = {check["name"] for check in report["checks"] if check["status"] == "failed"}
    assert name in failed
    assert result.stderr.startswith("Error: Failed checks: ")
    assert "secret" not in result.stdout + result.stderr


def test_doctor_names_migrate_for_an_old_schema(deployment: Deployment, servers: Servers) -> None:
    with new_database(servers.database_url) as url:
        result = Deployment(url, servers.redis_url).cli("doctor")
    for check in ("migrations", "role"):
        assert "Run `orgctx migrate`" in message_of(result, check, "failed")
    deployment.execute(f"DELETE FROM migrations WHERE migration_id = '{migrations()[-1]}'")
    result = deployment.cli("doctor")
    assert "Run `orgctx migrate`." in message_of(result, "migrations", "failed")


def test_doctor_lists_excess_privileges_of_the_reader(deployment: Deployment) -> None:
    deployment.execute("GRANT DELETE ON sources TO orgctx_reader")
    deployment.execute("GRANT SELECT ON api_keys TO orgctx_reader")
    message = message_of(deployment.cli("doctor"), "role", "failed")
    assert "orgctx_reader may SELECT on api_keys, DELETE on sources" in message


@pytest.mark.parametrize("empty", [None, "", " "])
def test_doctor_stops_after_an_invalid_configuration(
    shared_deployment: Deployment, empty: str | None
) -> None:
    settings = {"ORGCTX_DATABASE_URL": empty, "ORGCTX_REDIS_URL": empty, "ORGCTX_LIMIT_KEY": "many"}
    result = shared_deployment.cli("doctor", **settings)
    assert result.exit_code == 1
    assert statuses(result) == {"configuration": "failed"}
    assert [name for name in settings if name not in result.stdout] == []
    if empty is None:
        assert "ORGCTX_REDIS_URL: is not set; set it to a URL such as redis://" in result.stdout


@citus.impossible("the service logs in as the reading role, which all databases share")
def test_doctor_says_what_to_do_without_a_free_connection(deployment: Deployment) -> None:
    service = deployment.with_service_login()
    [[name]] = deployment.execute("SELECT current_database()")
    deployment.execute(f"ALTER DATABASE {name} CONNECTION LIMIT 0")
    try:
        message = message_of(service.cli("doctor"), "database", "failed")
    finally:
        deployment.execute(f"ALTER DATABASE {name} CONNECTION LIMIT -1")
    assert message.endswith("or raise max_connections of the server.")


def test_doctor_checks_the_logins(deployment: Deployment, servers: Servers) -> None:
    with new_login(deployment) as url:
        service = Deployment(url, servers.redis_url, deployment.admin_url).cli("doctor")
        admin = Deployment(deployment.database_url, servers.redis_url, url).cli("doctor")
    message_of(service, "role", "failed")
    message_of(admin, "admin database", "failed")
    guest = conninfo_to_dict(url)["user"]
    assert f"The login {guest!r} does not own " in admin.stdout


@citus.impossible("roles are created by the cluster's operator")
@pytest.mark.one_in(4)
@pytest.mark.parametrize("grant", GRANTS)
def test_doctor_fails_for_a_service_that_may_write(deployment: Deployment, grant: str) -> None:
    place = conninfo_to_dict(deployment.admin_url)
    given = grant.format("{}", database=place["dbname"], owner=place["user"])
    with new_login(deployment, "GRANT orgctx_reader TO {}", given) as url:
        result = Deployment(url, deployment.redis_url, deployment.admin_url).cli("doctor")
        deployment.execute(f"REASSIGN OWNED BY {conninfo_to_dict(url)['user']} TO CURRENT_USER")
    message = message_of(result, "role", "failed")
    assert ", which may write: " in message
    assert ". Use a separate login in ORGCTX_DATABASE_URL" in message


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("ORGCTX_REDIS_URL", "redis://:hunter/secret@127.0.0.1:6379/0"),
        ("ORGCTX_REDIS_URL", "redis://:hunter#secret@127.0.0.1:6379/0"),
        ("ORGCTX_REDIS_URL", "redis+cluster://user:hunter/secret@127.0.0.1:6379"),
        ("ORGCTX_REDIS_URL", "rediss://:hunter[secret@127.0.0.1:6379"),
        ("ORGCTX_DATABASE_URL", "postgresql://user:hunter/secret@127.0.0.1:5432/orgctx"),
        ("ORGCTX_DATABASE_URL", "postgresql://user:12/secret@127.0.0.1:5432/orgctx"),
        # What follows the first @ is not a host.
        ("ORGCTX_DATABASE_URL", "postgresql://user:left@secret@127.0.0.1:1/orgctx"),
        ("ORGCTX_ADMIN_DATABASE_URL", "postgresql://user:left@secret@127.0.0.1:1/orgctx"),
        ("ORGCTX_ADMIN_DATABASE_URL", "postgresql://user:hunter/secret@127.0.0.1/orgctx"),
        ("ORGCTX_DATABASE_READ_URL", "postgresql://user:hunter/secret@127.0.0.1/orgctx"),
        ("ORGCTX_BASE_URL", "https://user:hunter/secret@context.example"),
        ("ORGCTX_BASE_URL", "https://context.example:hunter"),
        ("ORGCTX_MCP_ALLOWED_ORIGINS", "https://a.example,https://b.example:hunter"),
    ],
)
def test_invalid_url_is_not_quoted(shared_deployment: Deployment, name: str, url: str) -> None:
    listed = ("organizations", "list")
    for command in (("doctor",), ("migrate",), listed, ("--debug", *listed), ("serve",)):
        result = shared_deployment.cli(*command, **{name: url})
        assert result.exit_code == 1
        output = result.stdout + result.stderr
        assert f"{name}: cannot be read as a URL: percent-encode" in output
        assert not {word for word in ("hunter", "secret") if word in output}


def test_doctor_tells_a_wrong_password_from_an_unavailable_redis(
    deployment: Deployment, servers: Servers
) -> None:
    address = redis_address(servers.redis_url)
    url = (
        f"unix://:mistyped@{address}"
        if isinstance(address, str)
        else f"redis://:mistyped@{address[0]}"
    )
    message = message_of(deployment.cli("doctor", ORGCTX_REDIS_URL=url), "redis", "failed")
    assert "wrong password" in message
    assert "mistyped" not in message
    url = f"{servers.redis_url.partition('?')[0]}?db=99"
    message = message_of(deployment.cli("doctor", ORGCTX_REDIS_URL=url), "redis", "failed")
    assert "rejects a command (DB index is out of range)" in message


@pytest.mark.parametrize("ahead_seconds", [-600, 600])
def test_doctor_warns_of_clocks_that_differ(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch, ahead_seconds: float
) -> None:
    monkeypatch.setattr("orgctx.cli.database.migrations.time", lambda: time() + ahead_seconds)
    message = message_of(deployment.cli("doctor"), "database")
    match = re.search(r"differ by (\d+) s\. .* Synchronize both", message)
    assert match, message
    # The round trip takes a moment.
    assert 540 < int(match[1]) < 660


def test_desk_that_may_not_decide_is_found_before_anyone_signs_in(deployment: Deployment) -> None:
    """The role exists in the cluster, but migrate could not grant it to the admin's login."""
    trial = {"ORGCTX_DESK_URL": "http://localhost:8011"}
    invite = ("desk", "invite", "--organization", "acme", "--for", "Ada")
    with new_login(deployment) as login:
        trial["ORGCTX_ADMIN_DATABASE_URL"] = login
        for result in (deployment.cli(*invite, **trial), deployment.cli("desk", **trial)):
            assert "GRANT orgctx_desk TO the login of ORGCTX_ADMIN_DATABASE_URL" in result.failed()
        doctor = deployment.cli("doctor", **trial)
    assert "GRANT orgctx_desk" in message_of(doctor, "desk", "failed")
