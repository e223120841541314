"""The `orgctx` command. COMMANDS names every command, its module and its help.

A module is imported only when its command runs, so that `orgctx --help` stays fast.
"""

import re
from importlib import import_module
from keyword import iskeyword
from sys import argv
from typing import Any

import click

from orgctx import __version__

# Command: its module below orgctx.cli, and its line in `orgctx --help`.
COMMANDS = {
    "audit": ("organization.audit", "List decisions, loads and imports."),
    "connect": ("connect", "Print the configuration of a client, or check its connection."),
    "demo": ("demo", "Serve a preview organization from embedded servers."),
    "desk": ("desk", "Serve the web application in which owners decide."),
    "doctor": ("doctor", "Check configuration, database, roles, migrations and Redis."),
    "import": ("importing", "Load real exports and folders."),
    "init": ("init", "Create an organization, its first source and a key."),
    "keys": ("organization.keys", "Issue, list, rotate, revoke and change API keys."),
    "knowledge": ("organization.knowledge", "List, suppress and restore knowledge items."),
    "load": ("load", "Load bundles of records."),
    "members": ("organization.members", "List, add, change and remove members."),
    "migrate": ("database.migrate", "Bring the database schema up to date."),
    "organizations": ("organization.organizations", "Create, list and delete organizations."),
    "people": ("organization.people", "Find and erase people behind messages and posts."),
    "schema": ("load", "Print the JSON Schema of the load format."),
    "serve": ("serve", "Serve the API with gunicorn."),
    "sources": ("organization.sources", "List, show, approve, exclude and delete sources."),
    "sync": ("sync", "Run the imports that a file lists."),
    "usage": ("organization.usage", "List how many requests each key made on each day."),
}
WORD = re.compile(r"[\w-]+")
UNDO = "It takes effect at once; `orgctx audit undo` takes it back."
FILTERED = "Use --json-lines and filter them."
# What to use instead of what was removed: NAME in any command, or COMMAND NAME in only that one.
REMOVED = {
    "narrow": "Use `orgctx keys change` with --scope.",
    "reduce-scopes": "Use `orgctx keys change` with --scope.",
    "--csv": "Use --json, or --json-lines.",
    "--write": "Save what `orgctx connect` prints where it says.",
    "--link": "Save what `orgctx connect` prints where it says.",
    "--bundle": "Save what `orgctx connect` prints where it says.",
    "--suppressed": "Use --json: each item says whether it is suppressed.",
    "--until": FILTERED,
    "--object": FILTERED,
    "audit --member": FILTERED,
    "audit --command": FILTERED,
    "knowledge show": "The desk shows documents.",
    "keys scopes": "The desk shows what each scope would read.",
    "add --id": "Members of a bundle have ids of your choice: `orgctx load`.",
    "withdraw --dry-run": UNDO,
    "exclude --dry-run": UNDO,
}
# Commands that need no service, start one, or find the demo themselves.
WITHOUT_DEMO = ("connect", "demo", "schema")
HELP = {"-h", "--help"}


class Commands(click.Group):
    """A group that imports commands on use and reports unexpected errors in one line."""

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        if name not in COMMANDS:
            return None
        module = import_module(f"{__name__}.{COMMANDS[name][0]}")
        # A function cannot be called `import`.
        command: click.Command = getattr(module, f"{name}_" if iskeyword(name) else name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            words = WORD.findall(error.message) if "No such" in error.message else []
            command = error.ctx.info_name if error.ctx else ""
            names = [name for word in words for name in (f"{command} {word}", word)]
            if advice := next((REMOVED[name] for name in names if name in REMOVED), ""):
                text = f"{error.message.rstrip('.')}. {advice}"
                raise click.UsageError(text, error.ctx) from None
            raise
        except (click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except Exception as error:
            if ctx.params["debug"]:
                from orgctx.observability.logs import trace

                click.echo(trace(error), err=True)
            if isinstance(error, click.ClickException):
                raise
            from orgctx.cli.errors import explain

            raise explain(error) from error


def _print_version(ctx: click.Context) -> None:
    from orgctx.openapi.document import VERSION
    from orgctx.stores.db import migrations

    click.echo(f"orgctx, version {__version__}; schema {max(migrations())}; contract {VERSION}")
    ctx.exit()


@click.group(
    cls=Commands,
    # For lists and suggestions of click.
    commands=dict.fromkeys(COMMANDS, click.Command(None)),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--debug", is_flag=True, help="Print where an error arose.")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _, wanted: _print_version(ctx) if wanted else None,
    help="Show the versions of package, schema and contract, and exit.",
)
@click.pass_context
def main(context: click.Context, debug: bool) -> None:  # noqa: ARG001
    """Operate orgctx: its schema, data, approvals, keys and server.

    Settings are environment variables; .env.example documents them. Commands exit with 0 if they
    are done, 1 if they refuse or fail (standard error says why), and 2 if they are misused.
    Without settings, they use the demo that runs in the same directory.
    """
    if context.invoked_subcommand not in WITHOUT_DEMO and not HELP & {*argv}:
        from orgctx.demo import state

        state.use()
