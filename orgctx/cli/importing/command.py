"""orgctx import: commands that run the importers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, tzinfo
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from orgctx.cli.importing.run import Run, run_import
from orgctx.cli.output import json_option
from orgctx.importers.extra import importer
from orgctx.importers.folder.library import FORMS

OPTIONS = (
    click.option("--organization", required=True, metavar="ORG", help="Its id or slug."),
    click.option("--source", "source_id", required=True, metavar="ID", help="Where it goes."),
    click.option("--dry-run", is_flag=True, help="Check everything, store nothing."),
    click.option("--as-bundle", is_flag=True, help="Print the records instead of loading them."),
    click.option(
        "--stale-after",
        "stale_after_seconds",
        metavar="SECONDS",
        type=click.IntRange(1, 2**31 - 1),
        help="When it counts as stale, from its collection on; a week for a new source.",
    ),
    click.option(
        "--create", is_flag=True, help="Make the source, though its name is near another."
    ),
    json_option,
)
# Options that select files of a folder, and handle missing ones.
GONE_OPTIONS = (
    click.option(
        "--exclude",
        multiple=True,
        metavar="GLOB",
        help="Leave out what matches, as in .gitignore; repeatable. See also .orgctxignore.",
    ),
    click.option("--allow-empty", is_flag=True, help="Let an empty folder delete everything."),
    click.option("--keep-missing", is_flag=True, help="Delete nothing that the folder lacks."),
)
GONE = ("exclude", "allow_empty", "keep_missing")
library_option = click.option("--as", "library", type=click.Choice([*FORMS]), default="docs")


class Zone(click.ParamType[tzinfo]):
    """A time zone of the IANA database."""

    name = "timezone"

    def convert(self, value: Any, param: Any, ctx: Any) -> tzinfo:
        try:
            return ZoneInfo(value) if value != "UTC" else UTC
        except (ZoneInfoNotFoundError, ValueError, OSError):
            self.fail(f"{value!r} is no time zone; name one such as Europe/Berlin", param, ctx)


def options(command: Any) -> Any:
    """Options of every import."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def gone_options(command: Any) -> Any:
    """Options of every import of a folder."""
    for option in reversed(GONE_OPTIONS):
        command = option(command)
    return command


def path_argument(
    name: str, metavar: str, *, files: int = 1, folder: bool = False
) -> Callable[[Any], Any]:
    kind = click.Path(exists=True, file_okay=True, dir_okay=folder, path_type=Path)
    return click.argument(name, nargs=files, required=True, metavar=metavar, type=kind)


@click.group()
def import_() -> None:
    """Load real exports and folders.

    Each import is one transaction: an interrupted one leaves nothing. Importing the same
    again changes nothing. What cannot be read is reported with its place, the rest is
    loaded, and the exit status is then 1.
    """


@import_.command(
    epilog="Example: orgctx import telegram result.json --organization acme --source telegram:main"
)
@path_argument("file", "FILE|DIR", folder=True)
@options
@click.option(
    "--timezone",
    metavar="NAME",
    type=Zone(),
    default="UTC",
    help="Of times without one, in exports before 2022: such as Europe/Berlin. Default: UTC.",
)
@click.option("--prune", is_flag=True, help="Delete stored messages that the export lacks.")
def telegram(file: Path, timezone: tzinfo, prune: bool, **keywords: Any) -> None:
    """A JSON export of Telegram Desktop, of one chat or of an account.

    Of an account, each group and channel goes into a source of its own, ID:chat<number>
    or ID:channel<number>; what was said in a group before it became a supergroup, into
    ID:before-migration. The later edit of a message stays, whichever export is imported last.
    """
    convert = partial(importer("telegram"), file, timezone=timezone, prune=prune)
    _run(convert, [file], "chats", keywords)


@import_.command(
    epilog="Example: orgctx import x mentions.json --organization acme --source x:main"
)
@path_argument("files", "FILE...", files=-1)
@options
@click.option(
    "--account", metavar="USERNAME", help="Whose mentions they are, if the source is new."
)
def x(files: Sequence[Path], account: str | None, **keywords: Any) -> None:
    """Mention responses of the X API v2: pages of JSON, or JSON Lines.

    Also single posts, lines of a stream, posts flattened by twarc, and compliance events,
    which delete. Of an edited post the newest version stays.
    """
    _run(partial(importer("x"), files, account=account), files, "mentions", keywords)


@import_.command(
    epilog="Example: orgctx import markdown handbook/ --organization acme --source docs:handbook"
)
@path_argument("folder", "DIR", folder=True)
@options
@library_option
@click.option(
    "--history",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder above whose git repository dates the files; else only one that DIR begins.",
)
@click.option("--include-drafts", is_flag=True, help="Load drafts too, visible only to the team.")
@gone_options
def markdown(folder: Path, **keywords: Any) -> None:
    """A folder of texts, as documents or as team notes; or a Notion export as a .zip.

    What its site generator would not publish is left out and counted.
    """
    history = keywords["history"]
    if history and not folder.resolve().is_relative_to(history.resolve()):
        raise click.UsageError("--history must name a folder above DIR, or DIR itself")
    names = ("library", "history", "include_drafts", *GONE)
    own = {name: keywords.pop(name) for name in names}
    _run(partial(importer("markdown"), folder, **own), [folder], "knowledge", keywords)


@import_.command(
    epilog="Example: orgctx import documents wiki/ --organization acme --source docs:wiki"
)
@path_argument("path", "DIR|FILE", folder=True)
@options
@library_option
@click.option(
    "--minutes",
    type=click.IntRange(1, 7 * 24 * 60),
    default=60,
    show_default=True,
    help="For all conversions; what they do not reach stays as it is.",
)
@gone_options
def documents(path: Path, **keywords: Any) -> None:
    """HTML, Word, PowerPoint, PDF and EPUB; an export of Confluence or Google Docs as a .zip.

    Each becomes Markdown, converted without network by a process that can do nothing else.
    """
    own = {name: keywords.pop(name) for name in ("library", "minutes", *GONE)}
    _run(partial(importer("documents"), path, **own), [path], "knowledge", keywords)


@import_.command(
    epilog="Example: orgctx import assets brand/ --organization acme --source assets:brand"
)
@path_argument("path", "DIR|FILE", folder=True)
@options
@gone_options
def assets(path: Path, **keywords: Any) -> None:
    """Names, types and sizes of files, never contents: of a folder, datapackage.json or CSV."""
    own = {name: keywords.pop(name) for name in GONE}
    _run(partial(importer("assets"), path, **own), [path], "assets", keywords)


def _run(
    convert: Callable[..., Any], paths: Sequence[Path], stored: str | None, keywords: dict[str, Any]
) -> None:
    run_import(Run(convert, paths, stored, **keywords))
