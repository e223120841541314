"""X API v2 responses, through the command and back through the API."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import Existing, ImportRefused, Report
from orgctx.importers.x import importer as x
from tests.importers.conftest import unchanged
from tests.importers.exports import page, post
from tests.support import factories as f
from tests.support.deployment import Deployment, Result

Run = Callable[..., Result]
Read = Callable[[str], Any]
Write = Callable[..., Path]
ACCOUNT = ("--account", "@acme")
SOURCE = "x:main"


def mentions(run: Run, read: Read, path: Path) -> Any:
    run("x", path, source=SOURCE, options=ACCOUNT).json()
    return read("/x/mentions")


def test_a_post_reads_back(run: Run, read: Read, write: Write) -> None:
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
def test_pages_come_in_many_forms(run: Run, read: Read, write: Write, content: str) -> None:
    assert {m["id"] for m in mentions(run, read, write("pages.json", content))} == {"1", "2"}


def test_several_files_are_one_import(run: Run, read: Read, write: Write) -> None:
    old, new = write("1.json", page(post(1))), write("2.json", page(post(1, text="new"), post(2)))
    run("x", old, new, source=SOURCE, options=ACCOUNT).json()
    assert [m["text"] for m in read("/x/mentions")] == ["new", "Post 2 & @acme"]
    assert unchanged(run("x", old, new, source=SOURCE).json())


def test_what_a_page_lacks_is_reported(run: Run, read: Read, write: Write) -> None:
    lacking = post(
        1,
        referenced_posts=[{"type": "quoted", "id": "99"}],
        attachments={"media_keys": ["3_1"]},
    )
    path = write("page.json", page(lacking, errors=[{"detail": "Could not find post 99."}]))
    report = run("x", path, source=SOURCE, options=ACCOUNT).json()
    assert set(report["skipped"]) == {
        "partial error of the API",
        "quoted post that the page does not include",
        "medium whose type or address the page does not include",
    }
    assert read("/x/mentions")[0]["quoted"] is None


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"author_id": None}, "the post has no author_id: ask for expansions=author_id"),
        ({"author_id": "8"}, "author is not in includes.users: ask for expansions=author_id"),
        ({"created_at": None}, "the post has no created_at: ask for expansions=author_id"),
        ({"created_at": "today"}, "created_at must be a time"),
        ({"id": 5}, "id must be a string of digits"),
        ({"text": None}, "text must be a string"),
        ({"public_metrics": {"like_count": -1}}, "public_metrics must be integers"),
        ({"public_metrics": {"like_count": 10**30}}, "public_metrics must be integers"),
    ],
)
def test_a_post_that_lacks_what_matters_is_refused(
    write: Write, members: dict[str, Any], reason: str
) -> None:
    path, report = write("page.json", page(post(1), post(2, **members))), Report()
    where: dict[str, Any] = {"organization_id": f.ACME, "source_id": SOURCE, "existing": Existing()}
    kept = list(x.records([path], account="acme", report=report, **where))
    assert [record["data"].get("id") for record in kept if record["type"] != "source"] == ["1"]
    (refused,) = report.refused
    assert refused.startswith("page.json: data[1]: ")
    assert reason in refused


def test_the_operator_reads_what_to_ask_for(run: Run, write: Write) -> None:
    result = run(
        "x", write("page.json", page({"id": "1", "text": "a"})), source=SOURCE, options=ACCOUNT
    )
    assert result.exit_code == 1
    assert "nothing was imported: page.json: data[0]: the post has no author_id" in result.stderr
    assert result.stderr.rstrip().endswith("note_tweet,public_metrics,referenced_tweets)")


@pytest.mark.parametrize("url", ["javascript:alert(1)", "", "no url", "https://a\x01", "ftp://a"])
def test_a_medium_has_an_address_on_the_web(run: Run, read: Read, write: Write, url: str) -> None:
    media = [{"media_key": "k", "type": "photo", "url": url}]
    content = page(post(1, attachments={"media_keys": ["k"]}))
    content["includes"]["media"] = media
    assert mentions(run, read, write("page.json", content))[0]["media"] == []


def test_an_account_that_is_no_username_is_refused(run: Run, write: Write) -> None:
    result = run("x", write("p.json", page(post(1))), source=SOURCE, options=("--account", "a b"))
    assert "nothing was imported: --account: must be a username" in result.stderr


def test_the_account_must_be_known_and_the_same(acme: Deployment, run: Run, write: Write) -> None:
    path = write("page.json", page(post(1)))
    assert "say with --account whose" in run("x", path, source=SOURCE).stderr
    acme.load([f.source("x", account="acme")])
    other = run("x", path, source=SOURCE, options=("--account", "other"))
    assert "is connected to @acme, so it cannot hold mentions of @other" in other.stderr
    assert run("x", path, source=SOURCE, options=("--account", "ACME")).exit_code == 0


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("", "page.json: line 1 column 1: is not JSON"),
        ('{"data": [', "page.json: line 1 column"),
        ('{"data": []}\n{"data"\n', "page.json: line 3 column 1: is not JSON"),
        ("[" * 5_000, "page.json: line 1 column"),
    ],
)
def test_a_broken_file_is_refused(write: Write, content: str, place: str) -> None:
    path = write("page.json", content)
    where: dict[str, Any] = {"organization_id": f.ACME, "source_id": SOURCE, "existing": Existing()}
    with pytest.raises(ImportRefused) as refused:
        list(x.records([path], account="acme", report=Report(), **where))
    assert str(refused.value).startswith(place)


def test_what_is_no_page_is_refused(run: Run, write: Write) -> None:
    path = write("page.json", [page(post(1)), 5, {"id": "1"}])
    report = json.loads(run("x", path, source=SOURCE, options=ACCOUNT).stdout)
    assert [line[:17] for line in report["refused"]["first"]] == [
        "page.json: page 2",
        "page.json: page 3",
    ]
