"""The formats of texts."""

from __future__ import annotations

# The content format by the extension of the file.
FORMATS = {
    **dict.fromkeys(
        (".md", ".markdown", ".mdown", ".mkdown", ".mkdn", ".mkd", ".mdwn", ".mdx"), "markdown"
    ),
    **dict.fromkeys((".txt", ".text", ".rst", ".adoc", ".asciidoc", ".org"), "plain_text"),
}
