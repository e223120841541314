"""orgctx completion: print the script that completes commands and options in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command(epilog='Example: eval "$(orgctx completion bash)"')
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script of a shell, to add to the shell's start file."""
    from orgctx.cli import main

    complete = get_completion_class(shell)
    assert complete is not None
    click.echo(complete(main, {}, "orgctx", "_ORGCTX_COMPLETE").source())
