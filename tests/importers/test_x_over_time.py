"""X's responses come in several forms and change over time; error responses are rejected."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from orgctx.importers import Existing, ImportRejected, Report
from orgctx.importers.x import importer as x
from orgctx.importers.x import pages
from tests.importers.conftest import Read, Run, Write, convert, imported, unchanged
from tests.importers.exports import page, post
from tests.support.deployment import Deployment

ACCOUNT = ("--account", "acme")
SOURCE = "x:main"
UNAUTHORIZED = {
    "title": "Unauthorized",
    "type": "about:blank",
    "status": 401,
    "detail": "Unauthorized",
}
VERSIONS = ["10", "11", "12"]


def records_of(
    write: Write, content: Any, report: Report | None = None, stored: Iterable[tuple[str, str]] = ()
) -> list[dict[str, Any]]:
    """The records of a file. stored: pairs of a stored mention's id and its author's id."""
    existing = Existing(authors=lambda: stored)
    path = write("page.json", content)
    return convert(x, [path], report, existing=existing, source_id=SOURCE, account="acme")


def remaining(records: list[dict[str, Any]]) -> set[str]:
    """The ids of the mentions that remain after all records are loaded."""
    ids: set[str] = set()
    for record in records:
        if record["type"] == "x.mention":
            ids.add(record["data"]["id"])
        elif record["type"] == "delete":
            ids.discard(record["data"]["id"])
    return ids


def lines(*values: Any) -> str:
    return "".join(json.dumps(value) + "\r\n" for value in values)


def event(kind: str, id_: str, subject: str = "tweet") -> dict[str, Any]:
    return {"data": {kind: {subject: {"id": id_}, "event_at": "2026-02-01T00:00:00.000Z"}}}


def test_both_vocabularies_give_the_same_mention(write: Write) -> None:
    """X renamed tweets to posts in August 2026."""
    variants = [
        {"bit_rate": rate, "content_type": "video/mp4", "url": f"https://example.com/{rate}.mp4"}
        for rate in (1, 9)
    ]
    preview = "https://example.com/p.jpg"
    video = {"media_key": "k", "type": "video", "preview_image_url": preview, "variants": variants}

    def mention(noun: str, repost_count: str) -> dict[str, Any]:
        members: dict[str, Any] = {
            f"referenced_{noun}s": [{"type": "quoted", "id": "9"}],
            f"edit_history_{noun}_ids": ["1"],
            f"note_{noun}": {"text": "At length"},
            "public_metrics": {repost_count: 2},
            "attachments": {"media_keys": ["k"]},
        }
        content = page(post(1, **members))
        content["includes"] |= {f"{noun}s": [post(9)], "media": [video]}
        ((data,), report) = imported(x, [write("page.json", content)], account="acme")
        assert not report.skipped
        return data

    renamed = mention("post", "repost_count")
    assert mention("tweet", "retweet_count") == renamed
    assert (renamed["text"], renamed["metrics"]["reposts"]) == ("At length", 2)
    assert renamed["media"] == [{"type": "video", "url": variants[1]["url"], "previewUrl": preview}]
    assert renamed["quoted"] == {
        "author": renamed["author"],
        "text": "Post 9 & @acme",
        "url": "https://x.com/bob/status/9",
    }


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
        ({"errors": []}, "an error without a message"),
        (
            {"detail": "Bearer abcdefgh12345678 and AAAAAAAAAAAAAAAAAAAAAF2%3Dx9 " + "long " * 900},
            "Bearer … and … long",
        ),
    ],
)  # fmt: skip
def test_error_response_is_quoted_without_its_token(write: Write, body: Any, quote: str) -> None:
    with pytest.raises(ImportRejected) as refused:
        records_of(write, body)
    text = str(refused.value)
    assert text.startswith("page.json: this is an error response of X, without posts: ")
    assert quote in text
    assert len(text) < 400
    assert "12345678" not in text


def test_error_response_keeps_the_time_of_the_source(
    acme: Deployment, run: Run, read: Read, write: Write
) -> None:
    run("x", write("1.json", page(post(1))), source=SOURCE, options=ACCOUNT).json()
    before = acme.execute("SELECT updated_at FROM sources")
    failed = run("x", write("2.json", UNAUTHORIZED), source=SOURCE)
    assert failed.exit_code == 1
    assert failed.stderr.startswith("Error: Nothing was imported: 2.json: this is an error")
    assert acme.execute("SELECT updated_at FROM sources") == before
    later = page(post(2, created_at="2026-02-02T00:00:00Z"))
    both = run("x", write("3.json", lines(UNAUTHORIZED, later)), source=SOURCE)
    assert both.exit_code == 1
    assert read("/sources")[0]["updatedAt"] == "2026-02-02T00:00:00Z"


def test_source_is_as_old_as_its_newest_post(run: Run, read: Read, write: Write) -> None:
    """A time that the file states, as twarc does, is newer; one in the future is not believed."""
    old = post(1, created_at="2021-03-01T08:00:00Z")
    run("x", write("p.json", page(old)), source=SOURCE, options=ACCOUNT).json()
    (source,) = read("/sources")
    assert (source["updatedAt"], source["status"]) == ("2021-03-01T08:00:00Z", "stale")
    empty = write("empty.json", {"meta": {"result_count": 0}})
    assert unchanged(run("x", empty, source=SOURCE).json())
    stated = page(old) | {"__twarc": {"retrieved_at": "2021-04-01T00:00:00+00:00"}}
    run("x", write("stated.json", stated), source=SOURCE).json()
    assert read("/sources")[0]["updatedAt"] == "2021-04-01T00:00:00Z"
    future = page(post(2, created_at="2999-01-01T00:00:00Z"))
    run("x", write("future.json", future), source=SOURCE).json()
    assert read("/sources")[0]["updatedAt"] < "2999"


def flattened(number: int) -> dict[str, Any]:
    """A post as twarc flattens it: with its author, media and the posts that it refers to."""
    (author,) = page()["includes"]["users"]
    return post(
        number,
        author=author,
        referenced_tweets=[{"type": "quoted", **post(99, author=author)}],
        attachments={"media": [{"media_key": "k", "type": "photo", "url": "https://example.com/a"}],
                     "media_keys": ["k"]},
        __twarc={"retrieved_at": "2026-02-02T00:00:00+00:00"},
    )  # fmt: skip


@pytest.mark.parametrize(
    "content",
    [
        page(post(1)) | {"data": post(1)},
        lines({**page(), "data": post(1), "matching_rules": []}),
        {"data": {"event_type": "post.mention.create", "payload": post(1), **page()}},
    ],
    ids=["lookup", "filtered stream", "activity"],
)
def test_single_post_is_a_page(write: Write, content: Any) -> None:
    assert remaining(records_of(write, content)) == {"1"}


@pytest.mark.parametrize("form", [list, lambda posts: lines(*posts)], ids=["array", "lines"])
def test_flattened_posts_need_no_page(write: Write, form: Callable[..., Any]) -> None:
    report = Report()
    records = records_of(write, form([flattened(1), flattened(2)]), report)
    first, second = (record["data"] for record in records if record["type"] == "x.mention")
    assert (first["id"], second["id"]) == ("1", "2")
    assert first["author"]["username"] == "bob"
    assert first["quoted"]["url"] == "https://x.com/bob/status/99"
    assert [medium["url"] for medium in first["media"]] == ["https://example.com/a"]
    assert records[0]["data"]["updatedAt"] == "2026-02-02T00:00:00Z"
    assert not report.skipped


@pytest.mark.parametrize("name", ["edit_history_post_ids", "edit_history_tweet_ids"])
@pytest.mark.parametrize(
    ("order", "skipped_count"), [((10, 11, 12), 0), ((12, 11, 10), 2), ((11, 12, 10), 1)]
)
def test_edited_post_keeps_its_newest_version(
    write: Write, name: str, order: tuple[int, ...], skipped_count: int
) -> None:
    report = Report()
    versions = [post(n, **{name: VERSIONS[: VERSIONS.index(str(n)) + 1]}) for n in order]
    assert remaining(records_of(write, page(*versions), report)) == {"12"}
    counts = {reason: skip.count for reason, skip in report.skipped.items()}
    assert counts.get("older version of an edited post", 0) == skipped_count


def test_edited_post_stays_while_its_newest_version_is_unknown(write: Write) -> None:
    report = Report()
    records = records_of(write, page(post(10, edit_history_post_ids=VERSIONS)), report)
    assert remaining(records) == {"10"}
    assert list(report.skipped) == ["newest version of an edited post that no page includes"]


def test_edited_post_deletes_its_stored_version(run: Run, read: Read, write: Write) -> None:
    run("x", write("1.json", page(post(10))), source=SOURCE, options=ACCOUNT).json()
    edited = write("2.json", page(post(11, edit_history_post_ids=VERSIONS[:2])))
    report = run("x", edited, source=SOURCE).json()
    assert report["types"]["x.mention"]["deleted"] == 1
    assert [mention["id"] for mention in read("/x/mentions")] == ["11"]
    assert unchanged(run("x", edited, source=SOURCE).json())


@pytest.mark.parametrize(
    "deletion",
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
def test_deletion_event_deletes_posts_in_any_order(write: Write, deletion: Any) -> None:
    before = records_of(write, lines(page(post(1)), deletion))
    assert remaining(before) == set()
    after = records_of(write, lines(deletion, page(post(1))))
    # A line of a batch job does not say that its id is a user's: it deletes posts read before it.
    assert remaining(after) == ({"1"} if deletion.get("id") == "7" else set())
    stored = records_of(write, deletion, stored=[("1", "7")])
    assert [record["data"]["id"] for record in stored if record["type"] == "delete"] == ["1"]


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (event("undrop", "1"), "event that restores posts; collect them again"),
        (event("user_unsuspend", "7", "user"), "event that restores posts; collect them again"),
        (event("withheld", "1"), "event that deletes no post"),
        (event("tweet_edit", "1"), "event that deletes no post"),
        ({"id": "1", "action": "scrub_geo"}, "event that deletes no post"),
    ],
)
def test_other_event_is_reported(write: Write, event: Any, reason: str) -> None:
    report = Report()
    assert remaining(records_of(write, lines(page(post(1)), event), report)) == {"1"}
    assert list(report.skipped) == [reason]


def test_event_is_loaded_and_dates_the_source(run: Run, read: Read, write: Write) -> None:
    posts = page(post(1), post(2, author_id="8"))
    posts["includes"]["users"].append({"id": "8", "username": "eve", "name": "Eve"})
    run("x", write("1.json", posts), source=SOURCE, options=ACCOUNT).json()
    report = run("x", write("2.json", event("user_protect", "7", "user")), source=SOURCE).json()
    assert report["types"]["x.mention"]["deleted"] == 1
    assert [mention["id"] for mention in read("/x/mentions")] == ["2"]
    assert read("/sources")[0]["updatedAt"] == "2026-02-01T00:00:00Z"


def test_long_author_name_is_cut(write: Write) -> None:
    content = page(post(1))
    content["includes"]["users"][0]["name"] = "n" * 600
    report = Report()
    assert remaining(records_of(write, content, report)) == {"1"}
    assert "name of an author cut to 512 characters" in report.repaired


def test_page_has_a_maximum_size(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAX_PAGE_BYTES", 1000)
    with pytest.raises(ImportRejected, match="a page exceeds"):
        records_of(write, page(post(1, text="x" * 1000)))
