"""The formats of documents: the one table that converters, messages, help and docs follow."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

MIB = 1024 * 1024
MAX_FILE_BYTES = 64 * MIB
MAX_MAILBOX_BYTES = 4096 * MIB
MAX_EXPORT_BYTES = 1024 * MIB


@dataclass(frozen=True, slots=True)
class Format:
    """A format and the module here that converts it, which runs only in the sandbox.

    The module has `convert(content)`, which returns one document. If a file holds several, it has
    `convert_all(file, start)`, which yields each with the position after it.
    """

    title: str
    suffixes: tuple[str, ...]
    name: str
    max_bytes: int = MAX_FILE_BYTES
    holds_several: bool = False

    @property
    def module(self) -> str:
        """The module, whose import takes longer than most files."""
        return f"{__package__}.{self.name}"


FORMATS = (
    Format("HTML", (".html", ".htm", ".xhtml"), "web_page"),
    Format("saved web pages", (".mhtml", ".mht"), "saved_page"),
    Format("Word", (".docx",), "word"),
    Format("OpenDocument text", (".odt",), "odt"),
    Format("RTF", (".rtf",), "rtf"),
    Format("TextBundle", (".textbundle", ".textpack"), "text_bundle"),
    Format("PDF", (".pdf",), "pdf"),
    Format("EPUB", (".epub",), "book"),
    Format("PowerPoint", (".pptx",), "slides"),
    Format("Excel", (".xlsx", ".xlsm"), "workbook"),
    Format("CSV", (".csv", ".tsv"), "delimited"),
    Format("Jupyter notebooks", (".ipynb",), "notebook"),
    Format("mails", (".eml",), "mail"),
    Format("Outlook messages", (".msg",), "outlook"),
    Format("mailboxes", (".mbox",), "mailbox", MAX_MAILBOX_BYTES, holds_several=True),
    Format("Evernote exports", (".enex",), "evernote", MAX_EXPORT_BYTES, holds_several=True),
)
BY_SUFFIX = {suffix: format_ for format_ in FORMATS for suffix in format_.suffixes}
# What to do about formats that cannot be converted. Without .key and .dot: most of these files are
# private keys and graphs, not of Keynote and Word.
UNSUPPORTED = {
    **dict.fromkeys((".doc", ".docm", ".dotx", ".pages", ".wpd", ".wps"), "save it as .docx"),
    **dict.fromkeys((".ppt", ".pptm", ".pps", ".ppsx", ".odp"), "save it as .pptx"),
    **dict.fromkeys((".xls", ".xlsb", ".ods", ".numbers"), "save it as .xlsx"),
    **dict.fromkeys((".mobi", ".azw", ".azw3"), "save it as .epub"),
    **dict.fromkeys((".pst", ".ost", ".olm"), "export it as .mbox or .eml"),
    **dict.fromkeys((".one", ".onepkg"), "export its pages as .docx or .mht"),
    ".webarchive": "save it as .html",
    ".djvu": "save it as .pdf with text",
    ".xps": "save it as .pdf",
}
# The text of a TextBundle that is a folder.
BUNDLED_TEXT = re.compile(r"\.textbundle/text\.\w+\Z", re.IGNORECASE)


def suffix_of(path: str) -> str:
    """Return the suffix that decides how a file is converted, in lower case."""
    if BUNDLED_TEXT.search(path):
        return ".textbundle"
    suffix = PurePosixPath(path).suffix.lower()
    return "" if suffix == ".textbundle" else suffix


def is_supported(path: str) -> bool:
    return suffix_of(path) in BY_SUFFIX
