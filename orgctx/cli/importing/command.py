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
from orgctx.importers.folder.document_set import ITEM_KINDS

OPTIONS = (
    click.option("--organization", required=True, metavar="ORG", help="Id or slug."),
    click.option(
        "--source", "source_id", required=True, metavar="ID", help="Source to import into."
    ),
    click.option("--dry-run", is_flag=True, help="Check everything, store nothing."),
    click.option("--as-bundle", is_flag=True, help="Print the records instead of loading them."),
    click.option(
        "--stale-after",
        "stale_after_seconds",
        metavar="SECONDS",
        type=click.IntRange(1, 2**31 - 1),
        help="Seconds from collection until the source is stale. Default for a new one: a week.",
    ),
    click.option(
        "--create",
        is_flag=True,
        help="Create the source even if a similarly named one exists.",
    ),
    json_option,
)
# Options that select the files of a folder and decide what happens to missing ones.
FOLDER_OPTIONS = (
    click.option(
        "--exclude",
        multiple=True,
        metavar="GLOB",
        help="Skip files that match, as in .gitignore; repeatable. See also .orgctxignore.",
    ),
    click.option(
        "--no-gitignore",
        "gitignore",
        is_flag=True,
        flag_value=False,
        default=True,
        help="Import files that a .gitignore matches, too.",
    ),
    click.option("--allow-empty", is_flag=True, help="Allow an empty folder to delete everything."),
    click.option(
        "--keep-missing", is_flag=True, help="Keep stored records whose files are missing."
    ),
)
FOLDER_NAMES = ("exclude", "gitignore", "allow_empty", "keep_missing")
library_option = click.option(
    "--as",
    "library",
    type=click.Choice([*ITEM_KINDS]),
    default="docs",
    show_default=True,
    help="What the files become.",
)


class Zone(click.ParamType[tzinfo]):
    """A time zone of the IANA database."""

    name = "timezone"

    def convert(self, value: Any, param: Any, ctx: Any) -> tzinfo:
        try:
            return ZoneInfo(value) if value != "UTC" else UTC
        except (ZoneInfoNotFoundError, ValueError, OSError):
            self.fail(f"Unknown time zone {value!r}. Use a name such as Europe/Berlin.", param, ctx)


def options(command: Any) -> Any:
    """Add the options of every import."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def folder_options(command: Any) -> Any:
    """Add the options of every import of a folder."""
    for option in reversed(FOLDER_OPTIONS):
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

    Each import is one transaction: an interrupted import stores nothing. Importing the same
    input again changes nothing. Input that cannot be read is reported with its place; the
    rest is loaded, and the exit status is 1.
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
    help="Time zone of times without one (exports before 2022), such as Europe/Berlin. "
    "Default: UTC.",
)
@click.option("--prune", is_flag=True, help="Delete stored messages that the export lacks.")
def telegram(file: Path, timezone: tzinfo, prune: bool, **keywords: Any) -> None:
    """A JSON export of Telegram Desktop: one chat or a whole account.

    Each group and channel of an account gets a source of its own, ID:chat<number> or
    ID:channel<number>. Messages from before a group became a supergroup go into
    ID:before-migration. The latest edit of a message wins, in whatever order you import.
    """
    convert = partial(importer("telegram"), file, timezone=timezone, prune=prune)
    _run(convert, [file], "chats", keywords)


@import_.command(
    epilog="Example: orgctx import x mentions.json --organization acme --source x:main"
)
@path_argument("files", "FILE...", files=-1)
@options
@click.option(
    "--account",
    metavar="USERNAME",
    help="Account whose mentions these are; required for a new source.",
)
def x(files: Sequence[Path], account: str | None, **keywords: Any) -> None:
    """Mentions from the X API v2: pages of JSON, or JSON Lines.

    Single posts, lines of a stream, posts flattened by twarc and compliance events (which
    delete) work too. The newest version of an edited post wins.
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
    help="DIR or a folder above it whose git repository dates the files. Default: DIR.",
)
@click.option("--include-drafts", is_flag=True, help="Load drafts too, visible to the team only.")
@folder_options
def markdown(folder: Path, **keywords: Any) -> None:
    """A folder of texts, or a Notion export as a .zip, as documents or team notes.

    Files that the site generator would not publish are skipped and counted.
    """
    history = keywords["history"]
    if history and not folder.resolve().is_relative_to(history.resolve()):
        raise click.UsageError("--history must name DIR or a folder above it")
    names = ("library", "history", "include_drafts", *FOLDER_NAMES)
    arguments = {name: keywords.pop(name) for name in names}
    _run(partial(importer("markdown"), folder, **arguments), [folder], "knowledge", keywords)


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
    help="Time for all conversions; files that are not reached keep their stored version.",
)
@folder_options
def documents(path: Path, **keywords: Any) -> None:
    """HTML, Word, PowerPoint, PDF and EPUB; a Confluence or Google Docs export as a .zip.

    Each file is converted to Markdown in a sandboxed process without network access.
    """
    arguments = {name: keywords.pop(name) for name in ("library", "minutes", *FOLDER_NAMES)}
    _run(partial(importer("documents"), path, **arguments), [path], "knowledge", keywords)


@import_.command(
    epilog="Example: orgctx import assets brand/ --organization acme --source assets:brand"
)
@path_argument("path", "DIR|FILE", folder=True)
@options
@folder_options
def assets(path: Path, **keywords: Any) -> None:
    """Names, types and sizes of files, without contents: a folder, datapackage.json or CSV."""
    arguments = {name: keywords.pop(name) for name in FOLDER_NAMES}
    _run(partial(importer("assets"), path, **arguments), [path], "assets", keywords)


def _run(
    convert: Callable[..., Any], paths: Sequence[Path], stored: str | None, keywords: dict[str, Any]
) -> None:
    run_import(Run(convert, paths, stored, **keywords))
