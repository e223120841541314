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
from orgctx.cli.options import SOURCE, organization_option
from orgctx.cli.output import json_option
from orgctx.importers.extra import importer
from orgctx.importers.folder.document_set import ITEM_KINDS
from orgctx.importers.formats.table import suffixes
from orgctx.schemas.fields import MAX_DESCRIPTION, MAX_NAME


def text(longest: int) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """Return a callback that checks a text of an option: one line of 1 to `longest` characters."""

    def check(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
        if value is not None and not (0 < len(value) <= longest and value.isprintable()):
            raise click.BadParameter(f"Use 1 to {longest} printable characters.")
        return value

    return check


OPTIONS = (
    organization_option,
    click.option(
        "--source",
        "source_id",
        required=True,
        metavar="ID",
        type=SOURCE,
        help="Source to import into.",
    ),
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
    click.option("--label", metavar="TEXT", callback=text(MAX_NAME), help="Name of the source."),
    click.option(
        "--description",
        metavar="TEXT",
        callback=text(MAX_DESCRIPTION),
        help="Description of the source.",
    ),
    click.option(
        "--restore", is_flag=True, help="Load records again that an import of later data deleted."
    ),
    click.option(
        "--yes",
        is_flag=True,
        help="Replace and delete more than a fifth of an approved source without asking.",
    ),
)
# Options of one run, which say nothing about what is imported.
OUTPUT_OPTIONS = (
    click.option("--dry-run", is_flag=True, help="Check everything, store nothing."),
    click.option("--as-bundle", is_flag=True, help="Print the records instead of loading them."),
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

history_option = click.option(
    "--history",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="DIR or a folder above it whose git repository dates the files. Default: DIR.",
)
drafts_option = click.option(
    "--include-drafts", is_flag=True, help="Load drafts too, visible to the team only."
)
minutes_option = click.option(
    "--minutes",
    type=click.IntRange(1, 7 * 24 * 60),
    default=60,
    show_default=True,
    help="Time for all conversions; files that are not reached keep their stored version.",
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
    for option in reversed((*OPTIONS, *OUTPUT_OPTIONS)):
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
    convert = importer("telegram.importer", needs_extra=False)
    _run(partial(convert, file, timezone=timezone, prune=prune), [file], "chats", keywords)


@import_.command(
    epilog="Example: orgctx import x mentions.json --organization acme --source x:main"
)
@path_argument("files", "FILE...", files=-1)
@options
@click.option(
    "--account",
    metavar="USERNAME",
    help="Account whose mentions were collected. Default: the only one that all posts mention.",
)
def x(files: Sequence[Path], account: str | None, **keywords: Any) -> None:
    """Mentions from the X API v2: pages of JSON, or JSON Lines.

    Single posts, lines of a stream, posts flattened by twarc and compliance events (which
    delete) work too. The newest version of an edited post wins.
    """
    convert = importer("x.importer", needs_extra=False)
    _run(partial(convert, files, account=account), files, "mentions", keywords)


@import_.command(
    name="folder",
    epilog="Example: orgctx import folder handbook/ --organization acme --source docs:handbook",
)
@path_argument("folder", "PATH", folder=True)
@options
@library_option
@history_option
@drafts_option
@minutes_option
@folder_options
def folder_(folder: Path, **keywords: Any) -> None:
    """Every text and document of a folder, a file, or a Notion or Confluence export as a .zip.

    Reads all that `import markdown` and `import documents` read, with the same ids. Files that the
    site generator would not publish are skipped and counted.
    """
    _check_history(folder, keywords["history"])
    names = ("library", "history", "include_drafts", "minutes", *FOLDER_NAMES)
    arguments = {name: keywords.pop(name) for name in names}
    convert = partial(importer("formats.importer"), folder, **arguments)
    _run(convert, [folder], "knowledge", keywords)


@import_.command(
    epilog="Example: orgctx import markdown handbook/ --organization acme --source docs:handbook"
)
@path_argument("folder", "DIR", folder=True)
@options
@library_option
@history_option
@drafts_option
@folder_options
def markdown(folder: Path, **keywords: Any) -> None:
    """A folder of texts, or a Notion export as a .zip, as documents or team notes.

    Deletes only what it could have loaded; `import folder` reads documents too. Files that the
    site generator would not publish are skipped and counted.
    """
    _check_history(folder, keywords["history"])
    names = ("library", "history", "include_drafts", *FOLDER_NAMES)
    arguments = {name: keywords.pop(name) for name in names}
    convert = partial(importer("formats.importer"), folder, only="markdown", **arguments)
    _run(convert, [folder], "knowledge", keywords)


@import_.command(
    epilog="Example: orgctx import documents wiki/ --organization acme --source docs:wiki"
)
@path_argument("path", "DIR|FILE", folder=True)
@options
@library_option
@minutes_option
@folder_options
def documents(path: Path, **keywords: Any) -> None:
    """Documents, tables, mails and notes; an export of Confluence, Google Docs or Notion (HTML).

    Deletes only what it could have loaded; `import folder` reads texts too. Each file is
    converted to Markdown in a sandboxed process without network access.
    """
    arguments = {name: keywords.pop(name) for name in ("library", "minutes", *FOLDER_NAMES)}
    convert = partial(importer("formats.importer"), path, only="documents", **arguments)
    _run(convert, [path], "knowledge", keywords)


@import_.command(
    epilog="Example: orgctx import assets brand/ --organization acme --source assets:brand"
)
@path_argument("path", "DIR|FILE", folder=True)
@options
@folder_options
def assets(path: Path, **keywords: Any) -> None:
    """Names, types and sizes of files, without contents: a folder, datapackage.json or CSV."""
    arguments = {name: keywords.pop(name) for name in FOLDER_NAMES}
    _run(partial(importer("assets.importer"), path, **arguments), [path], "assets", keywords)


# The help of each command lists its formats, from the table that the import uses.
for _command, _importer in ((folder_, None), (markdown, "markdown"), (documents, "documents")):
    _command.help = f"{_command.help}\n\nFormats: {', '.join(suffixes(_importer))}."


def _check_history(folder: Path, history: Path | None) -> None:
    if history and not folder.resolve().is_relative_to(history.resolve()):
        raise click.UsageError("--history must name the folder or one above it")


def _run(
    convert: Callable[..., Any], paths: Sequence[Path], stored: str, keywords: dict[str, Any]
) -> None:
    run_import(Run(convert, paths, stored, **keywords))
