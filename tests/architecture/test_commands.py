"""The help of every command describes the command and shows an example."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from orgctx.cli import main


def leaves(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Yield each command that is not a group, by the words that a user types."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


LEAVES = dict(leaves(main))


@pytest.mark.parametrize("name", LEAVES)
def test_command_help_ends_with_an_example(name: str) -> None:
    command = LEAVES[name]
    assert command.help, f"give the function of `orgctx {name}` a docstring"
    example = command.epilog or ""
    assert f"orgctx {name}" in example, f'give `orgctx {name}` an epilog="Example: orgctx {name}…"'


@pytest.mark.parametrize("name", LEAVES)
def test_command_example_uses_existing_options(name: str) -> None:
    command = LEAVES[name]
    known = {option for parameter in command.params for option in parameter.opts}
    typed = {word for word in (command.epilog or "").split() if word.startswith("--")}
    assert typed <= known
