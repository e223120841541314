"""Operators see one line without secrets for each fault."""

from __future__ import annotations

import pytest

from orgctx import __version__
from orgctx.cli import COMMANDS, admin
from orgctx.embedded import Servers
from orgctx.openapi.document import VERSION
from orgctx.stores.schema import migrations
from tests.support.deployment import Deployment, new_database

SECRET = "hunter2secret"
COMMAND = ("organizations", "list")


def test_help_names_every_command(deployment: Deployment) -> None:
    result = deployment.cli("--help")
    assert result.exit_code == 0
    for name, (_, text) in COMMANDS.items():
        assert name in result.stdout
        assert text in result.stdout
    said = deployment.cli("--version").stdout
    assert said == (
        f"orgctx, version {__version__}; schema {max(migrations())}; contract {VERSION}\n"
    )


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"import", "demo"}))
def test_every_command_has_help(deployment: Deployment, name: str) -> None:
    result = deployment.cli(name, "--help")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()[2].strip()) > 10


def test_an_unknown_command_is_a_usage_error(deployment: Deployment) -> None:
    assert deployment.cli("serv").exit_code == 2


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://someone:{SECRET}@127.0.0.1:1/orgctx",
        f"host=127.0.0.1 port=1 user=someone password={SECRET}",
        f"postgresql://someone:{SECRET}@/orgctx?host=/nonexistent",
    ],
)
def test_a_database_that_does_not_answer(deployment: Deployment, url: str) -> None:
    for command in (COMMAND, ("migrate",)):
        result = deployment.cli(*command, ORGCTX_ADMIN_DATABASE_URL=url)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith(
            "Error: cannot connect to the database of ORGCTX_ADMIN_DATABASE_URL ("
        )
        assert result.stderr.count("\n") == 1
        assert SECRET not in result.stderr


def test_all_faults_of_a_configuration_at_once(deployment: Deployment) -> None:
    broken = f"postgresql://{SECRET}@[/"
    result = deployment.cli(*COMMAND, ORGCTX_DATABASE_URL=broken, ORGCTX_REDIS_URL=SECRET)
    assert result.exit_code == 1
    first, *faults = result.stderr.splitlines()
    assert first == "Error: the environment cannot be used; correct these variables:"
    assert [fault.split(":")[0].strip() for fault in faults] == [
        "ORGCTX_DATABASE_URL",
        "ORGCTX_REDIS_URL",
    ]
    assert SECRET not in result.stderr


def test_a_database_without_tables(servers: Servers) -> None:
    with new_database(servers.database_url) as url:
        result = Deployment(url, servers.redis_url).cli(*COMMAND)
    assert result.exit_code == 1
    assert result.stderr == (
        "Error: the database lacks tables of this version: run `orgctx migrate`\n"
    )


def test_a_fault_of_ours_is_one_line_without_its_text(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(f"password={SECRET}")

    monkeypatch.setattr(admin, "run", fail)
    result = deployment.cli(*COMMAND)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: a fault in orgctx itself (RuntimeError at fail:")
    assert result.stderr.count("\n") == 1
    assert SECRET not in result.stderr


def test_as_a_process(deployment: Deployment) -> None:
    process = deployment.process(*COMMAND, "--json")
    assert process.communicate(timeout=30) == ("[]\n", "")
    assert process.returncode == 0
