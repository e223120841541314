"""The importers, one row for each.

`orgctx import`, the keys of `orgctx sync`, `orgctx init`, the demo, the hint of a missing extra and
the tables in docs/ derive from these rows.
"""

import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name

from click import Choice, IntRange, Option

from orgctx.importers.folder.importer import KINDS
from orgctx.importers.formats import FORMATS
from orgctx.importers.records import Record
from orgctx.imports import ImportFailed

Records = Generator[Record, None, None]

# The modules that importers use of the extra `importers`.
LIBRARIES = (
    "html_to_markdown", "lxml", "markdown_it", "openpyxl", "pathspec", "pypdfium2", "re2", "yaml",
)  # fmt: skip


def _flag(name: str, text: str) -> Option:
    """Return an option without a value."""
    return Option([f"--{name}"], is_flag=True, help=text)


FOLDER_OPTIONS = (
    Option(
        ["--exclude"],
        multiple=True,
        metavar="GLOB",
        help="Skip files that match, as in .gitignore; repeatable. See also .orgctxignore.",
    ),
    _flag("keep-missing", "Keep stored records whose files are missing."),
)
DOCUMENT_OPTIONS = (
    Option(
        ["--as", "library"],
        type=Choice([*KINDS]),
        default="docs",
        show_default=True,
        help="What the files become.",
    ),
    _flag("include-drafts", "Load drafts too, visible to the team only."),
    _flag("source-files", "Import the sources of a site as they are."),
    _flag("all-versions", "Import all versions and languages of a built site."),
    Option(
        ["--minutes"],
        type=IntRange(1, 7 * 24 * 60),
        default=60,
        show_default=True,
        help="Time for all conversions; files that are not reached keep their stored version.",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """An importer.

    function: "module:name" of a generator of bundle records. It takes the path, or a list of paths,
        and as keywords `target`, `report` and the options.
    is_folder: whether it reads folders, which are as current as the import, and needs the extra
        `importers`. An export of another program has a time of its own.
    """

    name: str
    help: str  # its summary, and further paragraphs
    formats: Sequence[str] = ()  # the suffixes of the files that it reads
    function: str
    path: str  # what it reads, in the usage of its command
    takes_several: bool = False
    is_folder: bool = False
    source: str  # the id that `orgctx init` uses; the path's name follows a final colon
    example: tuple[str, str]  # the path and the source in the example of its command
    table: str  # of the stored records that it compares with
    options: Sequence[Option] = ()

    def load(self) -> Callable[..., Records]:
        """Import the function. Raises ImportFailed if a library is missing."""
        for library in LIBRARIES if self.is_folder else ():
            if find_spec(library) is None:
                raise ImportFailed(
                    f"This import needs {library}, which is not installed. "
                    "Run: pip install 'orgctx[importers]', or build the image with "
                    "--build-arg REQUIREMENTS=requirements-importers.txt"
                )
        function: Callable[..., Records] = resolve_name(self.function)
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
    options=(*DOCUMENT_OPTIONS, *FOLDER_OPTIONS),
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
        options=FOLDER_OPTIONS,
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
        options=(_flag("prune", "Delete stored messages that the export lacks within its span."),),
    ),
    Importer(
        name="x",
        help="Mentions from the X API v2: pages of JSON, or JSON Lines.\n\n"
        "Single posts and lines of a stream work too.",
        function="orgctx.importers.x.importer:records",
        path="FILE...",
        takes_several=True,
        source="x:main",
        example=("mentions.json", "x:main"),
        table="x_mentions",
        options=(
            Option(
                ["--account"],
                metavar="USERNAME",
                help="Account whose mentions were collected. Default: the only one that all posts "
                "mention.",
            ),
        ),
    ),
)
# Other names of one importer.
ALIASES = {name: replace(FOLDER, name=name) for name in ("markdown", "documents")}
BY_NAME = {row.name: row for row in IMPORTERS} | ALIASES


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
    """Return the command of `orgctx import` for a path; `load` for a bundle, None if unknown."""
    if path.is_dir():
        exports = [*path.glob("result.json"), *path.glob("messages*.html")]
        return "telegram" if exports else "folder"
    suffix = path.suffix.lower()
    if suffix in JSON:
        with path.open("rb") as file:
            if match := MEMBER.search(file.read(FIRST_BYTES)):
                return MEMBERS[match[1]]
    return "folder" if suffix in SUFFIXES else None
