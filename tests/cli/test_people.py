"""orgctx people: finding a person, erasing every trace, and keeping it out of later loads."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.importers.exports import chat, message, page, post
from tests.support import factories as f
from tests.support.deployment import Deployment

# The three characters ZQX occur nowhere else, also not in a search token of another text.
NAME, USERNAME = "Zqxina Wvkqj", "zqxina"
NUMBER = "98765432107"
TELEGRAM, X = f"user{NUMBER}", f"77{NUMBER}"
SENDER = {"id": TELEGRAM, "name": NAME, "username": USERNAME}
AUTHOR = f.author(X, username=USERNAME, name=NAME)
URL = f"https://x.com/{USERNAME}/status/1"
REFERENCE = {"type": "reposted", "id": "1"}
QUOTED = {"author": AUTHOR, "text": f"{NAME} said so", "url": URL}
TRACES = f"zqx|{NUMBER}"
TABLES = """
    SELECT table_name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
"""
# Every column, also of types other than text: their values as text.
COLUMNS = """
    SELECT '{table}.' || c.key
    FROM "{table}" AS t CROSS JOIN LATERAL jsonb_each_text(to_jsonb(t)) AS c
    WHERE lower(c.value) ~ %(traces)s
"""
PEOPLE = (f"telegram:{TELEGRAM}", f"x:{X}")


def export() -> list[dict[str, Any]]:
    """What a collector sends, again and again."""
    return [
        f.message(11, sender=SENDER, text=f"I am {NAME}", file=f.file(fileName="zqx.png")),
        f.message(12, replyToMessageId=11),
        f.message(13, detail=f"Forwarded from {NAME} ({TELEGRAM})", text=f"so says {NAME}"),
        f.mention(11, author=AUTHOR, url=URL, text="Hi @acme from zqx"),
        f.mention(12, quoted=QUOTED),
        f.mention(13, author=AUTHOR, account="other"),
    ]


REPOST = f.mention(14, isRepost=True, text=f"RT @{USERNAME.title()}: Hi from zqx")


@pytest.fixture
def acme(own_acme: Deployment) -> Deployment:
    own_acme.load([*export(), REPOST])
    return own_acme


def traces(deployment: Deployment) -> set[str]:
    """The columns, as table.column, that contain a part of the name or of an id."""
    tables = [name for (name,) in deployment.execute(TABLES)]
    assert len(tables) > 20
    query = " UNION ".join(COLUMNS.format(table=table) for table in tables)
    return {column for (column,) in deployment.execute(query, {"traces": TRACES})}


def test_erasure_leaves_no_trace_and_survives_loads(acme: Deployment) -> None:
    assert {
        "telegram_messages.sender_name", "telegram_messages.detail", "telegram_search.text_lower",
        "people.display_name", "people.person_id", "x_mentions.quoted", "x_mentions.author_name",
    } <= traces(acme)  # fmt: skip
    report = acme.cli("people", "erase", *f.WHO, *PEOPLE, "--yes", "--json").json()
    records = {"telegram.message": 2, "x.mention": 3}
    assert report == {"people": 2, "records": records, "quotes": 1}
    assert traces(acme) == set()
    acme.load([*export(), REPOST])
    assert traces(acme) == set()
    assert acme.execute("SELECT id FROM telegram_messages ORDER BY id") == [(1,), (12,)]
    assert dict(acme.execute("SELECT id, quoted FROM x_mentions")) == {"1": None, "12": None}
    # Another source and another name do not bring the person back, nor does a deleted source.
    acme.cli("sources", "delete", *f.WHO, "telegram:main", "--yes")
    renamed = {**SENDER, "name": "Zqx", "username": None}
    acme.load([f.source("telegram"), f.chat(), f.message(14, sender=renamed)])
    assert traces(acme) == set()


def test_erased_person_stays_out_of_imports(acme: Deployment, tmp_path: Path) -> None:
    acme.cli("people", "erase", *f.WHO, *PEOPLE, "--yes")
    own = {"from": NAME, "from_id": TELEGRAM}
    forward = {"forwarded_from": NAME, "forwarded_from_id": TELEGRAM, "from": "Lin"}
    forward |= {"media_type": "audio_file", "file": "a.ogg", "title": "A" * 600}
    path = tmp_path / "result.json"
    path.write_text(json.dumps(chat(message(1, **own), message(2, **forward), message(3))))
    command = ("import", "telegram", path, "--organization", "acme", "--source", "telegram:new")
    for number in (1, 2):
        report = acme.cli(*command, "--json").json()
        assert report["types"]["telegram.message"]["created"] == (1 if number == 1 else 0)
        assert traces(acme) == set()


def test_reposts_of_another_person_with_the_name_stay(acme: Deployment) -> None:
    """A username may change hands, or a page may claim it; a new one is the person's."""
    other = f.author("9", username=USERNAME.upper(), name="Zoe")
    acme.load([f.mention(15, author=other)])
    acme.cli("people", "erase", *f.WHO, PEOPLE[1], "--yes")
    reposts = [
        REPOST | {"data": REPOST["data"] | {"id": "16"}},
        f.mention(17, isRepost=True, text="RT @newzqx: Hi from zqx"),
        f.mention(20, isRepost=True, text="RT @shared: Hi"),
        f.mention(21, author=f.author("8", username="shared", name="Bo")),
        f.mention(22, author=AUTHOR | {"username": "Shared"}),
    ]
    renamed = AUTHOR | {"username": "NewZqx"}
    acme.load([*reposts, f.mention(18, author=renamed), f.mention(19, quoted=QUOTED)])
    acme.load(reposts)
    ids = {id_ for (id_,) in acme.execute("SELECT id FROM x_mentions")}
    assert ids - {"1", "12", "19"} == {"14", "15", "16", "20", "21"}


def test_repost_of_an_erased_person_stays_out_of_imports(
    own_acme: Deployment, tmp_path: Path
) -> None:
    """No username of the person need be known: the page names the original's author."""
    own_acme.cli("people", "erase", *f.WHO, PEOPLE[1], "--yes")
    original = post(1, author_id=X, text="Hi @acme from zqx")
    repost = post(2, text="RT @z: Hi @acme from zq…", referenced_posts=[REFERENCE])
    cut = post(4, text=f"RT @{USERNAME}: Hi…", referenced_posts=[REFERENCE | {"id": "9"}])
    quote = post(3, referenced_posts=[{"type": "quoted", "id": "2"}])
    content = page(repost, cut, quote)
    content["includes"]["posts"] = [original, repost]
    content["includes"]["users"].append(AUTHOR)
    path = tmp_path / "page.json"
    path.write_text(json.dumps(content))
    command = ("import", "x", path, "--organization", "acme", "--source", "x:main")
    report = own_acme.cli(*command, "--json").json()
    assert report["types"]["x.mention"]["created"] == 1
    assert report["skipped"]["repost of a post of an erased person"]["count"] == 2
    assert traces(own_acme) == set()


def test_erasure_of_exactly_these_people_is_recorded_without_them(acme: Deployment) -> None:
    for name, hint in ((f"@{USERNAME.upper()}", PEOPLE[1]), ("nobody", "orgctx people find")):
        assert hint in acme.cli("people", "erase", *f.WHO, name, "--yes").failed()
    assert traces(acme)
    (record,) = acme.cli("audit", "--organization", "acme", "--json", "--limit", "1").json()
    assert record["command"] != "people erase"
    acme.cli("people", "erase", *f.WHO, *PEOPLE, "--yes")
    (record,) = acme.cli("audit", "--organization", "acme", "--json", "--limit", "1").json()
    assert (record["command"], record["before"]) == ("people erase", {})
    assert record["after"] == {"people": 2, "quotes": 1, "telegram.message": 2, "x.mention": 3}


def test_erasure_names_people_and_asks(acme: Deployment) -> None:
    error = acme.cli("people", "erase", *f.WHO, PEOPLE[0], stdin="y\n").failed()
    assert "pass --yes" in error
    assert f"{PEOPLE[0]} ({NAME}, @{USERNAME})" in error
    assert "2 telegram.message" in error
    assert traces(acme)
    acme.cli("people", "erase", *f.WHO, PEOPLE[0], "--yes").done()
    assert acme.execute("SELECT count(*) FROM people WHERE platform = 'telegram'") == [(1,)]


def test_erased_person_needs_no_stored_record(own_acme: Deployment) -> None:
    stdout = own_acme.cli("people", "erase", *f.WHO, *PEOPLE, "--yes").done().stdout
    assert f"no record of {PEOPLE[0]}, {PEOPLE[1]} was stored; later loads will leave" in stdout
    own_acme.load(export())
    assert traces(own_acme) == set()


def test_erasure_of_a_quoted_person_sets_a_version(own_acme: Deployment) -> None:
    """Otherwise a read replica shows the quotes until it has caught up."""
    version = "SELECT version FROM organizations"
    own_acme.load([f.mention(12, quoted=QUOTED)])
    before = own_acme.execute(version)
    assert "with 1 quote)" in own_acme.cli("people", "erase", *f.WHO, PEOPLE[1], "--yes").stdout
    assert own_acme.execute(version) != before


def test_people_find_searches_ids_usernames_and_names(acme: Deployment) -> None:
    for text in ("@zqxina", "wvk", "ZQXINA"):
        rows = acme.cli("people", "find", "--organization", "acme", text, "--json").json()
        assert [row["personId"] for row in rows] == [TELEGRAM, X], text
    rows = acme.cli("people", "find", "--organization", "acme", TELEGRAM, "--json").json()
    assert [row["displayNames"] for row in rows] == [[NAME]]
