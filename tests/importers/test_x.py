"""Responses of the X API v2, through the command and back through the API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import ImportRejected
from orgctx.importers.x import importer as x
from tests.importers.conftest import Read, Run, Write, convert, imported, unchanged
from tests.importers.exports import page, post
from tests.support import factories as make
from tests.support.deployment import Deployment

ACCOUNT = ("--account", "@acme")
BOB = {"id": "7", "username": "bob", "name": "Bob", "verified": True}
SOURCE = "x:main"
CUT = "text that ends with … and is probably cut; the page does not include all of it"


def mentions(run: Run, read: Read, path: Path) -> Any:
    run("x", path, source=SOURCE, options=ACCOUNT).json()
    return read("/x/mentions")


def test_post_reads_back(run: Run, read: Read, write: Write) -> None:
    (mention,) = mentions(run, read, write("page.json", page(post(5))))
    assert mention == {
        "id": "5",
        "url": "https://x.com/bob/status/5",
        "text": "Post 5 & @acme",
        "createdAt": "2026-01-31T08:00:00Z",
        "metrics": {"likes": 3, "reposts": 1, "replies": 0, "quotes": 0, "views": 9},
        "isReply": False,
        "isRepost": False,
        "author": {"id": "7", "username": "bob", "name": "Bob <3", "verified": True},
        "media": [],
        "quoted": None,
    }
    (source,) = read("/sources")
    assert (source["label"], source["description"], source["updatedAt"]) == (
        "@acme", "Posts on X that mention @acme.", "2026-01-31T08:00:00Z",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("members", "flag"),
    [
        ({"in_reply_to_user_id": "9"}, "isReply"),
        ({"referenced_posts": [{"type": "replied_to", "id": "9"}]}, "isReply"),
        ({"referenced_tweets": [{"type": "retweeted", "id": "9"}]}, "isRepost"),
    ],
)
def test_post_is_a_reply_or_repost(write: Write, members: dict[str, Any], flag: str) -> None:
    ((data,), _) = imported(x, [write("page.json", page(post(1, **members)))], account="acme")
    assert {name for name in ("isReply", "isRepost") if data[name]} == {flag}


LONG = "Thirty &amp; more words about @acme 🚆 " * 10


def reposting(original: dict[str, Any] | None, **members: Any) -> dict[str, Any]:
    """A page with a repost, whose text X cuts, and the original if the page includes it."""
    references = [{"type": "reposted", "id": "9"}]
    cut = post(1, **{"text": f"RT @eve: {LONG[:130]}…", "referenced_posts": references} | members)
    content = page(cut)
    content["includes"]["posts"] = [original] if original else []
    return content


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"text": LONG}, LONG),
        ({"text": LONG[:270], "note_post": {"text": LONG}}, LONG),
        (
            {"text": "See https://t.co/a1", "entities": {"urls": [
                {"url": "https://t.co/a1", "expanded_url": "https://example.com/?a=1&b=2"}]}},
            "See https://example.com/?a=1&b=2",
        ),
    ],
)  # fmt: skip
def test_repost_has_the_whole_text_of_the_original(
    write: Write, members: dict[str, Any], text: str
) -> None:
    path = write("page.json", reposting(post(9, **members)))
    ((data,), report) = imported(x, [path], account="acme")
    assert data["text"] == "RT @eve: " + text.replace("&amp;", "&")
    assert data["isRepost"]
    assert not report.skipped


@pytest.mark.parametrize("original", [None, post(9, text=None), post(9, text="x" * 32_768)])
def test_repost_whose_original_is_unknown_is_counted(write: Write, original: Any) -> None:
    path = write("page.json", reposting(original))
    ((data,), report) = imported(x, [path], account="acme")
    assert data["text"].endswith("…")
    assert list(report.skipped) == [CUT]


@pytest.mark.parametrize(
    ("members", "count"),
    [
        ({"text": "Much to read…"}, 1),
        ({"text": "Much to read… https://t.co/a", "entities": {"urls": [
            {"url": "https://t.co/a", "expanded_url": "https://x.com/i/web/status/1"}]}}, 1),
        ({"text": "Much to read…", "note_post": {"text": "Much to read… all of it…"}}, 0),
        ({"text": "Much … to read"}, 0),
    ],
)  # fmt: skip
def test_post_that_is_cut_is_counted(write: Write, members: dict[str, Any], count: int) -> None:
    _, report = imported(x, [write("page.json", page(post(1, **members)))], account="acme")
    assert [skip.count for skip in report.skipped.values()] == [count] * count


def addresses(**urls: str) -> dict[str, Any]:
    """The entities of a text, with the positions that X counts in several ways."""
    return {
        "urls": [
            {"start": 1, "end": 9, "url": f"https://t.co/{name}", "expanded_url": address}
            for name, address in urls.items()
        ]
    }


@pytest.mark.parametrize(
    ("members", "text", "unknown"),
    [
        (
            {"text": "🚆 &amp; https://t.co/a, https://t.co/ab.",
             "entities": addresses(a="https://a.example/?x&amp;y", ab="http://b.example")},
            "🚆 & https://a.example/?x&amp;y, http://b.example.", 0,
        ),
        (
            {"text": "cut", "note_tweet": {
                "text": "all https://t.co/a", "entities": addresses(a="https://a.example")}},
            "all https://a.example", 0,
        ),
        ({"text": "https://t.co/a https://t.co/b", "entities": addresses(a="javascript:x")},
         "https://t.co/a https://t.co/b", 2),
        ({"text": "https://t.co/a", "entities": {"urls": [5, {}]}}, "https://t.co/a", 1),
        ({"text": "https://t.co/a", "entities": {"urls": [
            {"url": "https://t.co/a", "unwound_url": "https://a.example"}]}},
         "https://a.example", 0),
    ],
)  # fmt: skip
def test_short_addresses_are_expanded(
    write: Write, members: dict[str, Any], text: str, unknown: int
) -> None:
    references = [{"type": "quoted", "id": "9"}]
    content = page(post(1, referenced_posts=references, **members))
    content["includes"]["posts"] = [post(9, **members)]
    ((data,), report) = imported(x, [write("page.json", content)], account="acme")
    assert (data["text"], data["quoted"]["text"]) == (text, text)
    counts = {reason: skip.count for reason, skip in report.skipped.items()}
    assert counts == (
        {"t.co address that the page does not expand": 2 * unknown} if unknown else {}
    )


def test_expanded_text_keeps_its_bound(write: Write) -> None:
    urls = {f"a{n}": f"https://a.example/{'a' * 2_000}" for n in range(20)}
    text = " ".join(f"https://t.co/{name}" for name in urls)
    path = write("page.json", page(post(1, text=text, entities=addresses(**urls))))
    ((data,), report) = imported(x, [path], account="acme")
    assert data["text"] == text
    assert list(report.skipped) == [
        "post whose t.co addresses are kept, because it would be too long"
    ]


@pytest.mark.parametrize("name", [None, "", " \u3000"])
def test_author_without_name_has_the_username(write: Write, name: str | None) -> None:
    content = page(post(1))
    content["includes"]["users"][0]["name"] = name
    ((data,), report) = imported(x, [write("page.json", content)], account="acme")
    assert data["author"]["name"] == "bob"
    assert report.repaired == {"author without a name, stored with the username": 1}


@pytest.mark.parametrize("form", [dict, lambda line: line["data"] | {"author": BOB}])
def test_withheld_post_is_a_post(write: Write, form: Any) -> None:
    """In a line of a stream, and flattened."""
    withheld = {"copyright": False, "country_codes": ["XY"]}
    line = page() | {"data": post(1, withheld=withheld)}
    posts, report = imported(x, [write("line.json", form(line))], account="acme")
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


@pytest.mark.parametrize(
    "content",
    [
        json.dumps([page(post(1)), page(post(2))]),
        json.dumps(page(post(1))) + "\n" + json.dumps(page(post(2))) + "\n",
        json.dumps(page(post(1))) + "\n\n" + json.dumps([page(post(2))]),
        json.dumps(page(post(1), post(2)), indent=2),
        "\ufeff" + json.dumps(page(post(1), post(2))),
    ],
    ids=["array", "lines", "lines of both", "indented", "marked"],
)
def test_pages_come_in_many_forms(write: Write, content: str) -> None:
    posts, _ = imported(x, [write("pages.json", content)], account="acme")
    assert [data["id"] for data in posts] == ["1", "2"]


def test_several_files_are_one_import(run: Run, read: Read, write: Write) -> None:
    paths = (write("1.json", page(post(1))), write("2.json", page(post(1, text="new"), post(2))))
    run("x", *paths, source=SOURCE, options=ACCOUNT).json()
    assert [data["text"] for data in read("/x/mentions")] == ["new", "Post 2 & @acme"]
    assert unchanged(run("x", *paths, source=SOURCE).json())


def test_report_counts_what_a_page_lacks(write: Write) -> None:
    lacking = post(
        1, referenced_posts=[{"type": "quoted", "id": "99"}], attachments={"media_keys": ["3_1"]}
    )
    path = write("page.json", page(lacking, errors=[{"detail": "Could not find post 99."}]))
    ((data,), report) = imported(x, [path], account="acme")
    assert {reason: skip.count for reason, skip in report.skipped.items()} == {
        "partial error of the API": 1,
        "quoted post that the page does not include": 1,
        "medium whose type or URL the page does not include": 1,
    }
    assert data["quoted"] is None


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"author_id": None}, "author_id is missing; ask for expansions=author_id"),
        (
            {"author_id": "8"},
            "the author is missing in includes.users; ask for",
        ),
        ({"created_at": None}, "created_at is missing; ask for expansions=author_id"),
        ({"created_at": "today"}, "created_at must be a time"),
        ({"id": 5}, "id must be a string of digits"),
        ({"text": None}, "text must be a string"),
        ({"text": "x" * 4_000_000}, "text must have at most 32,768 characters"),
        ({"public_metrics": {"like_count": -1}}, "public_metrics must be non-negative"),
        (
            {"public_metrics": {"like_count": 10**30}},
            "public_metrics must be non-negative",
        ),
    ],
)
def test_post_error_names_the_place(write: Write, members: dict[str, Any], reason: str) -> None:
    path = write("page.json", page(post(1), post(2, **members)))
    posts, report = imported(x, [path], account="acme")
    assert [data["id"] for data in posts] == ["1"]
    (refused,) = report.refused
    assert refused.startswith("page.json: data[1]: ")
    assert reason in refused


def test_error_says_which_fields_to_ask_for(run: Run, write: Write) -> None:
    path = write("page.json", page({"id": "1", "text": "a"}))
    result = run("x", path, source=SOURCE, options=ACCOUNT)
    assert result.exit_code == 1
    assert "Nothing was imported: page.json: data[0]: author_id is missing" in result.stderr
    assert result.stderr.rstrip().endswith("note_tweet,public_metrics,referenced_tweets)")


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "",
        "no url",
        "https://a/ü",
        "https://a\x01",
        "ftp://a",
        "https://a/" + "a" * 2_039,
    ],
)
def test_medium_without_a_web_address_is_left_out(write: Write, url: str) -> None:
    content = page(post(1, attachments={"media_keys": ["k"]}))
    content["includes"]["media"] = [{"media_key": "k", "type": "photo", "url": url}]
    ((data,), report) = imported(x, [write("page.json", content)], account="acme")
    assert data["media"] == []
    assert list(report.skipped) == ["medium whose type or URL the page does not include"]


def test_report_counts_parts_that_no_field_stores(run: Run, write: Write) -> None:
    attachments = {"media_keys": ["k"] * 6, "poll_ids": ["1"]}
    content = page(post(1, attachments=attachments, article={"title": "At length"}))
    content["includes"]["media"] = [{"media_key": "k", "type": "photo", "url": "https://a/b"}]
    report = run("x", write("p.json", content), source=SOURCE, options=ACCOUNT).json()
    assert {reason: skip["count"] for reason, skip in report["skipped"].items()} == {
        "medium after the first 4 of a post": 2,
        "poll of a post": 1,
        "article of a post": 1,
    }


def test_account_must_be_known_and_the_same(acme: Deployment, run: Run, write: Write) -> None:
    path = write("page.json", page(post(1)))
    invalid = run("x", path, source=SOURCE, options=("--account", "a b"))
    assert "Nothing was imported: --account: must be a username" in invalid.stderr
    acme.load([make.source("x", account="acme")])
    other = run("x", path, source=SOURCE, options=("--account", "other"))
    assert "belongs to @acme, so it cannot contain mentions of @other" in other.stderr
    assert run("x", path, source=SOURCE, options=("--account", "ACME")).exit_code == 0


def entities(*usernames: str) -> dict[str, Any]:
    return {"mentions": [{"start": 0, "end": 1, "username": name} for name in usernames]}


@pytest.mark.parametrize(
    "posts",
    [
        [post(1)],
        [post(1), post(2, text="To @ACME and @bob"), post(3, text="nobody, or a@mail.example")],
        [post(1, text="cut …", entities=entities("Bob", "acme")), post(2)],
        [post(1, text="cut …", note_post={"text": "long", "entities": entities("acme")})],
    ],
)
def test_account_is_the_one_that_all_posts_mention(
    acme: Deployment, run: Run, read: Read, write: Write, posts: list[Any]
) -> None:
    first = write("first.json", page(*posts[:1]))
    rest = write("rest.jsonl", "".join(json.dumps(page(one)) + "\n" for one in posts[1:]))
    paths = [first, rest] if posts[1:] else [first]
    assert run("x", *paths, source=SOURCE).exit_code == 0
    (source,) = read("/sources")
    assert source["label"].lower() == "@acme"


@pytest.mark.parametrize(
    "posts",
    [
        [post(1, text="@acme @bob")],
        [post(1, text="@acme"), post(2, text="@bob")],
        [post(1, text="nobody")],
    ],
)
def test_account_must_be_given_if_posts_do_not_tell(
    acme: Deployment, run: Run, write: Write, posts: list[Any]
) -> None:
    message = run("x", write("page.json", page(*posts)), source=SOURCE).stderr
    assert "not exactly one account that all posts mention. Pass --account USERNAME" in message


def test_second_source_of_mentions_is_refused(acme: Deployment, run: Run, write: Write) -> None:
    acme.load([make.source("x", account="acme")])
    refused = run("x", write("p.json", page(post(1))), source="x:other", options=ACCOUNT)
    assert "x:other: would be a second source of mentions" in refused.stderr
    assert "import into x:main, or delete it first" in refused.stderr


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "page.json: line 1 column 1: is not JSON"),
        ("", "it is empty"),
        ('{"data": [', "page.json: line 1 column"),
        ('{"data": []}\n{"data"\n', "page.json: line 3 column 1: is not JSON"),
        ("[" * 5_000, "page.json: line 1 column"),
        ("Too Many Requests\n", "; it begins with 'Too Many Requests'"),
        ("<html>", "is HTML or XML, not JSON: save the response of the X API itself"),
        (b"PK\x03\x04", "is a zip archive"),
        ([], "contains no page"),
        ({"a": 1}, "a page must be an object with data, includes and meta"),
        (
            [{"id_str": "1", "full_text": "a", "user": {}}],
            "page 1: this is a response of X API v1.1; collect ",
        ),
        (
            {"statuses": []},
            "this is a response of X API v1.1; collect again with v2 and ask for expansions=",
        ),
        (
            'window.YTD.tweets.part0 = [ {"tweet": {}} ]',
            "is an archive of your own posts, without the mentions that others wrote; "
            "collect GET /2/users/{id}/mentions of the X API",
        ),
        ({"id": "x", "action": "delete"}, "an event must name the post or user by id"),
    ],
)
def test_file_without_pages_is_refused(write: Write, content: Any, reason: str) -> None:
    with pytest.raises(ImportRejected, match=r"^page\.json: ") as refused:
        convert(x, [write("page.json", content)], account="acme")
    assert reason in str(refused.value)


def test_array_member_that_is_no_page_is_refused(run: Run, write: Write) -> None:
    path = write("page.json", [page(post(1)), 5, {"id": "1"}])
    report = json.loads(run("x", path, source=SOURCE, options=ACCOUNT).stdout)
    assert [line[:17] for line in report["refused"]["first"]] == [
        "page.json: page 2",
        "page.json: page 3",
    ]
