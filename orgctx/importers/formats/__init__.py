"""The formats that imports of folders read, and what a function of one returns.

Help, messages and docs follow the one table.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import entry_points
from pkgutil import resolve_name
from typing import Any

from orgctx.resources.knowledge.segment import MAX_CONTENT_UNITS
from orgctx.schemas.text import utf16_length

MIB = 1024 * 1024
MAX_FILE_BYTES = 64 * MIB
# A distribution adds or replaces a format by an entry point of this group: the suffix without its
# dot, and a function from the content of a file, as bytes, to Markdown.
ENTRY_POINTS = "orgctx.formats"
EMPTY_LINES = re.compile(r"\n{3,}")


class ConversionError(Exception):
    """The file cannot be converted; the message says why."""


@dataclass(slots=True)
class Facts:
    """What a page of a site says about itself. Addresses are as they stand in the page."""

    address: str = ""  # the canonical one
    language: str = ""
    component: str = ""  # what has versions
    version: str = ""
    edit_link: str = ""
    is_redirect: bool = False
    is_generated: bool = False  # by a program that builds sites
    is_noindex: bool = False


@dataclass(slots=True)
class Converted:
    """A document. reason: why its file holds it back, empty if it does not."""

    content: str = ""
    title: str = ""
    created: float | None = None  # Unix seconds; None if unknown
    updated: float | None = None
    content_format: str = "markdown"
    reason: str = ""
    href: str | None = None
    visibility: str | None = None  # None: the default of its kind
    is_archived: bool = False
    # Parts that are left out, and defects that are repaired, by reason.
    skipped: Counter[str] = field(default_factory=Counter)
    repaired: Counter[str] = field(default_factory=Counter)
    facts: Any = None  # Facts of a web page, or their members


@dataclass(frozen=True, slots=True)
class Format:
    """A format.

    function: `module:name` of a function from the content of a file, as bytes, to a Converted.
    is_text: whether the text stays as it is. Other files are converted in a process of their own
        each, because their libraries are large.
    is_sandboxed: whether a sandbox converts it; not for other distributions.
    """

    title: str
    suffixes: tuple[str, ...]
    function: str
    is_text: bool = False
    is_sandboxed: bool = True

    @property
    def module(self) -> str:
        """The module of the function, whose import takes longer than most files."""
        return self.function.partition(":")[0]


def _text(title: str, function: str, *suffixes: str) -> Format:
    return Format(title, suffixes, f"orgctx.importers.markdown:{function}", is_text=True)


def _document(title: str, function: str, *suffixes: str) -> Format:
    return Format(title, suffixes, f"orgctx.importers.formats.{function}")


MARKDOWN = _text(
    "Markdown", "markdown", ".md", ".markdown", ".mdown", ".mkdown", ".mkdn", ".mkd", ".mdwn",
    ".qmd", ".rmd",
)  # fmt: skip
WEB_PAGES = Format("HTML", (".html", ".htm", ".xhtml"), "orgctx.importers.html.page:convert")
FORMATS = (
    MARKDOWN,
    _text("MDX", "mdx", ".mdx"),
    _text("AsciiDoc", "asciidoc", ".adoc", ".asciidoc"),
    _text("reStructuredText", "restructured_text", ".rst"),
    _text("Org", "org", ".org"),
    _text("plain text", "plain_text", ".txt", ".text"),
    WEB_PAGES,
    _document("Word", "word:convert", ".docx"),
    _document("PDF", "pdf:convert", ".pdf"),
    _document("PowerPoint", "slides:convert", ".pptx"),
    _document("Excel", "workbook:convert", ".xlsx", ".xlsm"),
    _document("CSV", "tables:delimited", ".csv", ".tsv"),
)
# Markdown in a vault of Obsidian, which has comments of its own.
OBSIDIAN = _text("Obsidian", "obsidian", ".md")
PANDOC = "convert it: pandoc -t gfm FILE -o FILE.md"
MAIL = "save its messages as .html or .pdf"
UNPACK = "unpack it, and import the folder"
# What to do about formats that cannot be converted. Without .key and .dot: most of these files are
# private keys and graphs, not of Keynote and Word.
UNSUPPORTED = {
    **dict.fromkeys((".odt", ".epub", ".rtf", ".mediawiki", ".textile", ".opml"), PANDOC),
    **dict.fromkeys((".doc", ".docm", ".dotx", ".pages", ".wpd"), "save it as .docx"),
    **dict.fromkeys((".ppt", ".pptm", ".pps", ".ppsx", ".odp"), "save it as .pptx"),
    **dict.fromkeys((".xls", ".xlsb", ".ods", ".numbers"), "save it as .xlsx"),
    **dict.fromkeys((".eml", ".mbox", ".msg", ".pst", ".ost", ".olm"), MAIL),
    **dict.fromkeys((".mhtml", ".mht", ".webarchive", ".enex"), "save it as .html"),
    **dict.fromkeys((".mobi", ".azw", ".azw3"), "save it as .epub, then pandoc -t gfm"),
    **dict.fromkeys((".one", ".onepkg"), "export its pages as .docx"),
    **dict.fromkeys((".zip", ".tar", ".tgz", ".7z", ".rar", ".textpack"), UNPACK),
    ".ipynb": "convert it: jupyter nbconvert --to markdown FILE",
    ".djvu": "save it as .pdf with text",
    ".xps": "save it as .pdf",
}


@cache
def by_suffix() -> dict[str, Format]:
    """Return the formats by suffix; what other distributions add precedes those of orgctx."""
    added = (
        Format(point.name, (f".{point.name.lower()}",), point.value, is_sandboxed=False)
        for point in entry_points(group=ENTRY_POINTS)
    )
    return {suffix: format_ for format_ in (*FORMATS, *added) for suffix in format_.suffixes}


def convert(format_: Sequence[Any], content: bytes) -> Converted:
    """Convert a file, also in the sandbox. Raises ConversionError, or an error of a library.

    format_: the function and `is_text` of its Format.
    """
    function, is_text = format_
    if len(content) > MAX_FILE_BYTES:
        raise ConversionError(f"exceeds {MAX_FILE_BYTES >> 20} MiB; split it, or pass --exclude")
    result = resolve_name(function)(content)
    document = result if isinstance(result, Converted) else Converted(content=result)
    text = _storable(document.content)
    if utf16_length(text) > MAX_CONTENT_UNITS:
        raise ConversionError(
            f"contains more than {MAX_CONTENT_UNITS:,} UTF-16 units of text; split it"
        )
    document.content = text if is_text else EMPTY_LINES.sub("\n\n", text).strip() + "\n"
    document.title = " ".join(_storable(document.title).split())
    return document


def _storable(text: str) -> str:
    """Return a text that PostgreSQL stores: without NUL and halves of surrogate pairs."""
    return text.replace("\0", "").encode(errors="replace").decode()


def seconds(value: Any) -> float | None:
    """Parse an ISO 8601 date or time, or a value that reads as one; None if it is not one.

    Times without a zone are read as UTC.
    """
    try:
        time = datetime.fromisoformat(str(value).strip())
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
