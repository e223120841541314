"""Find front matter in files that are not Markdown: it may say that they are drafts."""

from __future__ import annotations

from datetime import UTC, datetime

from orgctx.importers.documents.converted import ConversionError
from orgctx.importers.markdown.blocks import split
from orgctx.importers.markdown.front_matter import BrokenFrontMatter, FrontMatter
from orgctx.importers.markdown.rules import RULES


def has_front_matter(text: str) -> bool:
    """Return whether a text has front matter. Raises ConversionError if it cannot be read."""
    front, content = _split(text)
    return bool(front.members) or content != text


def without_front_matter(text: str) -> str:
    """Return the text after the front matter.

    Raises ConversionError if the front matter cannot be read, or holds the text back.
    """
    front, content = _split(text)
    now = datetime.now(UTC)
    if reason := next((label for label, rule in RULES.items() if rule(front, now)), None):
        raise ConversionError(f"is a draft or private; its front matter says {reason}")
    return content


def _split(text: str) -> tuple[FrontMatter, str]:
    try:
        return split(text.lstrip("\N{ZERO WIDTH NO-BREAK SPACE}"), is_markdown=False)
    except BrokenFrontMatter as error:
        raise ConversionError(str(error)) from None
