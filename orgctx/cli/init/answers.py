"""What `orgctx init` needs to know, from options or, on a terminal, from answers."""

import re
import sys
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from orgctx.cli.errors import CommandError
from orgctx.cli.options import one_line
from orgctx.cli.output import printable, say
from orgctx.decisions.decision import DecisionRejected
from orgctx.decisions.organizations import check_slug
from orgctx.imports import catalog


@dataclass(slots=True)
class Dialogue:
    """Asks on a terminal. Elsewhere it collects the options that are missing."""

    is_terminal: bool = field(default_factory=lambda: sys.stdin.isatty())
    missing: list[str] = field(default_factory=list)

    def ask(
        self,
        value: str | None,
        option: str,
        question: str,
        default: str | None = None,
        check: Callable[[str], str] | None = None,
    ) -> str:
        """Return the value of an option, or ask. Without a terminal, return the default.

        Adds the option to `missing` if there is no default either.
        """
        if value:
            return value
        if self.is_terminal:
            answer: str = click.prompt(question, default=default, value_proc=check, err=True)
            return answer
        if default is None:
            self.missing.append(option)
        return default or ""

    def choose(self, is_approved: bool | None, hidden: Sequence[str]) -> str:
        """Return yes, no, or hide: suppress the documents in `hidden`, then approve.

        Args:
            is_approved: the option; None asks. True suppresses `hidden`, which nobody looked at.
            hidden: documents that may hold secrets.
        """
        if is_approved is None and hidden:
            choices = click.Choice(("yes", "hide", "no"))
            documents = f"{len(hidden)} document{'' if len(hidden) == 1 else 's'}"
            question = f"\nApprove them? `hide` suppresses {documents} that may hold secrets, first"
            answer: str = click.prompt(question, type=choices, default="no", err=True)
            return answer
        if is_approved is None:
            is_approved = click.confirm("\nApprove them?", default=False, err=True)
        return ("hide" if hidden else "yes") if is_approved else "no"

    def require(self) -> None:
        """Raise UsageError if options are missing."""
        if self.missing:
            raise click.UsageError(
                f"Without a terminal, pass {', '.join(self.missing)} too. Nothing was changed."
            )


@dataclass(frozen=True, slots=True)
class Answers:
    name: str
    slug: str
    owner: str
    path: Path
    kind: str
    source_id: str


def collect(
    dialogue: Dialogue,
    *,
    name: str | None,
    slug: str | None,
    owner: str | None,
    path: Path | None,
    kind: str | None,
    source_id: str | None,
) -> Answers:
    """Complete the options. Nothing is stored yet.

    Raises:
        CommandError: the format of the path is unknown.
    """
    name = dialogue.ask(name, "--name", "Name of the organization", check=_line)
    # If --name is missing too, only report that.
    proposed = slug_of(name) or (None if name else "")
    slug = dialogue.ask(slug, "--slug", "Its short name in commands", proposed, _slug)
    owner = dialogue.ask(owner, "--owner", "Name of its owner, who decides", check=_line)
    typed = str(path) if path else None
    path = Path(dialogue.ask(typed, "PATH", "Folder or export to import", check=_path))
    if dialogue.missing:
        return Answers(name, slug, owner, path, "", "")
    kind = kind or _detect(dialogue, path)
    source_id = dialogue.ask(
        source_id, "--source", "Id of its source", propose_source(kind, path), _line
    )
    return Answers(name, slug, owner, path, kind, source_id)


def _detect(dialogue: Dialogue, path: Path) -> str:
    kind = catalog.detect(path)
    if kind == "load":
        raise CommandError(
            f"{path} is a bundle, which names its organization itself. Load it with "
            f"`orgctx load {path}`."
        )
    if kind == "archive":
        raise CommandError(
            f"{path} is the archive of an X account, which has its own posts. Mentions come from "
            "pages of the X API as JSON; see docs/importing.md."
        )
    if kind is None:
        kinds = catalog.names()
        if not dialogue.is_terminal:
            raise CommandError(
                f"The format of {path} is unknown. Pass --kind with one of {', '.join(kinds)}."
            )
        answer: str = click.prompt("Read it as", type=click.Choice(kinds), err=True)
        return answer
    say(f"{printable(path)} is read by `orgctx import {kind}`.")
    return kind


def _line(text: str) -> str:
    checked: Any = one_line(click.get_current_context(), None, text.strip())  # type: ignore[arg-type]
    return str(checked)


def _slug(text: str) -> str:
    try:
        return check_slug(_line(text))
    except DecisionRejected as error:
        raise click.BadParameter(str(error)) from None


def _path(text: str) -> str:
    path = Path(text.strip()).expanduser()
    if not path.exists():
        raise click.BadParameter(f"{text} does not exist.")
    return str(path)


UNFIT = re.compile(r"[^a-z0-9]+")


def propose_source(kind: str, path: Path) -> str:
    """Return the id of a new source, such as `docs:handbook`."""
    source = catalog.find(kind).source
    name = slug_of(path.resolve().name.partition(".")[0]) or "main"
    return f"{source}{name}" if source.endswith(":") else source


def slug_of(text: str) -> str:
    """Return a text in a-z, 0-9 and `-`; empty if it has no such letters."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return UNFIT.sub("-", plain).strip("-")[:100].strip("-")
