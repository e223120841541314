"""Packed exports give the records of the exports; cut off ones are refused."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers.telegram import stream
from orgctx.importers.x import pages
from tests.importers.exports import chat, message, page, post
from tests.support.deployment import Deployment, Result

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Run = Callable[..., Result]
forms = pytest.mark.parametrize(("pack", "suffix"), [(gzip.compress, "gz"), (zstd.compress, "zst")])
CHAT = json.dumps(chat(message(1), message(2, text="b")))
CSV = "path,bytes\na/b.txt,3\n"
PACKAGE = json.dumps({"resources": [{"path": "a.txt", "bytes": 3}]})
EXPORTS = [
    ("telegram", "result.json", CHAT, "telegram:main", ()),
    ("x", "page.json", json.dumps(page(post(1))), "x:main", ("--account", "acme")),
    ("x", "pages.jsonl", f"{json.dumps(page(post(1)))}\n" * 2, "x:main", ("--account", "acme")),
    ("assets", "list.csv", CSV, "assets:list", ()),
    ("assets", "datapackage.json", PACKAGE, "assets:list", ()),
]


@forms
@pytest.mark.parametrize(("what", "name", "content", "source", "options"), EXPORTS)
def test_a_packed_export_is_the_export(
    run: Run, write: Any, pack: Any, suffix: str, what: str, name: str, content: str, source: str,
    options: tuple[str, ...],
) -> None:  # fmt: skip
    first = run(what, write(name, content), source=source, options=options).json()
    packed = write(f"{name}.{suffix}", pack(content.encode()))
    again = run(what, packed, source=source, options=options).json()
    assert again["read"] == first["read"] > 0
    assert again["created"] == again["updated"] == again["deleted"] == 0
    cut = write(f"cut-{name}.{suffix}", pack(content.encode())[:-1])
    refused = run(what, cut, source=source, options=options)
    assert refused.exit_code == 1
    assert f"nothing was imported: cut-{name}.{suffix}: its " in refused.stderr
    assert "stream is cut off: copy or download the file again" in refused.stderr


@forms
def test_the_folder_of_a_packed_export(
    run: Run, write: Any, tmp_path: Path, pack: Any, suffix: str
) -> None:
    write(f"result.json.{suffix}", pack(CHAT.encode()))
    assert run("telegram", tmp_path, source="telegram:main").json()["read"] == 2


@forms
def test_what_is_packed_twice_says_so(run: Run, write: Any, pack: Any, suffix: str) -> None:
    path = write(f"result.json.{suffix}", pack(pack(CHAT.encode())))
    assert "twice, not JSON: unpack it with" in run("telegram", path, source="telegram:main").stderr


@forms
@pytest.mark.parametrize(
    ("what", "module", "content", "reason"),
    [
        ("x", pages, "{}\n" + (" " * 999 + "\n") * 1_100, "1 MiB of blank lines"),
        ("telegram", stream, '{"name":' + " " * 3_000_000 + "1}", "1 MiB of white space"),
    ],
)
def test_blank_stretches_have_a_budget(
    run: Run, write: Any, monkeypatch: pytest.MonkeyPatch, pack: Any, suffix: str, what: str,
    module: Any, content: str, reason: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(module, "MOST_BLANK", 1 << 20)
    path = write(f"export.json.{suffix}", pack(content.encode()))
    account = ("--account", "acme") if what == "x" else ()
    refused = run(what, path, source=f"{what}:main", options=account)
    assert refused.exit_code == 1
    assert f"nothing was imported: {path.name}" in refused.stderr
    assert f"more than {reason}" in refused.stderr


@forms
def test_a_cut_off_export_stores_nothing(
    acme: Deployment, run: Run, write: Any, pack: Any, suffix: str
) -> None:
    messages = [message(number, text=str(number) * 50) for number in range(1, 20_000)]
    content = pack(json.dumps(chat(*messages)).encode())
    path = write("result.json", content[: len(content) * 2 // 3])
    assert run("telegram", path, source="telegram:main").exit_code == 1
    assert acme.execute("SELECT FROM sources") == []
