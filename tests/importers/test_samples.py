"""The samples import whole and read back as a person looking at the source would expect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.importers.conftest import SAMPLES, needs_samples, unchanged
from tests.support.deployment import Result

pytestmark = needs_samples
Run = Callable[..., Result]
Read = Callable[[str], Any]


def test_a_public_channel_imports_and_reads_back(run: Run, read: Read) -> None:
    file = SAMPLES / "telegram" / "public-channel.json"
    report = run("telegram", file, source="telegram:channel").json()
    assert report["types"]["telegram.message"]["created"] == report["read"] == 6
    assert report["refused"]["count"] == 0
    assert unchanged(run("telegram", file, source="telegram:channel").json())
    (chat,) = read("/telegram/chats")
    assert (chat["type"], chat["trackedMessageCount"]) == ("channel", 6)
    assert chat["linkedAt"] == "2026-06-19T11:26:50Z"
    messages = read(f"/telegram/chats/{chat['id']}/messages")
    assert [m["kind"] for m in messages] == ["video"] * 5 + ["photo"]
    assert messages[-1]["text"].endswith("#КиноСтрим #ОСД")
    assert messages[-1]["sender"]["id"] == "channel2447843635"
    assert messages[1]["file"]["fileName"] == "4.mp4"
    assert messages[1]["file"]["duration"] == 2990


def test_both_vocabularies_give_equal_mentions(run: Run, read: Read) -> None:
    before, since = (SAMPLES / "x" / f"mentions-v2{end}.json" for end in ("", "-2026-08"))
    account = ("--account", "orgctx_demo")
    assert run("x", before, source="x:main", options=account).json()["read"] == 4
    stored = read("/x/mentions")
    report = run("x", since, source="x:main").json()
    assert unchanged(report)
    assert report["skipped"]["partial error of the API"]["count"] == 1
    assert read("/x/mentions") == stored
    quoting = stored[-1]
    assert quoting["text"].endswith("the short text field above is cut.")
    assert [m["type"] for m in quoting["media"]] == ["photo", "video", "gif"]
    assert quoting["media"][1]["url"] == "https://example.com/media/702.mp4"
    assert quoting["quoted"]["url"] == "https://x.com/orgctx_demo/status/1987000000000000001"
    assert [m["isRepost"] for m in stored] == [False, False, True, False]
    assert [m["isReply"] for m in stored] == [False, True, False, False]


def test_a_documentation_imports_whole(run: Run, read: Read) -> None:
    folder = SAMPLES / "markdown" / "httpx"
    report = run("markdown", folder, source="docs:httpx").json()
    assert report["types"]["knowledge"]["created"] == len(list(folder.rglob("*.md")))
    assert unchanged(run("markdown", folder, source="docs:httpx").json())
    items = [*read("/knowledge"), *read("/knowledge?page=2")]
    titles = {item["title"] for item in items}
    assert {"HTTPX", "QuickStart", "HTTP/2", "Developer Interface", "event-hooks"} <= titles
    quickstart = next(item for item in items if item["title"] == "QuickStart")
    content = read(f"/knowledge/{quickstart['id'].replace(':', '%3A')}")["content"]
    assert content == (folder / "quickstart.md").read_text("utf-8")


def test_pictures_import_as_metadata(run: Run, read: Read) -> None:
    folder = SAMPLES / "assets"
    assert run("assets", folder, source="assets:main").json()["read"] == 2
    assert unchanged(run("assets", folder, source="assets:main").json())
    shown = {asset["name"]: (asset["mime"], asset["bytes"]) for asset in read("/assets")}
    assert shown == {
        "logo.jpg": ("image/jpeg", (folder / "logo.jpg").stat().st_size),
        "tqdm-progress.gif": ("image/gif", (folder / "tqdm-progress.gif").stat().st_size),
    }
