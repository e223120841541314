"""Messages of the command: help, and one line without secrets for every error."""

import re

import pytest
from psycopg.errors import UndefinedFunction

from orgctx import __version__
from orgctx.cli import COMMANDS
from orgctx.cli.errors import explain
from orgctx.embedded import Servers
from orgctx.openapi.document import VERSION
from orgctx.stores.db import migrations
from tests.support.deployment import Deployment, new_database

SECRET = "hunter2secret"
COMMAND = ("organizations", "list")


def test_help_lists_every_command(shared_deployment: Deployment) -> None:
    result = shared_deployment.cli("--help").done()
    for name, (_, text) in COMMANDS.items():
        assert name in result.stdout
        assert text in result.stdout


def test_version_names_schema_and_contract(shared_deployment: Deployment) -> None:
    expected = f"orgctx, version {__version__}; schema {max(migrations())}; contract {VERSION}\n"
    assert shared_deployment.cli("--version").stdout == expected


@pytest.mark.parametrize(("words", "meant"), [(["serv"], "serve"), (["import", "foldr"], "folder")])
def test_unknown_command_is_a_usage_error(
    shared_deployment: Deployment, words: list[str], meant: str
) -> None:
    result = shared_deployment.cli("--debug", *words)
    assert (result.exit_code, "Traceback" in result.stderr) == (2, False)
    assert f"No such command '{words[-1]}'. Did you mean '{meant}'?" in result.stderr


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://someone:{SECRET}@127.0.0.1:1/orgctx",
        f"host=127.0.0.1 port=1 user=someone password={SECRET}",
        f"postgresql://someone:{SECRET}@/orgctx?host=/nonexistent",
    ],
)
def test_unreachable_database_is_reported_without_password(
    shared_deployment: Deployment, url: str
) -> None:
    for command in (COMMAND, ("migrate",)):
        result = shared_deployment.cli(*command, ORGCTX_ADMIN_DATABASE_URL=url)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith(
            "Error: Cannot connect to the database of ORGCTX_ADMIN_DATABASE_URL ("
        )
        assert result.stderr.count("\n") == 1
        assert SECRET not in result.stderr


def test_database_without_tables_names_migrate(servers: Servers) -> None:
    with new_database(servers.database_url) as url:
        result = Deployment(url, servers.redis_url).cli(*COMMAND)
    assert (result.exit_code, result.stderr) == (1, f"Error: {explain(UndefinedFunction())}\n")
    assert "lacks tables or functions of this version. Run `orgctx migrate`.\n" in result.stderr


def test_unexpected_error_names_the_last_frame_and_debug_prints_the_traceback(
    shared_deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(f"password={SECRET}")

    monkeypatch.setattr("orgctx.decisions.organizations.listed", fail)
    error = shared_deployment.cli(*COMMAND).failed()
    assert re.fullmatch(
        r"Error: Internal error: RuntimeError at orgctx/cli/organization/organizations\.py:\d+ in "
        r"list_organizations\. Run the command again with `orgctx --debug` and report .*\.\n",
        error,
    )
    assert SECRET not in error
    debugged = shared_deployment.cli("--debug", *COMMAND).failed()
    # Frames and classes only: messages may quote secrets.
    assert re.search(r'File ".+organizations.py", line \d+, in list_org', debugged)
    assert debugged.endswith(f"RuntimeError\n{error}")
    assert SECRET not in debugged


# Commands and options of earlier versions, and what replaces them.
REMOVED = {
    "audit --csv": "--json",
    "keys narrow laptop": "keys change",
    "keys reduce-scopes laptop --organization acme": "keys change",
    "connect cursor --write": "Save what",
    "connect claude-desktop --bundle orgctx.mcpb": "Save what",
    "connect vscode --link": "Save what",
    "knowledge list --suppressed": "Use --json",
    "audit --until 2026-01-01": "--json-lines",
    # Options that other commands have are named by the command that lost them.
    "sources exclude --dry-run x": "`orgctx audit undo`",
    "audit --member x": "--json-lines",
}


def test_removed_words_name_what_replaces_them(shared_deployment: Deployment) -> None:
    for words, successor in REMOVED.items():
        result = shared_deployment.cli(*words.split())
        assert (result.exit_code, result.stdout) == (2, ""), words
        assert "Error: No such " in result.stderr
        assert successor in result.stderr
