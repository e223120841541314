"""The importers, one row for each: those of orgctx, and those that other distributions add.

`orgctx import`, the keys of `orgctx sync`, `orgctx init`, the demo, the hint of a missing extra and
the tables in docs/ derive from these rows.
"""

import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from orgctx.importers.folder.documents import ITEM_KINDS
from orgctx.importers.formats import FORMATS
from orgctx.importers.records import Record
from orgctx.imports import ImportFailed
from orgctx.schemas.fields import MAX_DESCRIPTION, MAX_NAME

Records = Generator[Record, None, None]

# A distribution adds an importer by an entry point of this group that names a row.
ENTRY_POINTS = "orgctx.importers"
# The modules that importers use of each extra.
LIBRARIES = {
    "importers": (
        "lxml", "markdown_it", "openpyxl", "pathspec", "pypdfium2", "re2", "yaml",
    ),
}  # fmt: skip
TABLES = ("assets", "knowledge", "telegram_messages", "x_mentions")


@dataclass(frozen=True, slots=True)
class Option:
    """An option of an import, which the importer's function takes as a keyword argument.

    key: its name in commands and in the file of a sync.
    type: bool for a flag, which inverts the default; str; a range of integers; a tuple of strings
        to choose from; Path for the imported folder or one above it; or a function that converts
        a string, and raises ValueError with a message for the user.
    keyword: the name of the argument, unless it is the key with underscores.
    """

    key: str
    help: str
    type: Any = bool
    default: Any = None
    is_list: bool = False
    metavar: str | None = None
    keyword: str = ""

    @property
    def name(self) -> str:
        return self.keyword or self.key.replace("-", "_")


def line(longest: int) -> Callable[[str], str]:
    """Return a type of options: a line of 1 to `longest` characters."""

    def convert(text: str) -> str:
        if not (0 < len(text) <= longest and text.isprintable()):
            raise ValueError(f"Use 1 to {longest} printable characters.")
        return text

    return convert


# Options of every import: fields of `imports.run.Import`.
OPTIONS = (
    Option(
        "stale-after",
        "Seconds from collection until the source is stale. Default of chats and posts: a week.",
        range(1, 2**31),
        metavar="SECONDS",
        keyword="stale_after_seconds",
    ),
    Option("create", "Create the source even if a similarly named one exists."),
    Option("label", "Name of the source.", line(MAX_NAME), metavar="TEXT"),
    Option("description", "Description of the source.", line(MAX_DESCRIPTION), metavar="TEXT"),
    Option("older", "Import what is older than the source, too."),
    Option("yes", "Replace and delete more than a fifth of an approved source without asking."),
)
IGNORING = "Skip files that match, as in .gitignore; repeatable. See also .orgctxignore."
NOT_IGNORING = "Import files that a .gitignore matches, too."
FOLDER_OPTIONS = (
    Option("exclude", IGNORING, str, is_list=True, metavar="GLOB"),
    Option("no-gitignore", NOT_IGNORING, default=True, keyword="gitignore"),
    Option("allow-empty", "Allow an empty folder to delete everything."),
    Option("keep-missing", "Keep stored records whose files are missing."),
)
LIBRARY = Option("as", "What the files become.", tuple(ITEM_KINDS), "docs", keyword="library")
HISTORY = Option(
    "history",
    "DIR or a folder above it whose git repository dates the files. Default: DIR.",
    Path,
    metavar="DIR",
)
PAGES = (
    LIBRARY,
    HISTORY,
    Option("include-drafts", "Load drafts too, visible to the team only."),
    Option("source-files", "Import the sources of a site as they are."),
    Option("all-versions", "Import all versions and languages of a built site."),
    Option(
        "minutes",
        "Time for all conversions; files that are not reached keep their stored version.",
        range(1, 7 * 24 * 60 + 1),
        default=60,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """An importer.

    function: "module:name" of a generator of bundle records. It takes the path, or a list of paths,
        and as keywords `target`, `report`, `progress` and the options.
    is_folder: whether it reads folders, which are as current as the import. An export of another
        program has a time of its own.
    """

    name: str
    help: str  # its summary, and further paragraphs
    formats: Sequence[str] = ()  # the suffixes of the files that it reads
    function: str
    path: str  # what it reads, in the usage of its command
    takes_folders: bool = True
    takes_several: bool = False
    is_folder: bool = False
    source: str  # the id that `orgctx init` proposes; the path's name follows a final colon
    example: tuple[str, str]  # the path and the source in the example of its command
    table: str  # the records that it compares with, one of TABLES
    options: Sequence[Option] = ()
    extra: str | None = None  # of orgctx, which it needs

    def load(self) -> Callable[..., Records]:
        """Import the function. Raises ImportFailed if it or a library is missing."""
        for library in LIBRARIES[self.extra] if self.extra else ():
            if find_spec(library) is None:
                raise ImportFailed(
                    f"This import needs {library}, which is not installed. "
                    f"Run: pip install 'orgctx[{self.extra}]', or build the image with "
                    f"--build-arg REQUIREMENTS=requirements-{self.extra}.txt"
                )
        try:
            module, _, name = self.function.partition(":")
            function: Callable[..., Records] = getattr(import_module(module), name)
        except (Exception, SystemExit) as error:  # whatever a foreign module raises
            raise unusable(self.name, error) from error
        return function


SUFFIXES = sorted(suffix for format_ in FORMATS for suffix in format_.suffixes)
FOLDER = Importer(
    name="folder",
    help="The texts, documents and web pages of a folder, or one file.\n\n"
    "Files are read as they are. The sources of a site are refused: import its built pages, or "
    "pass --source-files. Documents are converted in a sandbox without network access.",
    formats=SUFFIXES,
    function="orgctx.importers.folder.importer:records",
    path="PATH",
    is_folder=True,
    source="docs:",
    example=("handbook/", "docs:handbook"),
    table="knowledge",
    options=(*PAGES, *FOLDER_OPTIONS),
    extra="importers",
)
IMPORTERS = (
    FOLDER,
    Importer(
        name="assets",
        help="Names, types and sizes of the files of a folder, without contents.",
        function="orgctx.importers.assets:records",
        path="DIR",
        is_folder=True,
        source="assets:",
        example=("brand/", "assets:brand"),
        table="assets",
        options=(HISTORY, *FOLDER_OPTIONS),
        extra="importers",
    ),
    Importer(
        name="telegram",
        help="A JSON export of Telegram Desktop: one chat or a whole account.\n\n"
        "Each group and channel of an account gets a source of its own, ID:chat<number> or "
        "ID:channel<number>. An export that is older than the source needs --older.",
        function="orgctx.importers.telegram.importer:records",
        path="FILE|DIR",
        source="telegram:main",
        example=("result.json", "telegram:main"),
        table="telegram_messages",
        options=(Option("prune", "Delete stored messages that the export lacks within its span."),),
    ),
    Importer(
        name="x",
        help="Mentions from the X API v2: pages of JSON, or JSON Lines.\n\n"
        "Single posts and lines of a stream work too.",
        function="orgctx.importers.x.importer:records",
        path="FILE...",
        takes_folders=False,
        takes_several=True,
        source="x:main",
        example=("mentions.json", "x:main"),
        table="x_mentions",
        options=(
            Option(
                "account",
                "Account whose mentions were collected. Default: the only one that all posts "
                "mention.",
                str,
                metavar="USERNAME",
            ),
        ),
    ),
)
# Other names of one importer.
_ALIASES = {name: replace(FOLDER, name=name) for name in ("markdown", "documents")}
_BY_NAME = {row.name: row for row in IMPORTERS}


def names() -> list[str]:
    """Return the names of all importers; those of orgctx come first."""
    return [*dict.fromkeys((*_BY_NAME, *sorted(entry_points(group=ENTRY_POINTS).names)))]


def find(name: str) -> Importer:
    """Return the row of an importer; one of orgctx precedes others of its name.

    Raises KeyError for an unknown name, ImportFailed if another distribution's row is unusable.
    """
    known = _BY_NAME | _ALIASES
    points = () if name in known else tuple(entry_points(group=ENTRY_POINTS, name=name))
    if not points:
        return known[name]
    try:
        if len(points) > 1:
            raise ValueError("several distributions add it")
        row = points[0].load()
        if not isinstance(row, Importer) or row.name != name:
            raise TypeError(f"{points[0].value} is not a row of this name")
        if row.table not in TABLES or row.extra not in (None, *LIBRARIES):
            raise ValueError("its table or its extra is unknown")
    except (Exception, SystemExit) as error:  # whatever a foreign module raises
        raise unusable(name, error) from error
    return row


def unusable(name: str, error: BaseException) -> ImportFailed:
    """Return the error of an importer of another distribution whose row cannot be used."""
    points = entry_points(group=ENTRY_POINTS, name=name)
    owners = " and ".join(sorted(point.dist.name for point in points if point.dist))
    return ImportFailed(
        f"Importer {name} cannot be loaded ({type(error).__name__}: {error}). Correct or uninstall "
        f"{owners or 'its distribution'}."
    )


FIRST_BYTES = 64 * 1024
# The commands of records by their members; the first in a file decides.
MEMBERS = {
    b"organizationId": "load",
    b"messages": "telegram",
    b"chats": "telegram",
    b"left_chats": "telegram",
    b"author_id": "x",
    b"public_metrics": "x",
}
MEMBER = re.compile(rb'"(' + b"|".join(MEMBERS) + rb')"\s*:')
JSON = (".json", ".jsonl", ".ndjson")


def detect(path: Path) -> str | None:
    """Return the command of `orgctx import` for a path; `load` for a bundle, `archive` for
    one of an X account; None if unknown.
    """
    if path.is_dir():
        if any(path.glob("data/tweet*.js")):
            return "archive"
        exports = [*path.glob("result.json"), *path.glob("messages*.html")]
        return "telegram" if exports else "folder"
    suffix = path.suffix.lower()
    if suffix in JSON:
        with path.open("rb") as file:
            if match := MEMBER.search(file.read(FIRST_BYTES)):
                return MEMBERS[match[1]]
    return "folder" if suffix in SUFFIXES else None
