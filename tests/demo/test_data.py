"""The files of the demo organization, and the records that importers read from them."""

from collections import Counter, defaultdict
from typing import Any

from orgctx.demo import organization
from orgctx.importers.report import Report


def test_importers_reject_no_demo_record() -> None:
    report = Report()
    assert list(organization.records(report))
    assert (report.refused_count, report.repaired) == (0, {})
    assert set(report.skipped) == {"message of type: service", "not published: draft: true"}


def test_demo_data_shows_every_feature() -> None:
    data = defaultdict[str, list[Any]](list)
    for record in organization.records():
        data[record["type"]].append(record["data"])
    messages, mentions = data["telegram.message"], data["x.mention"]
    assert {message["kind"] for message in messages} >= {
        "text", "photo", "video", "animation", "sticker", "document", "voice", "poll",
    }  # fmt: skip
    assert any(medium["type"] == "photo" for mention in mentions for medium in mention["media"])
    for member in ("quoted", "isReply", "isRepost"):
        assert any(mention[member] for mention in mentions), member
    items = Counter(item["source"] for item in data["knowledge"])
    assert items.keys() == {"docs", "assets", "chain", "profile", "team", "answer"}
    assert {item["visibility"] for item in data["knowledge"]} == {"public", "team"}
    assert {item["archived"] for item in data["knowledge"]} == {False, True}
    assert max(len(item["content"]) for item in data["knowledge"]) > 60_000
    # Lists with pages have several.
    assert items["docs"] > 20
    assert items["team"] + items["answer"] > 20
    assert len(mentions) > 40
    assert max(Counter(asset["parentId"] for asset in data["asset"]).values()) > 50
    people = {mention["author"]["id"] for mention in mentions}
    assert len(people | {message["sender"]["id"] for message in messages}) > 50
    assert max(Counter(message["chatId"] for message in messages).values()) > 100


def test_demo_files_are_small() -> None:
    sizes = [path.stat().st_size for path in organization.DATA.rglob("*") if path.is_file()]
    assert sum(sizes) < 400_000
