"""Write the numbers of paragraphs as Word shows them, such as 2., 1.1 and § 3."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
VALUE = f"{WORD}val"
# The longest chain of styles that are based on one another.
MOST_BASES = 20
PLACE = re.compile(r"%([1-9])")
ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
MOST_LETTERS, MOST_ROMAN = 780, 32_767  # as Word counts


class Numbering:
    """The lists of a document.

    part: the root of its numbering, empty if it has none. styles: by name.
    """

    def __init__(self, part: Any, styles: Mapping[str, Any]) -> None:
        self._styles = styles
        levels = {
            each.get(f"{WORD}abstractNumId"): {
                number(level.get(f"{WORD}ilvl"), 0): level for level in each.iter(f"{WORD}lvl")
            }
            for each in part.iterchildren(f"{WORD}abstractNum")
        }
        self._uses = {each.get(f"{WORD}numId"): each for each in part.iterchildren(f"{WORD}num")}
        # The levels of the list of each use.
        self._levels: dict[str, dict[int, Any]] = {
            name: levels.get(value(use, "abstractNumId"), {}) for name, use in self._uses.items()
        }
        # What the levels of a list have counted, by its name, and the uses that have begun.
        self._counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self._begun: set[str] = set()

    def label(self, settings: Any) -> str:
        """Return what stands before a paragraph: a number, an indented point, or nothing.

        settings: its properties, or None.
        """
        name, level = self._place(settings)
        levels = self._levels.get(name, {})
        if level not in levels:
            return ""
        if value(levels[level], "numFmt") == "bullet":
            return "  " * level + "- "
        if settings.find(f"{WORD}rPr/{WORD}del") is not None:
            return ""
        count = self._counts[value(self._uses[name], "abstractNumId")]
        if name not in self._begun:
            self._begun.add(name)
            self._restart(name, count)
        label = _counted(levels, level, count)
        return f"{label} " if label else ""

    def _place(self, settings: Any) -> tuple[str, int]:
        """Return the use of a list, empty if there is none, and the level of a paragraph."""
        style = value(settings, "pStyle")
        own = None if settings is None else settings.find(f"{WORD}numPr")
        numbers = (each.find(f"{WORD}pPr/{WORD}numPr") for each in bases(self._styles, style))
        inherited = next((each for each in numbers if each is not None), None)
        name = value(own, "numId") or value(inherited, "numId")
        levels = self._levels.get(name, {}).items()
        linked = (
            str(number) for number, each in levels if style and value(each, "pStyle") == style
        )
        level = value(own, "ilvl") or next(linked, value(inherited, "ilvl"))
        return name, number(level, 0)

    def _restart(self, name: str, count: dict[int, int]) -> None:
        """Set what a use of a list counts from, if it says so."""
        for override in self._uses[name].iter(f"{WORD}lvlOverride"):
            if start := value(override, "startOverride"):
                count[number(override.get(f"{WORD}ilvl"), 0)] = number(start, 1) - 1


def _counted(levels: dict[int, Any], level: int, count: dict[int, int]) -> str:
    """Count a paragraph of a level, and return its number."""
    starts = {each: number(value(element, "start"), 1) for each, element in levels.items()}
    count[level] = count.get(level, starts[level] - 1) + 1
    for deeper in [each for each in count if each > level]:
        del count[deeper]

    def shown(match: re.Match[str]) -> str:
        place = int(match[1]) - 1
        counted = count.get(place, starts.get(place, 1))
        return _written(counted, value(levels.get(place), "numFmt"))

    return PLACE.sub(shown, value(levels[level], "lvlText")).strip()


def _written(number: int, kind: str) -> str:
    """Write a number in letters or Roman numerals; in digits for other formats."""
    written = str(number)
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
