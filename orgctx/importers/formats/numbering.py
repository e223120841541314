"""Write the numbers of paragraphs as Word shows them, such as 2., 1.1 and § 3."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
VALUE = f"{WORD}val"
# The longest chain of styles that are based on one another, and of lists of styles.
MOST_BASES = 20
PLACE = re.compile(r"%([1-9])")
ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
MOST_LETTERS = 780  # as Word counts
MOST_ROMAN = 32_767


class Numbering:
    """The lists of a document.

    part: the elements of its numbering. styles: by name.
    """

    def __init__(self, part: Iterable[Any], styles: Mapping[str, Any]) -> None:
        elements = [*part]
        uses = [each for each in elements if each.tag == f"{WORD}num"]
        self._styles = styles
        self._lists = {each.get(f"{WORD}abstractNumId"): each for each in elements}
        self._uses = {each.get(f"{WORD}numId"): each for each in uses}
        # By the name of a use: the name of its list, and its levels by number.
        self._levels = {name: self._find(name) for name in self._uses}
        # What the levels of a list have counted, by its name, and the uses that have begun.
        self._counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self._begun: set[str] = set()

    def label(self, settings: Any) -> str:
        """Return what stands before a paragraph: a number, an indented point, or nothing.

        settings: its properties, or None.
        """
        name, level = self._place(settings)
        key, levels = self._levels.get(name, ("", {}))
        shown = levels.get(level)
        if shown is None:
            return ""
        if value(shown, "numFmt") == "bullet":
            return "  " * level + "- "
        if settings.find(f"{WORD}rPr/{WORD}del") is not None:
            return ""
        count = self._counts[key]
        if name not in self._begun:
            self._begun.add(name)
            self._restart(name, count)
        label = _counted(levels, level, count)
        return label if not label or value(shown, "suff") == "nothing" else f"{label} "

    def _place(self, settings: Any) -> tuple[str, int]:
        """Return the use of a list, empty if there is none, and the level of a paragraph."""
        style = value(settings, "pStyle")
        own = None if settings is None else settings.find(f"{WORD}numPr")
        inherited = self._of_style(style)
        name = value(own, "numId") or value(inherited, "numId")
        level = value(own, "ilvl")
        if not level and inherited is not None:
            _, levels = self._levels.get(name, ("", {}))
            linked = (place for place, each in levels.items() if value(each, "pStyle") == style)
            return name, next(linked, number(value(inherited, "ilvl"), 0))
        return name, number(level, 0)

    def _of_style(self, style: str) -> Any:
        """Return what a style, or the nearest one on which it is based, says about numbers."""
        numbers = (each.find(f"{WORD}pPr/{WORD}numPr") for each in bases(self._styles, style))
        return next((each for each in numbers if each is not None), None)

    def _find(self, name: str) -> tuple[str, dict[int, Any]]:
        """Return the name of the list of a use, and its levels; a list may be that of a style."""
        linked, key, definition = name, "", None
        for _ in range(MOST_BASES):
            key = value(self._uses.get(linked), "abstractNumId")
            definition = self._lists.get(key)
            if not (link := value(definition, "numStyleLink")):
                break
            linked = value(self._of_style(link), "numId")
        elements = [each for each in (definition, self._uses[name]) if each is not None]
        levels = (level for each in elements for level in each.iter(f"{WORD}lvl"))
        return key, {number(level.get(f"{WORD}ilvl"), 0): level for level in levels}

    def _restart(self, name: str, count: dict[int, int]) -> None:
        """Set what a use of a list counts from, if it says so."""
        for override in self._uses[name].iter(f"{WORD}lvlOverride"):
            if start := value(override, "startOverride"):
                count[number(override.get(f"{WORD}ilvl"), 0)] = number(start, 1) - 1


def _counted(levels: Mapping[int, Any], level: int, count: dict[int, int]) -> str:
    """Count a paragraph of a level, and return its number."""
    count[level] = count[level] + 1 if level in count else _start(levels, level)
    for deeper in [each for each in count if each > level]:
        if level < number(value(levels.get(deeper), "lvlRestart"), deeper):
            del count[deeper]
    is_legal = is_on(levels[level].find(f"{WORD}isLgl"))

    def shown(match: re.Match[str]) -> str:
        place = int(match[1]) - 1
        counted = count.get(place, _start(levels, place))
        return _written(counted, "decimal" if is_legal else value(levels.get(place), "numFmt"))

    return PLACE.sub(shown, value(levels[level], "lvlText")).strip()


def _start(levels: Mapping[int, Any], level: int) -> int:
    return number(value(levels.get(level), "start"), 1)


def _written(number: int, kind: str) -> str:
    """Write a number in the characters of a format; digits for one that is not known."""
    if kind == "none":
        return ""
    written = f"{number:02}" if kind == "decimalZero" else str(number)
    if kind.endswith("Letter") and 0 < number <= MOST_LETTERS:
        written = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
    elif kind.endswith("Roman") and 0 < number <= MOST_ROMAN:
        written = ""
        for value, letters in ROMAN:
            written += letters * (number // value)
            number %= value
    return written.upper() if kind.startswith("upper") else written


def bases(styles: Mapping[str, Any], name: str) -> Iterator[Any]:
    """Yield a style, and those on which it and they are based."""
    for _ in range(MOST_BASES):
        if (style := styles.get(name)) is None:
            break
        yield style
        if not (name := value(style, "basedOn")):
            break


def is_on(mark: Any) -> bool:
    """Return whether an element that switches a property is there, and does not switch it off."""
    return mark is not None and mark.get(VALUE) not in ("0", "false", "off")


def value(element: Any, name: str) -> str:
    """Return the value of a child of an element; empty if either is missing."""
    child = None if element is None else element.find(f"{WORD}{name}")
    return "" if child is None else child.get(VALUE) or ""


def number(text: str | None, default: int) -> int:
    """Parse a number; the default for none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else default
