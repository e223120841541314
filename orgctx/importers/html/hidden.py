"""Remove what a web page calls hidden: `hidden` and `display:none`, by itself or by a simple rule.

A panel that a visible control shows is text: of tabs, or what a script shows by `x-show`.
"""

import re
from typing import Any

from lxml import etree

DISPLAY_NONE = re.compile(r"(?:^|[;\s])display\s*:\s*none\b", re.I)
HIDDEN = etree.XPath(
    "//template | //datalist | //noembed | //noframes | //dialog[not(@open)]"
    " | //*[@hidden or @popover]"
)
SHOWN = etree.XPath("self::html or self::body or @role='tabpanel' or @x-show")
# A rule of a style sheet.
RULE = re.compile(r"(?<![^{}@])([^{}@]++)\{([^{}]*+)\}")
CONDITIONAL = re.compile(
    r"@(?!media\s+(?:screen|all)\s*\{)[^@{};]*+(?:;|\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\})"
)
STYLE_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)


def remove(element: Any) -> None:
    """Remove an element, but not the text after it."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    parent.remove(element)


def remove_hidden(tree: Any) -> int:
    """Remove the hidden elements. Returns how many of them have a text."""
    selectors = _hiding_selectors(tree)
    controls = {id_ for each in tree.iter() for id_ in (each.get("aria-controls") or "").split()}
    styled = (each for each in tree.iter("*") if _is_undisplayed(each, selectors))
    count = 0
    for element in dict.fromkeys((*HIDDEN(tree), *styled)):
        if not SHOWN(element) and element.get("id") not in controls:
            count += bool("".join(element.itertext()).strip())
            remove(element)
    return count


def _is_undisplayed(element: Any, selectors: set[str]) -> bool:
    tag = element.tag
    names = [f".{name}" for name in (element.get("class") or "").split()]
    names.append(f"#{element.get('id')}")
    own = STYLE_COMMENT.sub("", element.get("style") or "")
    is_selected = not selectors.isdisjoint((tag, *names, *(f"{tag}{name}" for name in names)))
    return is_selected or DISPLAY_NONE.search(own) is not None


def _hiding_selectors(tree: Any) -> set[str]:
    """Return the selectors that hide in the page's own styles.

    Those of one name count (`p`, `.note`, `#aside`, `p.note`), whatever other rules say.
    """
    selectors: set[str] = set()
    for style in tree.iter("style"):
        text = CONDITIONAL.sub("", STYLE_COMMENT.sub("", style.text or ""))
        for names, declarations in RULE.findall(text):
            if DISPLAY_NONE.search(declarations):
                selectors.update(map(str.strip, names.split(",")))
    return selectors
