"""Responses of the X API v2, through the command and back through the API.

They come in several forms and change over time.
"""

import json
from typing import Any

import pytest

from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.x import importer as x
from tests.importers.conftest import Write, convert, imported, rows
from tests.importers.exports import page, post

SOURCE = "x:main"


def mentions(write: Write, content: Any) -> tuple[list[dict[str, Any]], Report]:
    """The mentions of a file, and the report."""
    return imported(x, [write("page.json", content)], account="acme")


def lines(*values: Any) -> str:
    return "".join(json.dumps(value) + "\r\n" for value in values)


@pytest.mark.parametrize(
    ("members", "includes", "expected", "missing"), rows("x", "post_becomes_a_mention")
)
def test_post_becomes_a_mention(
    write: Write,
    members: dict[str, Any],
    includes: dict[str, Any],
    expected: dict[str, Any],
    missing: list[str],
) -> None:
    content = page(post(1, **members))
    content["includes"] |= includes
    ((data,), report) = mentions(write, content)
    assert {name: data[name] for name in expected} == expected
    assert list(report.skipped) == missing


@pytest.mark.parametrize(("members", "text"), rows("x", "short_addresses_are_expanded"))
def test_short_addresses_are_expanded(write: Write, members: dict[str, Any], text: str) -> None:
    references = [{"type": "quoted", "id": "9"}]
    content = page(post(1, referenced_posts=references, **members))
    content["includes"]["posts"] = [post(9, **members)]
    ((data,), _) = mentions(write, content)
    assert (data["text"], data["quoted"]["text"]) == (text, text)


def test_expanded_text_keeps_its_bound(write: Write) -> None:
    address = f"https://a.example/{'a' * 2_000}"
    urls = [{"url": f"https://t.co/a{n}", "expanded_url": address} for n in range(20)]
    text = " ".join(url["url"] for url in urls)
    ((data,), _) = mentions(write, page(post(1, text=text, entities={"urls": urls})))
    assert data["text"] == text


PAGES = {
    "array": [page(post(1)), page(post(2))],
    "lines": lines(page(post(1)), page(post(2))),
    "lines of both": json.dumps(page(post(1))) + "\n\n" + json.dumps([page(post(2))]),
    "indented": page(post(1), post(2)),
    "marked": "\ufeff" + json.dumps(page(post(1), post(2))),
    "lookups": [page() | {"data": post(1)}, page() | {"data": post(2)}],
    "filtered stream": lines(*(page() | {"data": post(n), "matching_rules": []} for n in (1, 2))),
}  # fmt: skip


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


def test_page_has_a_maximum_size(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(x, "MAX_PAGE_BYTES", 1000)
    with pytest.raises(ImportRejected, match="a page exceeds"):
        mentions(write, page(post(1, text="x" * 1000)))
