"""Responses of the X API v2, through the command and back through the API.

They come in several forms and change over time; error responses are rejected.
"""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from orgctx.importers import Existing, ImportRejected, Report
from orgctx.importers.x import importer as x
from orgctx.importers.x import responses
from tests.importers.conftest import Read, Run, Write, convert, imported, rows
from tests.importers.exports import page, post

ACCOUNT = ("--account", "@acme")
SOURCE = "x:main"


def mentions(write: Write, content: Any) -> tuple[list[dict[str, Any]], Report]:
    """The mentions of a file, and the report."""
    return imported(x, [write("page.json", content)], account="acme")


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


@pytest.mark.parametrize(("members", "flag"), rows("x", "post_is_a_reply_or_repost"))
def test_post_is_a_reply_or_repost(write: Write, members: dict[str, Any], flag: str) -> None:
    ((data,), _) = mentions(write, page(post(1, **members)))
    assert {name for name in ("isReply", "isRepost") if data[name]} == {flag}


@pytest.mark.parametrize(("members", "count"), rows("x", "post_that_is_cut_is_counted"))
def test_post_that_is_cut_is_counted(write: Write, members: dict[str, Any], count: int) -> None:
    _, report = mentions(write, page(post(1, **members)))
    assert [skip.count for skip in report.skipped.values()] == [count] * count


@pytest.mark.parametrize(("members", "text", "unknown"), rows("x", "short_addresses_are_expanded"))
def test_short_addresses_are_expanded(
    write: Write, members: dict[str, Any], text: str, unknown: int
) -> None:
    references = [{"type": "quoted", "id": "9"}]
    content = page(post(1, referenced_posts=references, **members))
    content["includes"]["posts"] = [post(9, **members)]
    ((data,), report) = mentions(write, content)
    assert (data["text"], data["quoted"]["text"]) == (text, text)
    counts = {reason: skip.count for reason, skip in report.skipped.items()}
    assert counts == (
        {"t.co address that the page does not expand": 2 * unknown} if unknown else {}
    )


def test_expanded_text_keeps_its_bound(write: Write) -> None:
    address = f"https://a.example/{'a' * 2_000}"
    urls = [{"url": f"https://t.co/a{n}", "expanded_url": address} for n in range(20)]
    text = " ".join(url["url"] for url in urls)
    ((data,), report) = mentions(write, page(post(1, text=text, entities={"urls": urls})))
    assert data["text"] == text
    assert list(report.skipped) == [
        "post whose t.co addresses are kept, because it would be too long"
    ]


def test_withheld_post_is_a_post(write: Write) -> None:
    line = page() | {"data": post(1, withheld={"copyright": False, "country_codes": ["XY"]})}
    posts, report = mentions(write, line)
    assert [data["id"] for data in posts] == ["1"]
    assert not report.refused


def test_last_line_that_is_cut_off_costs_only_itself(run: Run, read: Read, write: Write) -> None:
    lines = "\n".join(json.dumps(page(post(number), post(10 + number))) for number in (1, 2, 3))
    for cut in (b"", lines.encode()[-3:], lines.encode()[-200:]):
        path = write("stream.jsonl", lines.encode().removesuffix(cut) if cut else lines.encode())
        result = run("x", path, source=SOURCE, options=ACCOUNT)
        assert result.exit_code == bool(cut)
        refused = json.loads(result.stdout)["refused"]["first"]
        message = "stream.jsonl: line 3: the last line is cut off; collect its posts again"
        assert refused == ([message] if cut else [])
    assert len(read("/x/mentions")) == 6
    with pytest.raises(ImportRejected, match="line 2 column"):
        convert(x, [write("stream.jsonl", lines.replace("}\n", "\n", 2))], account="acme")


PAGES = {
    "array": [page(post(1)), page(post(2))],
    "lines": lines(page(post(1)), page(post(2))),
    "lines of both": json.dumps(page(post(1))) + "\n\n" + json.dumps([page(post(2))]),
    "indented": page(post(1), post(2)),
    "marked": "\ufeff" + json.dumps(page(post(1), post(2))),
    "lookups": [page() | {"data": post(1)}, page() | {"data": post(2)}],
    "filtered stream": lines(*(page() | {"data": post(n), "matching_rules": []} for n in (1, 2))),
    "activity": lines(
        *({"data": {"event_type": "post.mention.create", "payload": post(n), **page()}}
          for n in (1, 2))
    ),
}  # fmt: skip


@pytest.mark.parametrize("versions", [["1"], ["1", "5"], ["5", "1"]], ids=str)
def test_post_replaces_and_deletes_none_of_another_author(
    write: Write, versions: list[str]
) -> None:
    """A post is rejected if its id or a version belongs to a post of another author."""
    edited = post(int(versions[-1]), edit_history_post_ids=versions)
    report = Report()
    records = records_of(write, page(edited, post(6)), report, [("1", "31"), ("6", "7")])
    assert [r["data"]["id"] for r in records if r["type"] in ("x.mention", "delete")] == ["6"]
    (reason,) = report.refused
    assert "version 1 belongs to another author" in reason


@pytest.mark.parametrize("form", PAGES)
def test_pages_come_in_many_forms(write: Write, form: str) -> None:
    posts, _ = mentions(write, PAGES[form])
    assert [data["id"] for data in posts] == ["1", "2"]


@pytest.mark.parametrize(("members", "reason"), rows("x", "post_error_names_the_position"))
def test_post_error_names_the_position(write: Write, members: dict[str, Any], reason: str) -> None:
    posts, report = mentions(write, page(post(1), post(2, **members)))
    assert [data["id"] for data in posts] == ["1"]
    (refused,) = report.refused
    assert refused.startswith("page.json: data[1]: ")
    assert reason in refused


@pytest.mark.parametrize("url", rows("x", "medium_without_a_web_address_is_left_out"))
def test_medium_without_a_web_address_is_left_out(write: Write, url: str) -> None:
    content = page(post(1, attachments={"media_keys": ["k"]}))
    content["includes"]["media"] = [{"media_key": "k", "type": "photo", "url": url}]
    ((data,), report) = mentions(write, content)
    assert data["media"] == []
    assert list(report.skipped) == ["medium whose type or URL the page does not include"]


@pytest.mark.parametrize(("content", "reason"), rows("x", "file_without_pages_is_refused"))
def test_file_without_pages_is_refused(write: Write, content: Any, reason: str) -> None:
    with pytest.raises(ImportRejected, match=r"^page\.json: ") as refused:
        convert(x, [write("page.json", content)], account="acme")
    assert reason in str(refused.value)


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
        ((data,), report) = mentions(write, content)
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


@pytest.mark.parametrize(("body", "quote"), rows("x", "error_response_is_quoted_without_its_token"))
def test_error_response_is_quoted_without_its_token(write: Write, body: Any, quote: str) -> None:
    with pytest.raises(ImportRejected) as refused:
        records_of(write, body)
    text = str(refused.value)
    assert text.startswith("page.json: this is an error response of X, without posts: ")
    assert quote in text
    assert len(text) < 400
    assert "12345678" not in text


@pytest.mark.parametrize("name", ["edit_history_post_ids", "edit_history_tweet_ids"])
@pytest.mark.parametrize(
    ("order", "skipped_count"), [((10, 11, 12), 0), ((12, 11, 10), 2), ((11, 12, 10), 1)]
)
def test_edited_post_keeps_its_newest_version(
    write: Write, name: str, order: tuple[int, ...], skipped_count: int
) -> None:
    report = Report()
    versions = [post(n, **{name: [str(v) for v in range(10, n + 1)]}) for n in order]
    assert remaining(records_of(write, page(*versions), report)) == {"12"}
    counts = {reason: skip.count for reason, skip in report.skipped.items()}
    assert counts.get("older version of an edited post", 0) == skipped_count
    # If the newest version is deleted, no older one remains.
    deletion = {"data": {"delete": {"tweet": {"id": "12"}}}}
    for values in ((page(*versions), deletion), (deletion, page(*versions))):
        assert not remaining(records_of(write, lines(*values)))


@pytest.mark.parametrize("deletion", rows("x", "deletion_event_deletes_posts_in_any_order"))
def test_deletion_event_deletes_posts_in_any_order(write: Write, deletion: Any) -> None:
    before = records_of(write, lines(page(post(1)), deletion))
    assert remaining(before) == set()
    after = records_of(write, lines(deletion, page(post(1))))
    # A line of a batch job does not say that its id is a user's: it deletes posts read before it.
    assert remaining(after) == ({"1"} if deletion.get("id") == "7" else set())
    stored = records_of(write, deletion, stored=[("1", "7")])
    assert [record["data"]["id"] for record in stored if record["type"] == "delete"] == ["1"]


@pytest.mark.parametrize(("event", "reason"), rows("x", "other_event_is_reported"))
def test_other_event_is_reported(write: Write, event: Any, reason: str) -> None:
    report = Report()
    assert remaining(records_of(write, lines(page(post(1)), event), report)) == {"1"}
    assert list(report.skipped) == [reason]


def test_page_has_a_maximum_size(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(responses, "MAX_PAGE_BYTES", 1000)
    with pytest.raises(ImportRejected, match="a page exceeds"):
        records_of(write, page(post(1, text="x" * 1000)))
