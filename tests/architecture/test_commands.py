"""The help of every command describes it and shows an example; pages use existing commands."""

import re
from collections.abc import Iterator

import click

from orgctx.cli import main
from tests.docs.pages import ROOT


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


def test_command_help_has_its_options_and_ends_with_an_example() -> None:
    for name, command in LEAVES.items():
        assert command.help, f"give the function of `orgctx {name}` a docstring"
        example = command.epilog or ""
        assert f"orgctx {name}" in example, (
            f'give `orgctx {name}` an epilog="Example: orgctx {name}…"'
        )
        options = [one for one in command.params if isinstance(one, click.Option)]
        assert [one.name for one in options if not one.help and not one.hidden] == [], name
        known = {option for parameter in command.params for option in parameter.opts}
        typed = {word for word in example.split() if word.startswith("--")}
        assert typed <= known, name


# CHANGELOG.md may name what existed once.
PAGES = [
    ROOT / "README.md",
    ROOT / "docs/SECURITY.md",
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("deploy/*.y*ml"),
]
TYPED = re.compile(r"(?<![\w/.-])orgctx ([a-z][^\n`;|&)#\]]*)")


def test_pages_use_existing_commands_and_options() -> None:
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    for line in TYPED.findall(text.replace("\\\n", " ")):
        command: click.Command | None = main
        words = line.split()
        context = click.Context(main)
        while isinstance(command, click.Group) and words and words[0][0].isalpha():
            step = command.get_command(context, words.pop(0))
            # In a sentence, the name of the program precedes other words.
            assert step or command is main, f"orgctx {line}"
            command = step
        if command:
            known = {text for one in command.params for text in (*one.opts, *one.secondary_opts)}
            typed = {word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)}
            assert typed <= known | {"--help"}, f"orgctx {line}"
