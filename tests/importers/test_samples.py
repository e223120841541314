"""The samples beside the repository import whole, and a second import changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.importers.conftest import Read, Run, unchanged

SAMPLES = Path(__file__).parents[2].parent / "shared" / "samples"
pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="there are no samples")


@pytest.mark.parametrize(
    ("importer", "name", "read_count"),
    [
        ("telegram", "telegram/public-channel.json", 6),
        ("x", "x/mentions-v2.json", 4),
        ("markdown", "markdown/httpx", None),
        ("assets", "assets", 2),
    ],
)
def test_sample_imports_whole(run: Run, importer: str, name: str, read_count: int | None) -> None:
    path = SAMPLES / name
    options: Any = {"options": ("--account", "orgctx_demo")} if importer == "x" else {}
    report = run(importer, path, source=f"{importer}:main", **options).json()
    assert report["read"] == (read_count or len(list(path.rglob("*.md"))))
    assert report["refused"]["count"] == 0
    assert unchanged(run(importer, path, source=f"{importer}:main").json())


def test_sample_mentions_are_equal_in_both_vocabularies(run: Run, read: Read) -> None:
    before, since = (SAMPLES / "x" / f"mentions-v2{end}.json" for end in ("", "-2026-08"))
    run("x", before, source="x:main", options=("--account", "orgctx_demo")).json()
    stored = read("/x/mentions")
    assert unchanged(run("x", since, source="x:main").json())
    assert read("/x/mentions") == stored
