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
SELECTOR = re.compile(r"([\w-]*)(?:([.#])([\w-]+))?")
# A comment for old browsers, which holds markup.
MARKUP = ("[if", "[en")
# The strength of a rule: whether it is important, the kind of its name, an element, the order.
_Strength = tuple[bool, int, int, int]
# Also the element, mark and name of a selector, and whether it hides.
_Rule = tuple[_Strength, str, str, str, bool]


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
    rules = _rules(tree)
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


def _is_hidden(element: Any, rules: list[_Rule]) -> bool:
    if element.tag in ("template", "datalist", "noembed", "noframes"):
        return True
    if element.tag == "dialog":
        return element.get("open") is None
    if element.get("hidden") is not None or element.get("popover") is not None:
        return True
    names = {".": (element.get("class") or "").split(), "#": [element.get("id")], "": [""]}
    own = _display(element.get("style") or "")
    applying = [
        (strength, is_hidden)
        for strength, tag, mark, name, is_hidden in rules
        if tag in ("", element.tag) and name in names[mark]
    ]
    if own:
        applying.append(((own[1], 3, 0, 0), own[0]))
    return max(applying)[1] if applying else False


def _rules(tree: Any) -> list[_Rule]:
    """Return the selectors of one name in the page's own styles."""
    rules: list[_Rule] = []
    for style in tree.iter("style"):
        text = CONDITIONAL.sub("", STYLE_COMMENT.sub("", style.text or ""))
        for rule in RULE.finditer(text):
            display = _display(rule[2])
            for selector in rule[1].split(",") if display else ():
                match = SELECTOR.fullmatch(selector.strip())
                if display and match and match[0]:
                    tag, mark, name = match[1], match[2] or "", match[3] or ""
                    rank = ("", ".", "#").index(mark)
                    strength = (display[1], rank, int(bool(tag)), len(rules))
                    rules.append((strength, tag, mark, name, display[0]))
    return rules


def _display(style: str) -> tuple[bool, bool] | None:
    """Return whether a style hides an element, and whether that is important."""
    values = DISPLAY.findall(STYLE_COMMENT.sub("", style))
    return (values[-1][0].lower() == "none", bool(values[-1][1])) if values else None
