"""The formats that imports of folders read: the one table that help, messages and docs follow."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pkgutil import resolve_name
from typing import Any

MIB = 1024 * 1024
MAX_FILE_BYTES = 64 * MIB
# A distribution adds a format by an entry point of this group: the suffix without its dot, and a
# function from the content of a file, as bytes, to Markdown.
ENTRY_POINTS = "orgctx.formats"


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

    def load(self) -> Callable[[bytes], Any]:
        function: Callable[[bytes], Any] = resolve_name(self.function)
        return function


def _text(title: str, function: str, *suffixes: str) -> Format:
    return Format(title, suffixes, f"orgctx.importers.markdown:{function}", is_text=True)


def _document(title: str, function: str, *suffixes: str) -> Format:
    return Format(title, suffixes, f"orgctx.importers.formats.{function}")


FORMATS = (
    _text(
        "Markdown", "markdown", ".md", ".markdown", ".mdown", ".mkdown", ".mkdn", ".mkd", ".mdwn",
        ".qmd", ".rmd",
    ),
    _text("MDX", "mdx", ".mdx"),
    _text("AsciiDoc", "asciidoc", ".adoc", ".asciidoc"),
    _text("reStructuredText", "restructured_text", ".rst"),
    _text("Org", "org", ".org"),
    _text("plain text", "plain_text", ".txt", ".text"),
    Format("HTML", (".html", ".htm", ".xhtml"), "orgctx.importers.html.page:convert"),
    _document("Word", "word:convert", ".docx"),
    _document("PDF", "pdf:convert", ".pdf"),
    _document("PowerPoint", "slides:convert", ".pptx"),
    _document("Excel", "workbook:convert", ".xlsx", ".xlsm"),
    _document("CSV", "tables:delimited", ".csv", ".tsv"),
)  # fmt: skip
# Markdown in a vault of Obsidian, which has comments of its own.
OBSIDIAN = _text("Obsidian", "obsidian", ".md")
WEB_PAGES = FORMATS[6]
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
    """Return the formats by suffix; those of orgctx precede what other distributions add."""
    points = entry_points(group=ENTRY_POINTS)
    added = {f".{point.name.lower()}": point for point in points}
    return {
        suffix: Format(point.name, (suffix,), point.value, is_sandboxed=False)
        for suffix, point in added.items()
    } | {suffix: format_ for format_ in FORMATS for suffix in format_.suffixes}
