"""Convert Word documents: what a reader sees, and equations as TeX."""

from __future__ import annotations

import re
from collections import Counter
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import mammoth  # type: ignore[import-untyped]
from lxml import etree

from orgctx.importers.documents.converted import Converted
from orgctx.importers.documents.equation import MATH, tex
from orgctx.importers.documents.package_file import count, open_package, parse, properties
from orgctx.importers.documents.web_page import markdown_of

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
# The namespaces of a document that Word saved as Strict Open XML, and those of other documents.
NAMESPACES = {
    b"http://purl.oclc.org/ooxml/wordprocessingml/main": WORD[1:-1].encode(),
    b"http://purl.oclc.org/ooxml/officeDocument/math": MATH[1:-1].encode(),
}
PARTS = re.compile(r"word/(document|footnotes|endnotes)\d*\.xml\Z")
MARGINS = re.compile(r"word/(header|footer)\d*\.xml\Z")
# Elements that hold text of earlier versions.
DELETED = (f"{WORD}del", f"{WORD}moveFrom")
# Shown in place of an equation during the conversion, because Markdown would escape its TeX.
MARK = "\ue000{}\ue001"
MARKS = re.compile("\ue000(\\d{1,9})\ue001")
# The longest chain of styles that are based on one another.
MOST_BASES = 20
IS_OFF = ("0", "false", "off")


def convert(content: bytes) -> Converted:
    """Convert a document. Comments, deleted and hidden text are counted."""
    archive = open_package(content)
    document = Converted(**properties(archive))
    equations: list[str] = []
    visible = _visible(archive, equations, document.skipped)
    html = mammoth.convert_to_html(
        visible, convert_image=mammoth.images.img_element(lambda _: {"src": ""})
    )
    document.content = MARKS.sub(
        lambda mark: equations[int(mark[1])] if int(mark[1]) < len(equations) else "",
        markdown_of(html.value, document.skipped),
    )
    document.skipped += Counter(
        {
            "comment": count(archive, "word/comments.xml", "comment"),
            "header or footer": sum(
                any(_tree(archive.read(name)).itertext(f"{WORD}t"))
                for name in archive.namelist()
                if MARGINS.match(name)
            ),
        }
    )
    return document


def _visible(archive: ZipFile, equations: list[str], skipped: Counter[str]) -> BytesIO:
    """Copy the document without deleted and hidden text, and with marks for equations."""
    copy, hidden = BytesIO(), _hidden_styles(archive)
    with ZipFile(copy, "w") as target:
        for member in archive.infolist():
            data = archive.read(member)
            if PARTS.match(member.filename):
                tree = _tree(data)
                _remove_deleted(tree, skipped)
                _remove_hidden(tree, hidden, skipped)
                _mark_equations(tree, equations)
                data = etree.tostring(tree)
            target.writestr(member.filename, data)
    copy.seek(0)
    return copy


def _remove_deleted(tree: Any, skipped: Counter[str]) -> None:
    for element in list(tree.iter(*DELETED)):
        if any(True for _ in element.iter(f"{WORD}delText", f"{WORD}t")):
            skipped["deleted text of a tracked change"] += 1
            _remove(element)
    for element in list(tree.iter(f"{WORD}moveTo")):
        element.tag = f"{WORD}ins"


def _hidden_styles(archive: ZipFile) -> set[str]:
    """Return the ids of the styles whose text is hidden."""
    if "word/styles.xml" not in archive.namelist():
        return set()
    tree = _tree(archive.read("word/styles.xml"))
    styles = {style.get(f"{WORD}styleId"): style for style in tree.iter(f"{WORD}style")}
    return {name for name in styles if _is_hidden(styles, name)}


def _is_hidden(styles: dict[str, Any], name: str) -> bool:
    """Return whether a style, or the nearest one on which it is based, hides text."""
    for _ in range(MOST_BASES):
        if (style := styles.get(name)) is None:
            return False
        mark = style.find(f"{WORD}rPr/{WORD}vanish")
        if mark is not None:
            return _is_on(mark)
        base = style.find(f"{WORD}basedOn")
        name = base.get(f"{WORD}val") if base is not None else ""
    return False


def _tree(data: bytes) -> Any:
    for strict, usual in NAMESPACES.items():
        data = data.replace(strict, usual)
    return parse(data)


def _is_on(mark: Any) -> bool:
    return mark is not None and mark.get(f"{WORD}val") not in IS_OFF


def _remove_hidden(tree: Any, styles: set[str], skipped: Counter[str]) -> None:
    for run in list(tree.iter(f"{WORD}r", f"{MATH}r")):
        paragraph = next(run.iterancestors(f"{WORD}p"), None)
        names = [run.find(f"{WORD}rPr/{WORD}rStyle")]
        names += [paragraph.find(f"{WORD}pPr/{WORD}pStyle")] if paragraph is not None else []
        vanish = run.find(f"{WORD}rPr/{WORD}vanish")
        by_style = any(n is not None and n.get(f"{WORD}val") in styles for n in names)
        if _is_on(vanish) or (vanish is None and by_style):
            skipped["hidden text"] += 1
            _remove(run)


def _mark_equations(tree: Any, equations: list[str]) -> None:
    for equation in list(tree.iter(f"{MATH}oMath")):
        parent = equation.getparent()
        is_block = parent is not None and parent.tag == f"{MATH}oMathPara"
        quote = "$$" if is_block else "$"
        run = etree.Element(f"{WORD}r")
        etree.SubElement(run, f"{WORD}t").text = MARK.format(len(equations))
        equations.append(f"{quote}{tex(equation)}{quote}")
        run.tail = equation.tail
        parent.replace(equation, run)
    for block in list(tree.iter(f"{MATH}oMathPara")):
        block.tag = f"{WORD}ins"  # whose runs are read, unlike those of an unknown element


def _remove(element: Any) -> None:
    if (parent := element.getparent()) is not None:
        parent.remove(element)
