"""Write a part of a web page as Markdown."""

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

from orgctx.importers.formats.tables import markdown_table

LINE_END = "\x00"  # one that is not white space of the source
SPACE = re.compile(r"[ \t\n\r\f]+")
HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
BLOCKS = {
    *HEADINGS, "p", "div", "section", "article", "main", "header", "aside", "ul", "ol", "li", "dl",
    "dt", "dd", "table", "pre", "blockquote", "hr", "figure", "figcaption", "details", "summary",
    "fieldset", "address", "center", "body", "html", "form", "dialog", "tr", "menu", "caption",
}  # fmt: skip
MARKS = {
    "strong": "**", "b": "**", "em": "*", "i": "*", "del": "~~", "s": "~~", "strike": "~~",
}  # fmt: skip
CODE = ("code", "kbd", "samp", "tt")
LINKS = ("http", "https", "mailto", "")
# The language of a block of code, in a class or an attribute.
LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush: ?)([\w+#.-]+)"
)
NO_LANGUAGE = ("none", "text", "plain", "plaintext", "txt", "default", "notranslate")
FENCE, TICKS = re.compile(r"`{3,}"), re.compile("`+")
LINES = ("div", "p", "li", "tr")  # elements of code that are a line
MOST_SPAN = 1_000
TEX = ".//annotation[@encoding='application/x-tex']"
# Classes of words that styles part from the next: words that are only read aloud, and choices in a
# page of Notion.
APART = re.compile(r"(?:^|\s)(?:sr-only|visually-hidden|selected-value)(?:\s|$)")


def markdown_of(element: Any) -> str:
    """Write an element and its content, without the text after it."""
    return "\n\n".join(_Writer(element).blocks(element))


class _Writer:
    """Writes the elements of one tree."""

    def __init__(self, root: Any) -> None:
        self._is_in_table = False
        # The elements that contain blocks: an unknown one, such as of a tab, is a block then.
        self._containers: set[Any] = set()
        for block in root.iter(*BLOCKS):
            for element in (block, *block.iterancestors()):
                if element in self._containers:
                    break
                self._containers.add(element)

    def blocks(self, element: Any) -> list[str]:
        """Return the blocks of an element's content."""
        blocks: list[str] = []
        line: list[str] = [element.text or ""]
        for child in element:
            if not isinstance(child.tag, str):
                line.append(child.tail or "")
            elif child in self._containers:
                blocks += self._paragraph(line)
                blocks += self._block(child)
                line = [child.tail or ""]
            else:
                line += [self._inline(child), child.tail or ""]
        return blocks + self._paragraph(line)

    def _paragraph(self, line: list[str]) -> list[str]:
        text = paragraph(line)
        return [text] if text else []

    def _block(self, element: Any) -> list[str]:
        tag = element.tag
        if tag in HEADINGS:
            text = paragraph([self._text_of(element)]).replace("\n", " ")
            return [HEADINGS[tag] + text] if text else []
        if tag == "pre":
            return _code(element)
        if tag == "hr":
            return ["---"]
        if tag in ("ul", "ol", "menu"):
            return [self._list(element)] if len(element) else []
        if tag == "table":
            return self._table(element)
        blocks = self.blocks(element)
        if tag == "blockquote":
            return ["\n".join(f"> {line}".rstrip() for line in "\n\n".join(blocks).split("\n"))]
        if tag == "dd" and blocks:
            return [":   " + _indented("\n\n".join(blocks), "    ")]
        if tag == "summary" and blocks:
            return [f"**{' '.join(blocks)}**"]
        return blocks

    def _list(self, element: Any) -> str:
        number = int(start) if (start := element.get("start") or "1").isdecimal() else 1
        items = []
        for child in element:
            if not isinstance(child.tag, str):
                continue
            mark = "- "
            if element.tag == "ol":
                mark, number = f"{number}. ", number + 1
            blocks = self.blocks(child) if child.tag == "li" else self._block(child)
            is_tight = all(each.startswith(("- ", "1. ")) for each in blocks[1:])
            items.append(mark + _indented(("\n" if is_tight else "\n\n").join(blocks), mark))
        return "\n".join(items)

    def _table(self, element: Any) -> list[str]:
        """Write a table; that around code, a page, or a note and its icon, is only layout.

        Markdown has no table in a table: of an inner one, the cells follow one another.
        """
        rows = [row for row in element.iter("tr") if next(row.iterancestors("table")) is element]
        cells = [[cell for cell in row if cell.tag in ("td", "th")] for row in rows]
        is_layout = max(map(len, cells), default=0) < 2 or element.get("role") == "presentation"
        is_layout |= len(rows) == 1 and next(element.iter("pre"), None) is not None
        is_layout |= len(rows) == 1 and any("icon" in cell.get("class", "") for cell in cells[0])
        if is_layout or self._is_in_table:
            return (
                self.blocks(element)
                if not rows
                else [block for row in cells for cell in row for block in self.blocks(cell)]
            )
        caption = [block for each in element.iterchildren("caption") for block in self.blocks(each)]
        self._is_in_table = True
        texts = [[" ".join(self.blocks(cell)) for cell in row] for row in cells]
        self._is_in_table = False
        return [*caption, markdown_table(_filled(cells, texts))]

    def _text_of(self, element: Any) -> str:
        parts = [element.text or ""]
        for child in element:
            if isinstance(child.tag, str):
                parts.append(self._inline(child))
            parts.append(child.tail or "")
        return "".join(parts)

    def _inline(self, element: Any) -> str:
        tag = element.tag
        if tag == "br":
            return LINE_END
        if tag == "img":
            return str(element.get("alt") or "")
        if tag == "i" and not len(element) and not element.text:
            return str(element.get("title") or "")  # an icon, such as of a note
        if tag == "input":
            return "[x] " if element.get("checked") is not None else "[ ] "
        if tag == "math" and (tex := element.findtext(TEX)):
            return f"${tex.strip()}$"  # beside the same as symbols
        if tag in CODE:
            return _inline_code("".join(element.itertext()))
        text = self._text_of(element)
        if tag in MARKS and text.strip():
            return marked(text, MARKS[tag])
        if tag == "a" and text.strip() and (href := link_target(element.get("href"))):
            before, after = _margins(text)
            return f"{before}[{text.strip()}]({href}){' ' if _is_apart(element) else after}"
        if APART.search(element.get("class", "")):
            return f"{text} "
        return text


def _is_apart(link: Any) -> bool:
    """Return whether styles part a link from what follows it."""
    return not link.tail and link.getnext() is not None


def paragraph(parts: Iterable[str]) -> str:
    """Return a paragraph with single spaces, and the line ends that the page asks for."""
    text = SPACE.sub(" ", "".join(parts))
    return "\n".join(line.strip() for line in text.split(LINE_END)).strip()


def _margins(text: str) -> tuple[str, str]:
    return " " * text[:1].isspace(), " " * text[-1:].isspace()


def marked(text: str, mark: str) -> str:
    before, after = _margins(text)
    return f"{before}{mark}{text.strip()}{mark}{after}"


def _inline_code(text: str) -> str:
    text = SPACE.sub(" ", text)
    ticks = "`" * (max(map(len, TICKS.findall(text)), default=0) + 1)
    pad = " " * (text.startswith("`") or text.endswith("`"))
    return f"{ticks}{pad}{text}{pad}{ticks}" if text.strip() else text


def _indented(text: str, mark: str) -> str:
    return text.replace("\n", "\n" + " " * len(mark)).replace("\n" + " " * len(mark) + "\n", "\n\n")


def link_target(href: str | None) -> str:
    """Return the target of a link, without Google's redirect; nothing for a place in the page."""
    href = (href or "").strip()
    try:
        parts = urlsplit(href)
        if parts.netloc == "www.google.com" and parts.path == "/url":
            href = parse_qs(parts.query).get("q", [""])[0]
        scheme = urlsplit(href).scheme
    except ValueError:
        return ""
    return href.replace(" ", "%20") if scheme in LINKS and not href.startswith("#") else ""


def _code(element: Any) -> list[str]:
    """Write a block of code, with its language."""
    text = "".join(_code_parts(element)).strip("\n")
    if not text.strip():
        return []
    fence = "`" * max(3, 1 + max(map(len, FENCE.findall(text)), default=0))
    return [f"{fence}{_language(element)}\n{text}\n{fence}"]


def _code_parts(element: Any) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag == "br":
            yield "\n"
        elif isinstance(child.tag, str):
            text = "".join(_code_parts(child))
            yield text
            if child.tag in LINES and not text.endswith("\n"):
                yield "\n"
        yield child.tail or ""


def _language(element: Any) -> str:
    """Return the language that a block of code, the code in it or an element around it names."""
    around = [each for each, _ in zip(element.iterancestors(), range(3), strict=False)]
    for each in (element, *element.iter("code"), *around):
        names = LANGUAGE.findall(
            f"{each.get('class', '')} {each.get('data-syntaxhighlighter-params', '')}"
        )
        names += [each.get("data-lang") or "", each.get("data-language") or ""]
        for name in names:
            if name and name.lower() not in NO_LANGUAGE:
                return str(name)
    return ""


def _filled(cells: list[list[Any]], texts: list[list[str]]) -> list[list[str]]:
    """Return the rows of a table with merged cells repeated, so that values keep their column."""
    grid: list[dict[int, str]] = [{} for _ in cells]
    for number, row in enumerate(cells):
        column = 0
        for cell, text in zip(row, texts[number], strict=True):
            while column in grid[number]:
                column += 1
            across = range(column, column + _span(cell, "colspan"))
            for merged in grid[number : number + _span(cell, "rowspan")]:
                merged.update(dict.fromkeys(across, text))
    return [[row.get(place, "") for place in range(max(row, default=-1) + 1)] for row in grid]


def _span(cell: Any, name: str) -> int:
    text = cell.get(name) or "1"
    if name == "rowspan" and text == "0":
        return MOST_SPAN  # to the end of the table
    return min(int(text), MOST_SPAN) if text.isdecimal() and int(text) else 1
