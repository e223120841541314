"""Text that a reader does not see is in no record, and is counted; visible text is found.

For each suffix, hidden/ has a file of ways to hide the word SECRET, and whole/ one of ways to show
text, each after the words that must be found.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from orgctx.importers.folder.conversion import Converted
from orgctx.importers.formats import BY_SUFFIX, TEXTS
from tests.importers.conftest import imported, markdown
from tests.importers.office import (
    archive,
    book,
    members,
    open_text,
    paragraph,
    pdf,
    shape,
    sheet,
    slide,
    word,
)

pytestmark = pytest.mark.filterwarnings("ignore:Workbook contains no")
SHOWN, SECRET = "SHOWN", "SECRET"


def docx(body: str, styles: str = "") -> bytes:
    return word(paragraph("HEAD") + body, parts={"styles": styles} if styles else {})


def html(source: str) -> bytes:
    return f"<body><p>HEAD</p>{source}</body>".encode()


def xlsx(content: str, styles: str = "", drawing: str = "") -> bytes:
    start, _, rows = content.rpartition("<sheetData>")
    first = '<row r="1" ht="9"><c r="A1" t="inlineStr"><is><t>HEAD</t></is></c></row>'
    return sheet(f"{start}<sheetData>{first}{rows}</sheetData>", styles, drawing)


def odt(body: str, styles: str = "") -> bytes:
    return open_text(f"<text:p>HEAD</text:p>{body}", styles)


def pptx(*shapes: str) -> bytes:
    return slide(shape("HEAD"), *shapes)


def page(drawn: str, page: str = "", catalog: str = "", *more: str) -> bytes:
    return pdf("HEAD", page=page, more=("<<>>", *more), drawn=drawn, catalog=catalog)


def ipynb(cell: str) -> bytes:
    first = '{"cell_type": "markdown", "source": "HEAD"}'
    return f'{{"metadata": {{}}, "cells": [{first}, {cell}]}}'.encode()


BUILDERS: Mapping[str, Callable[..., bytes]] = {
    ".docx": docx, ".eml": str.encode, ".epub": book, ".html": html, ".ipynb": ipynb,
    ".mhtml": str.encode, ".odt": odt, ".pdf": page, ".pptx": pptx, ".xlsx": xlsx,
}  # fmt: skip


def cases(folder: str) -> Iterator[Any]:
    for path in sorted(Path(__file__).with_name(folder).glob("*.yaml")):
        rows = yaml.safe_load(path.read_text("utf-8"))
        for name, source in rows.items():
            yield pytest.param(f".{path.stem}", source, id=f"{path.stem}-{name}")


def converted(suffix: str, source: Any, folder: Path) -> Converted:
    if suffix in TEXTS:
        (folder / f"a{suffix}").write_text(source, "utf-8", newline="")
        ((data,), report) = imported(markdown, folder)
        skipped = Counter({reason: skip.count for reason, skip in report.skipped.items()})
        return Converted(data["content"], data["title"], skipped=skipped)
    parts = [source] if isinstance(source, str) else source
    document: Converted = BY_SUFFIX[suffix].load()(BUILDERS[suffix](*parts))
    return document


@pytest.mark.parametrize(("suffix", "source"), [*cases("hidden")])
def test_hidden_text_is_left_out_and_counted(suffix: str, source: Any, tmp_path: Path) -> None:
    document = converted(suffix, source, tmp_path)
    assert SECRET not in document.content + document.title
    assert "HEAD" in document.content or SHOWN in document.content
    assert (SHOWN in str(source)) <= (SHOWN in document.content)
    assert document.skipped.total()


@pytest.mark.parametrize(
    ("suffix", "source"), [case for case in cases("hidden") if case.values[0] in TEXTS]
)
def test_hidden_text_is_not_included_by_line(suffix: str, source: Any, tmp_path: Path) -> None:
    (tmp_path / f"part{suffix}").write_text(source, "utf-8", newline="")
    lines = range(1, source.count("\n") + 2)
    for name, form in (
        ("a.md", '--8<-- "part{0}:{1}:{1}"'),
        ("b.md", "<!--@include: ./part{0}{{{1},{1}}}-->"),
        ("c.md", "```{{literalinclude}} part{0}\n:lines: {1}\n```"),
        ("d.adoc", "include::part{0}[lines={1}]"),
        ("e.rst", ".. literalinclude:: part{0}\n   :lines: {1}"),
        ("f.md", "![[part#Heading]] {0} {1}"),
    ):
        text = "\n\n".join(form.format(suffix, line) for line in lines)
        (tmp_path / name).write_text(f"HEAD\n\n{text}\n")
    contents = [data["content"] for data in imported(markdown, tmp_path)[0]]
    assert not [content for content in contents if SECRET in content]
    assert (SHOWN in source) <= any(SHOWN in content for content in contents)


def test_code_that_the_site_hides_is_not_included(tmp_path: Path) -> None:
    (tmp_path / "_quarto.yml").write_text("project: {type: website}\nexecute: {echo: false}\n")
    (tmp_path / "part.qmd").write_text("One\n\n```{r}\nSECRET\n```\n")
    lines = "\n\n".join(f'--8<-- "part.qmd:{line}:{line}"' for line in range(1, 6))
    (tmp_path / "page.md").write_text(f"HEAD\n\n{lines}\n")
    contents = [data["content"] for data in imported(markdown, tmp_path)[0]]
    assert len(contents) == 2
    assert not [content for content in contents if SECRET in content]


@pytest.mark.parametrize("suffix", [".md", ".adoc"])
def test_section_in_a_comment_is_not_included(suffix: str, tmp_path: Path) -> None:
    marks = "tag::a[]\n{0}--8<-- [start:a]\nSECRET\n--8<-- [end:a]\nend::a[]"
    comment = {".md": f"<!--\n{marks}\n-->", ".adoc": f"////\n{marks}\n////"}[suffix]
    (tmp_path / f"part{suffix}").write_text(f"One\n\n{comment}\n\n# Two\n")
    lines = f'--8<-- "part{suffix}:a"\n\n```{{include}} part{suffix}\n```\n\n![[part#Two]]\n'
    (tmp_path / "page.md").write_text(f"HEAD\n\n{lines}")
    (tmp_path / "page.adoc").write_text(f"HEAD\n\ninclude::part{suffix}[tags=a]\n")
    contents = [data["content"] for data in imported(markdown, tmp_path)[0]]
    assert not [content for content in contents if SECRET in content]


@pytest.mark.parametrize(("suffix", "case"), [*cases("whole")])
def test_visible_text_is_found(suffix: str, case: Any, tmp_path: Path) -> None:
    words, source = case
    content = converted(suffix, source, tmp_path).content
    assert [word for word in words if word not in content] == []


PART = "one\n// tag::a[]\n<!-- #region a -->\ntwo\n<!-- #endregion a -->\n// end::a[]\nthree"


@pytest.mark.parametrize(
    ("suffix", "line", "shown"),
    [
        (".md", "{!part.md!}", {"one", "two", "three"}),
        (".md", "{! 'part.md' !}", {"one", "two", "three"}),
        (".md", '{% include-markdown "part.md" %}', {"one", "two", "three"}),
        (".md", '{% include-markdown "part.md" start="x" %}', set()),
        (".md", "<!--@include: ./part.md-->", {"one", "two", "three"}),
        (".md", "<!--@include: ./part.md{1,2}-->", {"one"}),
        (".md", "<!-- @include: ./part.md#a -->", {"two"}),
        (".md", "<<< @/part.md#a{1}", {"two"}),
        (".adoc", "include::part.md[]", {"one", "two", "three"}),
        (".adoc", "include::part.md[leveloffset=1,tag=a]", {"two"}),
        (".adoc", 'include::part.md[lines="1..1"]', {"one"}),
        (".rst", ".. include:: part.md", {"one", "two", "three"}),
        (".rst", ".. literalinclude:: part.md\n   :language: md\n   :lines: 1-1", {"one"}),
        (".rst", ".. literalinclude:: part.md\n   :start-after: x", set()),
        (".adoc", "include::part.md[tags=a;b]", {"two"}),
        (".adoc", 'include::part.md[tags="b,a"]', {"two"}),
        (".adoc", "include::part.md[tags=**]", {"one", "two", "three"}),
        (".adoc", "include::part.md[tags=*]", {"two"}),
        (".adoc", "include::part.md[tags=!a]", {"one", "three"}),
        (".adoc", "include::part.md[tags=b]", set()),
        (".adoc", "include::part.md[lines=1..1;7]", {"one", "three"}),
        (".adoc", "include::part.md[lines=7..-1,indent=0]", {"three"}),
        (".rst", ".. literalinclude:: part.md\n   :lines: 1, 6-7", {"one", "three"}),
        (".md", "  <<< ./part.md#a", {"two"}),
        (".md", "<<<@/part.md", {"one", "two", "three"}),
        (".md", '{% include "part.md" %}', {"one", "two", "three"}),
        (".md", "{%- include 'missing.md' ignore missing -%}", set()),
        (".md", "```{include} part.md\n:lines: 1\n```", {"one"}),
        (".md", ":::{literalinclude} /part.md\n:::", {"one", "two", "three"}),
        (".md", "```{include} missing.md\n```", set()),
        (".md", "![[1]](a.png) {!part.md!}", {"one", "two", "three"}),
        (".md", "<!--@include: ./missing.md-->", set()),
        (".md", "```\n<<< @/part.md\n```\n\n<<< @/missing.md", set()),
    ],
)
def test_included_file_is_shown(tmp_path: Path, suffix: str, line: str, shown: set[str]) -> None:
    (tmp_path / "part.md").write_text(PART)
    (tmp_path / f"page{suffix}").write_text(f"HEAD\n\n{line}\n\nREST")
    items, report = imported(markdown, tmp_path)
    (content,) = (data["content"] for data in items if "HEAD" in data["content"])
    assert {word for word in ("one", "two", "three") if word in content} == shown
    assert "REST" in content
    assert any(reason.startswith("not included") for reason in report.skipped) == (not shown)
    assert "tags=" not in line or "tag::" not in content


@pytest.mark.parametrize(
    ("page", "line", "path"),
    [
        ("modules/ROOT/pages/a.adoc", "include::partial$p.adoc[]", "modules/ROOT/partials/p.adoc"),
        ("modules/ROOT/pages/a.adoc", "include::b:partial$p.adoc[]", "modules/b/partials/p.adoc"),
        ("c/modules/b/pages/a.adoc", "include::b:example$p.py[]", "c/modules/b/examples/p.py"),
        ("modules/a/pages/a.adoc", "include::{partialsdir}/p.adoc[]", "modules/a/partials/p.adoc"),
        ("docs/guide/a.rst", ".. include:: /p.rst", "docs/p.rst"),
        ("docs/guide/a.md", "<!--@include: @/parts/p.md-->", "docs/parts/p.md"),
    ],
)
def test_included_file_is_found(tmp_path: Path, page: str, line: str, path: str) -> None:
    files = {path: "one", f"{Path(page).parent}/p.rst": "two", page: f"HEAD\n\n{line}\n\nREST"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    items, _ = imported(markdown, tmp_path)
    (content,) = (data["content"] for data in items if "HEAD" in data["content"])
    assert content == "HEAD\n\none\n\nREST"


def test_header_of_8_bits_is_decoded() -> None:
    mail = "Subject: Über die Größe\n\nText".encode("cp1252")
    assert BY_SUFFIX[".eml"].load()(mail).title == "Über die Größe"


def test_main_part_of_a_word_document_may_have_any_name() -> None:
    body = paragraph(SECRET, run="<w:vanish/>") + paragraph("HEAD")
    parts = {
        name.replace("document.xml", "main.bin"): content.replace(b"document.xml", b"main.bin")
        for name, content in members(word(body)).items()
    }
    document = BY_SUFFIX[".docx"].load()(archive(parts))
    assert document.content.strip() == "HEAD"
    parts["word/main.bin"] = parts["word/main.bin"].decode().encode("utf-16")
    assert SECRET not in BY_SUFFIX[".docx"].load()(archive(parts)).content
