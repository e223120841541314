"""The formats that imports of folders read: the one table that help, messages and docs follow."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pkgutil import resolve_name
from typing import Any

MIB = 1024 * 1024
MAX_FILE_BYTES = 64 * MIB
MAX_MAILBOX_BYTES = 4096 * MIB
MAX_EXPORT_BYTES = 1024 * MIB


@dataclass(frozen=True, slots=True)
class Format:
    """A format and the function that converts it.

    function: `module:name` below orgctx.importers. It takes the content of a file and returns one
        document. If a file holds several, it takes the file and an offset, and yields each document
        with the offset after it.
    is_sandboxed: whether it runs only in the sandbox.
    has_heading: whether the title of the file is added to the text.
    """

    title: str
    suffixes: tuple[str, ...]
    function: str
    max_bytes: int = MAX_FILE_BYTES
    holds_several: bool = False
    is_sandboxed: bool = True
    content_format: str = "markdown"
    has_heading: bool = False

    @property
    def module(self) -> str:
        """The module of the function, whose import takes longer than most files."""
        return f"orgctx.importers.{self.function.partition(':')[0]}"

    def load(self) -> Callable[..., Any]:
        function: Callable[..., Any] = resolve_name(f"orgctx.importers.{self.function}")
        return function

    @property
    def importer(self) -> str:
        """The name under which imports remember what this format made."""
        return "documents" if self.is_sandboxed else "markdown"


MARKDOWN = (
    ".md", ".markdown", ".mdown", ".mkdown", ".mkdn", ".mkd", ".mdwn", ".mdx", ".qmd", ".rmd",
)  # fmt: skip
PLAIN_TEXT = (".txt", ".text", ".rst", ".adoc", ".asciidoc", ".org")
CONVERT, EVERNOTE = "markdown.texts:convert", "formats.notes:evernote"
FORMATS = (
    Format("Markdown", MARKDOWN, CONVERT, is_sandboxed=False),
    Format("plain text", PLAIN_TEXT, CONVERT, is_sandboxed=False, content_format="plain_text"),
    Format("HTML", (".html", ".htm", ".xhtml"), "formats.html:page"),
    Format("saved web pages", (".mhtml", ".mht"), "formats.mail:saved_page"),
    Format("Word", (".docx",), "formats.word:convert"),
    Format("OpenDocument text", (".odt",), "formats.opendocument:convert"),
    Format("PDF", (".pdf",), "formats.pdf:convert"),
    Format("EPUB", (".epub",), "formats.html:book"),
    Format("PowerPoint", (".pptx",), "formats.slides:convert"),
    Format("Excel", (".xlsx", ".xlsm"), "formats.workbook:convert"),
    Format("CSV", (".csv", ".tsv"), "formats.tables:delimited"),
    Format("Jupyter notebooks", (".ipynb",), "formats.notes:notebook"),
    Format("mails", (".eml",), "formats.mail:mail"),
    Format("Outlook messages", (".msg",), "formats.mail:outlook"),
    Format("mailboxes", (".mbox",), "formats.mail:mailbox", MAX_MAILBOX_BYTES, holds_several=True),
    Format("Evernote exports", (".enex",), EVERNOTE, MAX_EXPORT_BYTES, holds_several=True),
)
BY_SUFFIX = {suffix: format_ for format_ in FORMATS for suffix in format_.suffixes}
TEXTS = {suffix: row for suffix, row in BY_SUFFIX.items() if not row.is_sandboxed}
DOCUMENTS = {suffix: row for suffix, row in BY_SUFFIX.items() if row.is_sandboxed}
# The files of a Notion export in Markdown: pages, and databases as CSV.
NOTION = {
    ".md": Format("Notion pages", (".md",), "markdown.texts:convert_notion", is_sandboxed=False),
    ".csv": replace(BY_SUFFIX[".csv"], title="Notion databases", has_heading=True),
}
# The format of a file that no function reads.
UNREAD = Format("", (), "")
# What to do about formats that cannot be converted. Without .key and .dot: most of these files are
# private keys and graphs, not of Keynote and Word.
UNSUPPORTED = {
    **dict.fromkeys((".doc", ".docm", ".dotx", ".pages", ".rtf", ".wpd"), "save it as .docx"),
    **dict.fromkeys((".ppt", ".pptm", ".pps", ".ppsx", ".odp"), "save it as .pptx"),
    **dict.fromkeys((".xls", ".xlsb", ".ods", ".numbers"), "save it as .xlsx"),
    **dict.fromkeys((".mobi", ".azw", ".azw3"), "save it as .epub"),
    **dict.fromkeys((".pst", ".ost", ".olm"), "export it as .mbox or .eml"),
    **dict.fromkeys((".one", ".onepkg"), "export its pages as .docx or .mht"),
    ".textpack": "unpack it",
    ".webarchive": "save it as .html",
    ".djvu": "save it as .pdf with text",
    ".xps": "save it as .pdf",
}


def suffixes(importer: str | None = None) -> list[str]:
    """Return the suffixes that an importer reads, or those that any importer reads, sorted."""
    return sorted(s for s, format_ in BY_SUFFIX.items() if importer in (None, format_.importer))
