"""orgctx completion: print the script that completes commands and options in a shell."""

import os
from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

SHELLS = ("bash", "zsh", "fish")
# Characters of names at which Bash may split words (COMP_WORDBREAKS).
SEPARATORS = ":@"


@add_completion_class
class Bash(BashComplete):
    """Completes names with colons: Bash would split them, and replace only the last part."""

    source_template = BashComplete.source_template.replace(
        'COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD',
        'COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS"',
    )

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ["COMP_LINE"]
        words = split_arg_string(line)[1:]
        incomplete = words.pop() if words and not line[-1].isspace() else ""
        breaks = [c for c in SEPARATORS if c in os.environ.get("COMP_WORDBREAKS", "")]
        self._kept = max((incomplete.rfind(c) for c in breaks), default=-1) + 1
        return words, incomplete

    def format_completion(self, item: CompletionItem[Any]) -> str:
        return f"{item.type},{item.value[self._kept :]}"


@click.command(epilog='Example: eval "$(orgctx completion bash)"')
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script of a shell, to add to the shell's start file.

    It completes commands, options and scopes, and, where ORGCTX_ADMIN_DATABASE_URL is set, the
    names of organizations, members, sources and keys.
    """
    from orgctx.cli import main

    complete = get_completion_class(shell)
    assert complete is not None
    click.echo(complete(main, {}, "orgctx", "_ORGCTX_COMPLETE").source())
