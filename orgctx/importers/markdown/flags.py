"""Members of front matter that hold a page back: one table of data.

docs/importing.md lists them. Names are compared without case, `-` and `_`.
"""

from __future__ import annotations

# Any value but a clear no holds the page back.
HOLD_IF_TRUE = (
    "draft",
    "isDraft",
    "hugo_draft",
    "private",
    "unlisted",
    "unpublished",
    "hidden",
    "internal",
    "secret",
    "confidential",
    "headless",
    "eleventyExcludeFromCollections",
)
# A clear no holds the page back.
HOLD_IF_FALSE = (
    "published", "isPublished", "publish", "public", "dg-publish", "share", "render", "routable",
)  # fmt: skip
STATUS = "status"
HOLD_IF_STATUS = ("draft", "private", "unpublished", "hidden", "internal", "unlisted", "pending")


def plain_name(name: str) -> str:
    """Normalize a name: `publishDate`, `publish_date` and `Publish-Date` are equal."""
    return name.lower().replace("_", "").replace("-", "")


NAMES = frozenset(plain_name(name) for name in (*HOLD_IF_TRUE, *HOLD_IF_FALSE, STATUS))
