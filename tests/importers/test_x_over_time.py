"""X's answers come in several forms and change over time; errors are no answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import Existing, ImportRefused, Report
from orgctx.importers.x import importer as x
from orgctx.importers.x import pages
from orgctx.importers.x.post import FIELDS
from tests.importers.conftest import unchanged
from tests.importers.exports import page, post
from tests.support import factories as f
from tests.support.deployment import Deployment, Result

Run = Callable[..., Result]
Read = Callable[[str], Any]
Write = Callable[..., Path]
ACCOUNT = ("--account", "acme")
SOURCE = "x:main"
UNAUTHORIZED = {
    "title": "Unauthorized",
    "type": "about:blank",
    "status": 401,
    "detail": "Unauthorized",
}
EDITED = [f"{n}" for n in (10, 11, 12)]


def convert(
    write: Write, content: Any, report: Report | None = None, stored: Iterable[tuple[str, str]] = ()
) -> list[dict[str, Any]]:
    return list(
        x.records(
            [write("page.json", content)],
            organization_id=f.ACME,
            source_id=SOURCE,
            report=report or Report(),
            existing=Existing(authors=lambda: stored),
            account="acme",
        )
    )


def left(records: list[dict[str, Any]]) -> set[str]:
    """The ids of the mentions that remain after all records are loaded."""
    ids: dict[str, None] = {}
    for record in records:
        if record["type"] == "x.mention":
            ids[record["data"]["id"]] = None
        elif record["type"] == "delete":
            ids.pop(record["data"]["id"], None)
    return set(ids)


def lines(*values: Any) -> str:
    return "".join(json.dumps(value) + "\r\n" for value in values)


def event(kind: str, id_: str, what: str = "tweet") -> dict[str, Any]:
    return {"data": {kind: {what: {"id": id_}, "event_at": "2026-02-01T00:00:00.000Z"}}}


@pytest.mark.parametrize(
    ("body", "quote"),
    [
        (UNAUTHORIZED, "401 Unauthorized"),
        (
            {"errors": [{"message": "Invalid 'since_id':['x']"}], "title": "Invalid Request",
             "detail": "One parameter was wrong."},
            "Invalid Request One parameter was wrong.; Invalid 'since_id'",
        ),
        ({"title": "Too Many Requests", "status": 429}, "429 Too Many Requests"),
        ({"errors": [{"code": 88, "message": "Rate limit exceeded"}]}, "88 Rate limit exceeded"),
        ({"error": "invalid_request", "error_description": "No."}, "invalid_request No."),
        ({"code": 5, "message": "Nothing here"}, "5 Nothing here"),
        ({"errors": [{"title": "operational-disconnect"}]}, "operational-disconnect"),
        ({"errors": []}, "an error without words"),
        (
            {"detail": "Bearer abcdefgh12345678 and AAAAAAAAAAAAAAAAAAAAAF2%3Dx9 " + "long " * 900},
            "Bearer … and … long",
        ),
    ],
)  # fmt: skip
def test_an_error_is_a_refusal_that_quotes_it(write: Write, body: Any, quote: str) -> None:
    with pytest.raises(ImportRefused) as refused:
        convert(write, body)
    text = str(refused.value)
    assert text.startswith("page.json: X answered with an error, not with posts: ")
    assert quote in text
    assert len(text) < 400
    assert "12345678" not in text


def test_an_error_never_makes_a_source_look_fresh(
    acme: Deployment, run: Run, read: Read, write: Write
) -> None:
    run("x", write("1.json", page(post(1))), source=SOURCE, options=ACCOUNT).json()
    before = acme.execute("SELECT updated_at FROM sources")
    failed = run("x", write("2.json", UNAUTHORIZED), source=SOURCE)
    assert failed.exit_code == 1
    assert failed.stderr.startswith("Error: nothing was imported: 2.json: X answered with an error")
    assert acme.execute("SELECT updated_at FROM sources") == before
    later = page(post(2, created_at="2026-02-02T00:00:00Z"))
    both = run("x", write("3.json", lines(UNAUTHORIZED, later)), source=SOURCE)
    assert both.exit_code == 1
    assert read("/sources")[0]["updatedAt"] == "2026-02-02T00:00:00Z"


def test_time_is_that_of_the_newest_post(run: Run, read: Read, write: Write) -> None:
    old = post(1, created_at="2021-03-01T08:00:00Z")
    run("x", write("p.json", page(old)), source=SOURCE, options=ACCOUNT).json()
    assert [read("/sources")[0][name] for name in ("updatedAt", "status")] == [
        "2021-03-01T08:00:00Z",
        "stale",
    ]
    empty = write("empty.json", {"meta": {"result_count": 0}})
    assert unchanged(run("x", empty, source=SOURCE).json())
    stated = page(old) | {"__twarc": {"retrieved_at": "2021-04-01T00:00:00+00:00"}}
    run("x", write("stated.json", stated), source=SOURCE).json()
    assert read("/sources")[0]["updatedAt"] == "2021-04-01T00:00:00Z"
    run(
        "x", write("f.json", page(post(2, created_at="2999-01-01T00:00:00Z"))), source=SOURCE
    ).json()
    assert read("/sources")[0]["updatedAt"] < "2999"


def flattened(number: int) -> dict[str, Any]:
    users = page()["includes"]["users"]
    return post(
        number,
        author=users[0],
        referenced_tweets=[{"type": "quoted", **post(99, author=users[0])}],
        attachments={"media": [{"media_key": "k", "type": "photo", "url": "https://example.com/a"}],
                     "media_keys": ["k"]},
    )  # fmt: skip


@pytest.mark.parametrize(
    "content",
    [
        page(post(1)) | {"data": post(1)},
        lines(*({**page(), "data": post(n), "matching_rules": []} for n in (1,))),
        {"data": {"event_type": "post.mention.create", "payload": post(1), **page()}},
    ],
    ids=["lookup", "filtered stream", "activity"],
)
def test_one_post_is_a_page(write: Write, content: Any) -> None:
    assert left(convert(write, content)) == {"1"}


@pytest.mark.parametrize("form", [list, lambda posts: lines(*posts)], ids=["array", "lines"])
def test_flattened_posts_bring_their_own(write: Write, form: Callable[..., Any]) -> None:
    report = Report()
    records = convert(write, form([flattened(1), flattened(2)]), report)
    (first, second) = [r["data"] for r in records if r["type"] == "x.mention"]
    assert (first["id"], second["id"]) == ("1", "2")
    assert first["author"]["username"] == "bob"
    assert first["quoted"]["url"] == "https://x.com/bob/status/99"
    assert [m["url"] for m in first["media"]] == ["https://example.com/a"]
    assert not report.skipped


@pytest.mark.parametrize("name", ["edit_history_post_ids", "edit_history_tweet_ids"])
@pytest.mark.parametrize("order", [(10, 11, 12), (12, 11, 10), (11, 12, 10)])
def test_the_newest_version_is_the_post(write: Write, name: str, order: tuple[int, ...]) -> None:
    versions = [post(n, **{name: EDITED[: EDITED.index(str(n)) + 1]}) for n in order]
    assert left(convert(write, page(*versions))) == {"12"}


def test_a_version_whose_newer_one_is_unknown_stays(write: Write) -> None:
    report = Report()
    records = convert(write, page(post(10, edit_history_post_ids=EDITED)), report)
    assert left(records) == {"10"}
    assert list(report.skipped) == ["newest version of an edited post that no page includes"]


def test_an_older_version_that_is_stored_goes(run: Run, read: Read, write: Write) -> None:
    run("x", write("1.json", page(post(10))), source=SOURCE, options=ACCOUNT).json()
    edited = write("2.json", page(post(11, edit_history_post_ids=EDITED[:2])))
    report = run("x", edited, source=SOURCE).json()
    assert report["types"]["x.mention"]["deleted"] == 1
    assert [m["id"] for m in read("/x/mentions")] == ["11"]
    assert unchanged(run("x", edited, source=SOURCE).json())


@pytest.mark.parametrize(
    "gone",
    [
        event("delete", "1"),
        event("drop", "1"),
        event("user_delete", "7", "user"),
        event("user_suspend", "7", "user"),
        event("user_protect", "7", "user"),
        {"id": "1", "action": "delete", "reason": "deleted", "redacted_at": "2026-02-01T00:00:00Z"},
        {"id": "7", "action": "delete", "reason": "suspended"},
        {"data": {"event_type": "post.delete", "payload": {"id": "1"}}},
    ],
    ids=["delete", "drop", "user deleted", "suspended", "protected", "batch", "users", "activity"],
)
def test_what_x_deleted_goes_whatever_the_order(write: Write, gone: Any) -> None:
    assert left(convert(write, lines(page(post(1)), gone))) == set()
    assert left(convert(write, lines(gone, page(post(1))))) == set() or gone.get("id") == "7"
    events = convert(write, gone, stored=[("1", "7")])
    assert [r["data"]["id"] for r in events if r["type"] == "delete"] == ["1"]


@pytest.mark.parametrize(
    ("kept", "reason"),
    [
        (event("undrop", "1"), "event that restores posts: collect them again"),
        (event("user_unsuspend", "7", "user"), "event that restores posts: collect them again"),
        (event("withheld", "1"), "event that takes no post away"),
        (event("tweet_edit", "1"), "event that takes no post away"),
        ({"id": "1", "action": "scrub_geo"}, "event that takes no post away"),
    ],
)
def test_other_events_are_reported(write: Write, kept: Any, reason: str) -> None:
    report = Report()
    assert left(convert(write, lines(page(post(1)), kept), report)) == {"1"}
    assert list(report.skipped) == [reason]


def test_an_event_is_loaded(run: Run, read: Read, write: Write) -> None:
    posts = page(post(1), post(2, author_id="8"))
    posts["includes"]["users"].append({"id": "8", "username": "eve", "name": "Eve"})
    run("x", write("1.json", posts), source=SOURCE, options=ACCOUNT).json()
    report = run("x", write("2.json", event("user_protect", "7", "user")), source=SOURCE).json()
    assert report["types"]["x.mention"]["deleted"] == 1
    assert [m["id"] for m in read("/x/mentions")] == ["2"]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (
            {"id_str": "1", "full_text": "a", "user": {}},
            "this is of X API v1.1: collect again with v2",
        ),
        ({"statuses": []}, "this is of X API v1.1"),
        ('window.YTD.tweets.part0 = [ {"tweet": {}} ]', "is of the archive of one's own posts"),
        (
            "Too Many Requests\n",
            "; it begins with 'Too Many Requests'",
        ),
        ("<html>", "is HTML or XML, not JSON: save the answer of the X API itself"),
        ("", "it is empty"),
        (b"PK\x03\x04", "is a zip archive"),
        ([], "holds no page"),
        ({"a": 1}, "a page must be an object with data, includes and meta"),
        ({"id": "x", "action": "delete"}, "an event must name the post or user by id"),
    ],
)
def test_what_is_no_page_says_what_it_is(write: Write, content: Any, what: str) -> None:
    with pytest.raises(ImportRefused) as refused:
        convert(write, content)
    assert what in str(refused.value)


def test_a_long_text_is_refused_and_a_long_name_cut(write: Write) -> None:
    report = Report()
    content = page(post(1, text="x" * 4_000_000), post(2))
    content["includes"]["users"][0]["name"] = "n" * 9_000
    records = convert(write, content, report)
    assert left(records) == {"2"}
    assert report.refused == ["page.json: data[0]: text must have at most 32,768 characters"]
    assert "name of an author cut to 512 characters" in report.repaired


def test_a_page_and_an_address_have_a_longest(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    media = [{"media_key": "k", "type": "photo", "url": "https://example.com/" + "a" * 2_029}]
    content = page(post(1, attachments={"media_keys": ["k"]}))
    content["includes"]["media"] = media
    report = Report()
    assert left(convert(write, content, report)) == {"1"}
    assert list(report.skipped) == ["medium whose type or address the page does not include"]
    monkeypatch.setattr(pages, "LONGEST", 1000)
    with pytest.raises(ImportRefused, match="a page is longer than"):
        convert(write, content)


def test_a_second_source_is_refused_with_the_next_step(
    acme: Deployment, run: Run, write: Write
) -> None:
    acme.load([f.source("x", account="acme")])
    refused = run("x", write("p.json", page(post(1))), source="x:other", options=ACCOUNT)
    assert "x:other: would be a second source of mentions" in refused.stderr
    assert "import into x:main, or delete it first" in refused.stderr


# The names in X's OpenAPI document, 2.167 of August 2026 and 2.16x of July 2026.
SINCE = {
    "expansions": "article.cover_media article.media_entities attachments.media_keys "
    "attachments.media_source_tweet attachments.poll_ids author_id edit_history_post_ids "
    "entities.mentions.username geo.place_id in_reply_to_user_id referenced_posts username",
    "post.fields": "article attachments conversation_id created_at entities geo id lang "
    "note_post public_metrics reply_settings source text withheld",
    "user.fields": "created_at id name protected public_metrics url username verified",
    "media.fields": "duration_ms height media_key preview_image_url type url variants width",
}
BEFORE = {
    "expansions": "attachments.media_keys attachments.poll_ids author_id edit_history_tweet_ids "
    "referenced_tweets.id referenced_tweets.id.author_id",
    "tweet.fields": "attachments author_id created_at edit_history_tweet_ids id note_tweet "
    "public_metrics referenced_tweets text",
}


def test_the_advice_names_what_x_has() -> None:
    since, before = FIELDS.split(" (before August 2026: ")
    for advice, known in ((since, SINCE), (before.rstrip(")"), BEFORE)):
        flat = advice.replace("ask for ", "").replace(" and ", ", ")
        for parameter in flat.split(", "):
            name, _, values = parameter.partition("=")
            assert set(values.split(",")) <= set(known[name].split())
