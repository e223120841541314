"""What its owner would not publish stays out, in the forms that are easily overlooked."""

import json
from typing import Any

import pytest

from orgctx.importers.folder import importer as formats
from tests.importers.conftest import Write, documents, imported, markdown, rows


@pytest.mark.parametrize("text", rows("texts", "page_says_that_it_is_a_draft"))
def test_page_says_that_it_is_a_draft(write: Write, text: str) -> None:
    items, report = imported(markdown, write("docs/a.md", text).parent)
    assert not items
    assert any(reason.startswith("not published") for reason in report.skipped)


def notebook(kind: str, front: str) -> bytes:
    cells = [
        {"cell_type": kind, "source": f"---\n{front}\n---\n"},
        {"cell_type": "markdown", "source": "Words"},
    ]
    return json.dumps({"cells": cells, "metadata": {}}).encode()


@pytest.mark.parametrize("importer", [documents, formats], ids=["documents", "folder"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.html", b"---\ndraft: true\n---\n<p>Words</p>"),
        ("a.html", b"\xef\xbb\xbf+++\ndraft = true\n+++\n<p>Words</p>"),
        ("a.htm", b"---\ndraft: [\n---\n<p>Words</p>"),
        *(
            ("a.ipynb", notebook(kind, front))
            for kind in ("raw", "markdown")
            for front in rows("texts", "notebook_says_that_it_is_a_draft")
        ),
    ],
)
def test_document_says_that_it_is_a_draft(
    write: Write, importer: Any, name: str, content: bytes
) -> None:
    items, report = imported(importer, write(f"docs/{name}", content).parent)
    assert not items
    is_broken = b"draft: [" in content
    assert bool(report.refused) == is_broken  # a refused file keeps its stored page
    assert is_broken or any(reason.startswith("not published") for reason in report.skipped)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("layouts/base.html", b"<!doctype html><body>{{ content | safe }}</body>"),
        ("BingSiteAuth.html", b"<p>0123</p>"),
        ("naver0123456789abcdef0123456789abcdef.html", b"<p>0123</p>"),
    ],
)
def test_template_is_no_page(write: Write, name: str, content: bytes) -> None:
    write(f"docs/{name}", content)
    items, report = imported(documents, write("docs/layouts/real.html", b"<p>Words</p>").parents[1])
    assert [item["title"] for item in items] == ["real"]
    assert name in [path for skip in report.skipped.values() for path in skip.examples]


def test_reason_of_a_report_is_one_line(write: Write) -> None:
    cell = b'{"cell_type": "x\\n\\u001b]0;y\\u0007Read 9.", "source": "z"}'
    notebook = b'{"cells": [%s, {"cell_type": "markdown", "source": "A"}], "metadata": {}}' % cell
    _, report = imported(documents, write("a.ipynb", notebook))
    assert all(reason.isprintable() for reason in report.skipped)
