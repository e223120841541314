"""The formats of documents."""

from __future__ import annotations

# The name of each format, by the suffix of the file.
BY_SUFFIX = {
    **dict.fromkeys((".html", ".htm", ".xhtml"), "HTML"),
    ".docx": "Word",
    ".pdf": "PDF",
    ".pptx": "PowerPoint",
    ".epub": "EPUB",
}
# What to do about formats that cannot be converted.
UNSUPPORTED = {
    **dict.fromkeys((".doc", ".rtf", ".odt", ".pages"), "save it as .docx"),
    **dict.fromkeys((".ppt", ".odp", ".key"), "save it as .pptx"),
    **dict.fromkeys((".xls", ".xlsx", ".ods", ".numbers"), "save it as .html or .pdf"),
    ".mobi": "save it as .epub",
}
