"""Titles of documents: plain text, distinct for the versions and languages of a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from orgctx.importers.folder.titles import plain_title
from orgctx.importers.folder.versions import labels
from tests.importers.conftest import Run, Write, imported, markdown


def titles(folder: Path) -> set[str]:
    return {data["title"] for data in imported(markdown, folder)[0]}


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("Install {#install}", "Install"),
        ("Install {: .wide #install }", "Install"),
        ("Install { data-toc-label='x' }", "Install"),
        ("Install {/* #install */}", "Install"),
        ("GET /users/{id}", "GET /users/{id}"),
        ("*One* **two** ~~three~~ `four`", "One two three four"),
        ("[Guide](guide.md) to [docks][1]", "Guide to docks"),
        ("Fish &amp; chips", "Fish & chips"),
        (r"snake\_case and snake_case", "snake_case and snake_case"),
        ("Docks [![Build](a.svg)](b) ![Tests](c.svg)", "Docks"),
        ("![Harbour](logo.svg)", "Harbour"),
        ("[![Build](a.svg)](b) ![Tests](c.svg)", ""),
        ("Docks {{< badge new >}} {% data x.y %}", "Docks"),
        ("Use `{{ value }}`", "Use {{ value }}"),
        (":rocket: Docks :anchor:", "Docks"),
        ("H<sub>2</sub>O<br> <!-- a note -->", "H2O"),
        ("Vec<T> and <name>", "Vec<T> and <name>"),
        ("Docks[^1]", "Docks"),
        ("Docks {#docks} [![Build](a.svg)](b)", "Docks"),
        ("*args and **kwargs", "*args and **kwargs"),
        ("Read `a[0][1]`, a[0][1] and `{#id}`", "Read a[0][1], a[0][1] and {#id}"),
        ("__init__.py and `__main__`", "__init__.py and __main__"),
    ],
)
def test_title_has_no_markup(write: Write, markup: str, title: str) -> None:
    assert plain_title(markup) == title
    folder = write("docs/a.md", f"# {markup}\n\n## Next\n").parent
    assert titles(folder) == {title or "Next"}


def test_front_matter_title_has_no_markup(write: Write) -> None:
    folder = write(
        "docs/a.md", "---\ntitle: '**Docks** &amp; {{< x >}} [piers](a.md)'\n---\nT"
    ).parent
    assert titles(folder) == {"Docks & piers"}


def test_index_takes_the_name_of_its_folder(write: Write) -> None:
    write("Harbour/index.md", "Root")
    write("Harbour/docks/README.md", "Docks")
    write("Harbour/piers/_index.md", "# Index\n\nPiers")
    write("Harbour/boats/index.md", "# Boats and ships\n")
    write("Harbour/readme.txt", "Plain")
    folder = write("Harbour/cranes/README.de.md", "Kräne").parent.parent
    write("Harbour/cranes/README.md", "Cranes")
    assert titles(folder) == {
        "Harbour", "docks", "piers", "Boats and ships", "cranes", "cranes (de)",
    }  # fmt: skip


def test_versions_and_languages_have_distinct_titles(write: Write) -> None:
    paths = (
        "install.md", "install.de.md", "v1/install.md", "v2/install.md", "latest/install.md",
        "versioned_docs/version-1.0/start.md", "docs/start.md",
        "i18n/fr/docusaurus-plugin-content-docs/current/start.md",
        "i18n/fr/docusaurus-plugin-content-docs/version-1.0/start.md",
    )  # fmt: skip
    for path in paths:
        write(f"site/{path}", f"# Install\n\nText of {path}\n")
    folder = write("site/index.md", "# Install\n").parent
    assert titles(folder) == {
        "Install", "Install (de)", "Install (v1)", "Install (v2)", "Install (latest)",
        "Install (1.0)", "Install (fr)", "Install (fr, 1.0)",
    }  # fmt: skip


def test_other_folders_are_not_versions() -> None:
    paths = [
        "dev/a.md",
        "a.md",
        "2023/b.md",
        "2024/b.md",
        "1/c.md",
        "2/c.md",
        "de/only.md",
        "api/v1/x.md",
    ]
    assert labels(paths) == {}
    assert labels(["v1/d.md", "v2/d.md", "d-v3.md"]) == {
        "v1/d.md": "v1", "v2/d.md": "v2", "d-v3.md": "v3",
    }  # fmt: skip


def test_title_that_names_its_version_stays(write: Write) -> None:
    write("docs/v1/a.md", "# Install V1\n")
    folder = write("docs/v2/a.md", f"# {'x' * 600}\n").parents[1]
    assert titles(folder) == {"Install V1", f"{'x' * 507} (v2)"}


def test_equal_and_empty_pages_are_counted(run: Run, write: Write) -> None:
    for name in ("a.md", "v1/a.md", "v2/a.md"):
        write(f"docs/{name}", "# Same\n")
    write("docs/void.md", "---\ntitle: Void\n---\n\n")
    folder = write("docs/blank.txt", " \n").parent
    report = run("markdown", folder, source="docs:main").json()
    assert report["types"]["knowledge"]["created"] == 3
    assert report["skipped"]["empty page"] == {"count": 2, "examples": ["blank.txt", "void.md"]}
    assert report["notes"] == ["2 documents have the text of another one, such as v1/a.md"]


def test_page_that_becomes_empty_is_deleted(run: Run, write: Write) -> None:
    write("docs/a.md", "A")
    folder = write("docs/b.md", "B").parent
    run("markdown", folder, source="docs:main").json()
    write("docs/b.md", "\n")
    assert run("markdown", folder, source="docs:main").json()["deleted"] == 1
