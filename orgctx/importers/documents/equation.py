"""Write equations of Office (OMML) as TeX. Symbols stay Unicode characters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
FUNCTION_APPLICATION = "\u2061"  # between a function and its argument; invisible
SPECIAL = str.maketrans(
    {character: f"\\{character}" for character in "#$%&_{}"}
    | {"\\": r"\backslash ", "^": r"\hat{}", FUNCTION_APPLICATION: " "}
)
ACCENTS = {
    "\u0300": "grave", "\u0301": "acute", "\u0302": "hat", "\u0303": "tilde", "\u0304": "bar",
    "\u0305": "overline", "\u0306": "breve", "\u0307": "dot", "\u0308": "ddot", "\u030c": "check",
    "\u20d7": "vec",
}  # fmt: skip
SUMS = {"∑": r"\sum", "∏": r"\prod", "∫": r"\int", "⋃": r"\bigcup", "⋂": r"\bigcap"}


def tex(element: Any) -> str:
    """Return an equation, or a part of one, as TeX. The parser of XML bounds its depth."""

    def part(name: str) -> str:
        child = element.find(f"{MATH}{name}")
        return "" if child is None else tex(child)

    name = element.tag.removeprefix(MATH) if isinstance(element.tag, str) else ""
    if name == "t":
        return (element.text or "").translate(SPECIAL)
    if name in ("m", "eqArr"):
        return _rows(element, name)
    if name == "d":
        return _delimited(element)
    if name in PARTS:
        return PARTS[name](element, part)
    if name.endswith("Pr"):
        return ""
    return "".join(tex(child) for child in element)


def _property(element: Any, name: str, default: str) -> str:
    """Return a value of the element's properties; `default` if it is not stated."""
    child = element.find(f"{MATH}{element.tag.removeprefix(MATH)}Pr/{MATH}{name}")
    return default if child is None else child.get(f"{MATH}val", default)


def _fraction(element: Any, part: Callable[[str], str]) -> str:
    if _property(element, "type", "bar") == "lin":
        return f"{part('num')}/{part('den')}"
    if _property(element, "type", "bar") == "noBar":
        return rf"{{{part('num')} \atop {part('den')}}}"
    return rf"\frac{{{part('num')}}}{{{part('den')}}}"


def _root(_: Any, part: Callable[[str], str]) -> str:
    degree = part("deg")
    return rf"\sqrt{f'[{degree}]' if degree else ''}{{{part('e')}}}"


def _sum(element: Any, part: Callable[[str], str]) -> str:
    symbol = _property(element, "chr", "∫")
    below, above = (_script(mark, part(name)) for mark, name in (("_", "sub"), ("^", "sup")))
    return f"{SUMS.get(symbol, symbol)}{below}{above} {part('e')}"


def _accent(element: Any, part: Callable[[str], str]) -> str:
    accent = ACCENTS.get(_property(element, "chr", "\u0302"), "hat")
    return rf"\{accent}{{{part('e')}}}"


def _bar(element: Any, part: Callable[[str], str]) -> str:
    is_above = _property(element, "pos", "bot") == "top"
    return rf"\{'overline' if is_above else 'underline'}{{{part('e')}}}"


def _script(mark: str, text: str) -> str:
    return f"{mark}{{{text}}}" if text else ""


def _rows(element: Any, name: str) -> str:
    rows = (
        element.findall(f"{MATH}mr") if name == "m" else [[e] for e in element.findall(f"{MATH}e")]
    )
    kind = "matrix" if name == "m" else "aligned"
    lines = (" & ".join(tex(cell) for cell in row) for row in rows)
    return rf"\begin{{{kind}}}" + r" \\ ".join(lines) + rf"\end{{{kind}}}"


def _delimited(element: Any) -> str:
    left, right = _property(element, "begChr", "("), _property(element, "endChr", ")")
    separator = _property(element, "sepChr", "|")
    inner = separator.join(tex(e) for e in element.findall(f"{MATH}e"))
    left, right = (side.translate(SPECIAL) or "." for side in (left, right))
    return rf"\left{left}{inner}\right{right}"


PARTS: dict[str, Callable[[Any, Callable[[str], str]], str]] = {
    "f": _fraction,
    "rad": _root,
    "nary": _sum,
    "acc": _accent,
    "bar": _bar,
    "sSup": lambda _, part: f"{part('e')}^{{{part('sup')}}}",
    "sSub": lambda _, part: f"{part('e')}_{{{part('sub')}}}",
    "sSubSup": lambda _, part: f"{part('e')}_{{{part('sub')}}}^{{{part('sup')}}}",
    "sPre": lambda _, part: f"{{}}_{{{part('sub')}}}^{{{part('sup')}}}{part('e')}",
    "limLow": lambda _, part: rf"\underset{{{part('lim')}}}{{{part('e')}}}",
    "limUpp": lambda _, part: rf"\overset{{{part('lim')}}}{{{part('e')}}}",
    "func": lambda _, part: f"{part('fName')} {part('e')}",
}
