"""Generate the page of commands from their help."""

from collections.abc import Iterator

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from orgctx.cli import main

URI = "reference/commands.md"
WIDTH = 100
HEAD = """\
# Commands

This page shows the `--help` of every command. Set the [settings](settings.md) in the environment.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    files.append(File.generated(config, URI, content=HEAD + "".join(_sections(main, "orgctx"))))
    return files


def _sections(
    command: click.Command, name: str, parent: click.Context | None = None
) -> Iterator[str]:
    """Yield a section for each command and group."""
    settings = {**command.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(command, parent, info_name=name, **settings)
    yield f"\n## {context.command_path}\n\n```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for child_name in command.list_commands(context):
            child = command.get_command(context, child_name)
            assert child is not None
            yield from _sections(child, child_name, context)
