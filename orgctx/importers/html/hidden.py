"""Remove what a web page calls hidden: comments, `hidden` and `display:none`.

A panel that a visible control shows is text: of tabs, or what a script shows by `x-show`.
"""

import re
from typing import Any

from lxml import etree

DISPLAY = re.compile(r"(?:^|[;{\s])display\s*:\s*([\w-]+)(\s*!\s*important)?", re.I)
# A rule of a style sheet, and a selector of one name: `p`, `.note`, `#aside`, `p.note`.
RULE = re.compile(r"(?<![^{}@])([^{}@]++)\{([^{}]*+)\}")
CONDITIONAL = re.compile(
    r"@(?!media\s+(?:screen|all)\s*\{)[^@{};]*+(?:;|\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\})"
)
STYLE_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
SELECTOR = re.compile(r"[\w-]*(?:[.#][\w-]+)?")
# A comment for old browsers, which holds markup.
MARKUP = ("[if", "[en")


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


def remove_comments(tree: Any) -> int:
    """Remove the comments. Returns how many are for people."""
    comments = list(tree.iter(etree.Comment))
    for comment in comments:
        remove(comment)
    texts = ((comment.text or "").strip()[:3].lower() for comment in comments)
    return sum(text not in MARKUP for text in texts)


def remove_hidden(tree: Any) -> int:
    """Remove the hidden elements. Returns how many of them have a text."""
    rules = _hiding_rules(tree)
    controls = {id_ for each in tree.iter() for id_ in (each.get("aria-controls") or "").split()}
    hidden = [each for each in tree.iter("*") if _is_hidden(each, rules)]
    count = 0
    for element in hidden:
        is_panel = element.get("role") == "tabpanel" or element.get("id") in controls
        if is_panel or element.get("x-show") is not None or element.tag in ("html", "body"):
            continue
        count += bool("".join(element.itertext()).strip())
        remove(element)
    return count


def _is_hidden(element: Any, rules: dict[str, bool]) -> bool:
    tag = element.tag
    if tag in ("template", "datalist", "noembed", "noframes"):
        return True
    if tag == "dialog":
        return element.get("open") is None
    if element.get("hidden") is not None or element.get("popover") is not None:
        return True
    names = [f".{name}" for name in (element.get("class") or "").split()]
    names.append(f"#{element.get('id')}")
    selectors = (tag, *names, *(f"{tag}{name}" for name in names))
    hiding = [rules[selector] for selector in selectors if selector in rules]
    own = _display(element.get("style") or "")
    # The element's own style precedes rules that are not important.
    return bool(hiding) if own is None else own[0] or any(hiding)


def _hiding_rules(tree: Any) -> dict[str, bool]:
    """Return the selectors of one name that hide in the page's own styles, and if importantly.

    Of two rules with different selectors, one that hides counts; of the same selector, the later
    one, unless only the earlier one is important.
    """
    rules: dict[str, bool] = {}
    for style in tree.iter("style"):
        text = CONDITIONAL.sub("", STYLE_COMMENT.sub("", style.text or ""))
        for rule in RULE.finditer(text):
            if (display := _display(rule[2])) is None:
                continue
            hides, is_important = display
            for selector in map(str.strip, rule[1].split(",")):
                was_important = rules.get(selector, False)
                if hides and SELECTOR.fullmatch(selector):
                    rules[selector] = is_important or was_important
                elif is_important or not was_important:
                    rules.pop(selector, None)
    return rules


def _display(style: str) -> tuple[bool, bool] | None:
    """Return whether a style hides an element, and whether that is important."""
    values = DISPLAY.findall(STYLE_COMMENT.sub("", style))
    if not values:
        return None
    value, important = ([each for each in values if each[1]] or values)[-1]
    return value.lower() == "none", bool(important)
