"""A packed export gives the records of the export; one that is cut off is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.bundle.test_packed import Packing, packings
from tests.importers.conftest import Run, Write, unchanged
from tests.importers.exports import chat, message, page, post

CHAT = json.dumps(chat(message(1), message(2, text="b")))
PAGE = json.dumps(page(post(1)))
OPTIONS = {"x": ("--account", "acme")}
EXPORTS = [
    ("telegram", "result.json", CHAT),
    ("x", "page.json", PAGE),
    ("x", "pages.jsonl", f"{PAGE}\n" * 2),
]


@pytest.mark.one_in(4)
@packings
@pytest.mark.parametrize(("importer", "name", "content"), EXPORTS)
def test_packed_export_is_the_export(
    run: Run, write: Write, packing: Packing, importer: str, name: str, content: str
) -> None:
    target: dict[str, Any] = {"source": f"{importer}:main", "options": OPTIONS.get(importer, ())}
    first = run(importer, write(name, content), **target).json()
    packed = packing.pack(content.encode())
    again = run(importer, write(f"{name}.{packing.suffix}", packed), **target).json()
    assert again["read"] == first["read"] > 0
    assert unchanged(again)
    refused = run(importer, write(f"cut-{name}.{packing.suffix}", packed[:-1]), **target)
    assert refused.exit_code == 1
    assert f"Nothing was imported: cut-{name}.{packing.suffix}: its " in refused.stderr
    assert "stream is truncated; copy or download the file again" in refused.stderr


@packings
def test_packed_export_may_be_a_folder(
    run: Run, write: Write, tmp_path: Path, packing: Packing
) -> None:
    write(f"result.json.{packing.suffix}", packing.pack(CHAT.encode()))
    assert run("telegram", tmp_path, source="telegram:main").json()["read"] == 2


@packings
def test_export_that_is_packed_twice_is_refused(run: Run, write: Write, packing: Packing) -> None:
    path = write(f"result.json.{packing.suffix}", packing.pack(packing.pack(CHAT.encode())))
    assert "twice, not JSON: unpack it with" in run("telegram", path, source="telegram:main").stderr
