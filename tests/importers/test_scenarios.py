"""Imports one after another, as scenarios.yaml describes them: what each reports and stores."""

import json
import os
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import assets
from tests.importers.conftest import STAMP, Read, Run, Write, imported, tables, unchanged
from tests.importers.exports import account, chat, message, page, post
from tests.support.deployment import Deployment

SOURCES = {"telegram": "telegram:main", "x": "x:main", "assets": "assets:main"}
SCENARIOS = tables("scenarios")
CONTENTS = """
    SELECT title, string_agg(content, '' ORDER BY first_unit)
    FROM knowledge JOIN knowledge_chunks ON knowledge_id = id
    GROUP BY id, title
"""
# Members of a report of which a scenario names all.
WHOLE = ("skipped", "repaired", "refused", "notes")


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(acme: Deployment, read: Read, write: Write, tmp_path: Path, name: str) -> None:
    steps = SCENARIOS[name]
    for number, step in enumerate([steps] if isinstance(steps, dict) else steps, 1):
        prepare(step, write, tmp_path)
        if "import" in step:
            check_import(acme, step, tmp_path, f"step {number}")
        for path, expected in step.get("read", {}).items():
            assert_like(read(path), expected, f"step {number}, {path}")
        for query, rows in step.get("sql", {}).items():
            found = [row[0] if len(row) == 1 else [*row] for row in acme.execute(query)]
            assert found == rows, f"step {number}, {query}"
        if "contents" in step:
            contents = dict(acme.execute(CONTENTS))
            assert contents == step["contents"], f"step {number}"
        if "titles" in step:
            titles = acme.execute('SELECT title FROM knowledge ORDER BY title COLLATE "C"')
            assert [title for (title,) in titles] == sorted(step["titles"]), f"step {number}"


def prepare(step: dict[str, Any], write: Write, folder: Path) -> None:
    """Write the files of a step, as texts, JSON or exports; null deletes one."""
    for name, content in step.get("files", {}).items():
        path = folder / name
        if content is not None:
            write(name, content)
        elif path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    for name, days in step.get("days", {}).items():
        os.utime(folder / name, (STAMP + days * 86_400,) * 2)
    for name, export in step.get("chats", {}).items():
        write(name, chat_of(export))
    for name, chats in step.get("accounts", {}).items():
        write(name, account([*map(chat_of, chats.get("chats", []))],
                            [*map(chat_of, chats.get("left", []))]))  # fmt: skip
    for name, pages in step.get("pages", {}).items():
        values = [page_of(one) for one in pages] if isinstance(pages, list) else [page_of(pages)]
        indent = 1 if len(values) == 1 else None
        write(name, "\n".join(json.dumps(value, indent=indent) for value in values))


def chat_of(value: Any) -> Any:
    """A chat of messages, which are numbers or members; with members if it is an object."""
    members = dict(value) if isinstance(value, dict) else {"messages": value}
    messages = [
        message(**({"id": one} if isinstance(one, int) else one))
        for one in members.pop("messages", [])
    ]
    return chat(*messages, **members)


def page_of(value: Any) -> Any:
    """A page of posts, which are numbers or members; any other object is itself."""
    if not isinstance(value, dict) or "posts" not in value:
        return value
    posts = [
        post(one) if isinstance(one, int) else post(one["id"], **{**one, "id": str(one["id"])})
        for one in value["posts"]
    ]
    return page(*posts, **{name: one for name, one in value.items() if name != "posts"})


def check_import(acme: Deployment, step: dict[str, Any], folder: Path, place: str) -> None:
    importer, *words = shlex.split(step["import"])
    paths = [str(folder / word) if (folder / word).exists() else word for word in words]
    source = step.get("source", SOURCES.get(importer, "docs:main"))
    target = ("--organization", "acme", "--source", source, "--json")
    result = acme.cli("import", importer, *paths, *target)
    assert result.exit_code == step.get("exit", 0), f"{place}: {result.stderr}"
    for text in step.get("stderr", []):
        assert text in result.stderr, place
    if not result.stdout or "--as-bundle" in words:
        assert "report" not in step
        return
    report = json.loads(result.stdout)
    assert_like(report, step.get("report", {}), place)
    assert unchanged(report) or not step.get("unchanged"), place


def assert_like(actual: Any, expected: Any, place: str) -> None:
    """Compare the members that are expected; a number or list may stand for a whole reason."""
    if isinstance(actual, dict) and isinstance(expected, dict):
        if place.endswith(WHOLE):
            assert actual.keys() == expected.keys(), place
        for name, value in expected.items():
            assert_like(actual.get(name), value, f"{place}, {name}")
    elif isinstance(actual, list) and isinstance(expected, list):
        assert len(actual) == len(expected), f"{place}: {actual}"
        for one, value in zip(actual, expected, strict=True):
            assert_like(one, value, place)
    elif isinstance(actual, dict):
        assert actual.get("count" if isinstance(expected, int) else "examples") == expected, place
    else:
        assert actual == expected, f"{place}: {actual!r}"


def test_many_unsupported_types_hide_no_other_reason(run: Run, write: Write) -> None:
    for number in range(60):
        write(f"wiki/data.x{number}", b"")
    folder = write("wiki/page.html", "<p>Words<img src=a.png>").parent
    skipped = run("folder", folder, source="docs:main").json()["skipped"]
    assert skipped["unsupported type: other reasons"]["count"] == 10
    assert skipped["picture"]["count"] == 1


def test_refused_files_are_grouped_by_reason(run: Run, write: Write) -> None:
    """The first file of each reason is named."""
    for number in range(1, 31):
        write(f"wiki/{number:02}.md", "---\n" + "a: b\n" * number + "[\n---\n")
    write("wiki/server.key", b"-----BEGIN PRIVATE KEY-----")  # also a suffix of Keynote
    write("wiki/graph.dot", b"digraph {}")  # also a suffix of Word
    folder = write("wiki/page.docx", b"no zip file").parent
    report = run("folder", folder, source="docs:main")
    refused = json.loads(report.stdout)["refused"]
    reason = "cannot be converted: its front matter is not YAML: line N"
    assert (refused["count"], refused["reasons"][reason]["count"]) == (31, 30)
    assert "  page.docx: cannot be converted: is damaged" in report.stderr
    assert f"  and 27 more: {reason}" in report.stderr
    assert f"  01.md: {reason.replace('N', '4')}" in report.stderr


TYPES = {
    "a.md": "text/markdown",
    "a.YAML": "application/yaml",
    "a.pdf": "application/pdf",
    "a.webp": "image/webp",
    "a.docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "a.zzz": None,
    "png": None,
}


def test_type_of_an_asset_follows_from_the_suffix(write: Write) -> None:
    (folder,) = {write(f"files/{name}", "").parent for name in TYPES}
    assert {data["name"]: data["mime"] for data in imported(assets, folder)[0]} == TYPES
