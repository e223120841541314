"""A suppressed document stays suppressed, whatever becomes of its file and its text."""

import re
from hashlib import sha256
from pathlib import Path
from time import sleep
from typing import Any
from unicodedata import normalize

import pytest

from orgctx.bundle.loader import load_records
from orgctx.importers import Existing, StoredItem
from orgctx.imports import run as import_run
from orgctx.imports import stored as stored_records
from tests.importers.conftest import (
    Read,
    Run,
    Write,
    ids,
    imported,
    markdown,
    suppress,
    unchanged,
)
from tests.support import factories as make
from tests.support.deployment import Deployment

SOURCE = "docs:handbook"


def test_suppressed_document_stays_suppressed_under_a_new_name(
    run: Run, read: Read, acme: Deployment, stored: Path
) -> None:
    before = ids(read)
    suppress(acme, before["notes"], before["Getting started"])
    (stored / "notes.txt").rename(stored / "remarks.txt")
    (stored / "bare.md").rename(stored / "plain.md")
    start = stored / "guide" / "start.mdx"
    (stored / "guide" / "begin.mdx").write_text(start.read_text() + "\nMore")
    start.unlink()
    bundle = run("markdown", stored, source=SOURCE, options=("--as-bundle",))
    assert "remarks" not in bundle.stdout
    assert "Skipped 2: suppressed under a former name" in bundle.stderr
    assert run("markdown", stored, source=SOURCE, options=("--dry-run",)).exit_code == 0
    assert acme.execute("SELECT count(*) FROM knowledge_suppressions") == [(2,)]
    report = run("markdown", stored, source=SOURCE, options=("--keep-missing",)).json()
    assert report["renamed"]["count"] == 3
    assert f"bare ({before['bare']}) → plain.md" in report["renamed"]["first"]
    run("markdown", stored, source=SOURCE).json()
    assert ids(read).keys() == {"From above", "plain"}
    assert acme.execute("SELECT record_count FROM sources") == [(2,)]
    assert unchanged(run("markdown", stored, source=SOURCE).json())
    audit = acme.cli("audit", "--organization", "acme", "--json").json()
    carried = [record for record in audit if "import markdown" in record["command"]]
    assert sum("'as':" in str(record["after"]) for record in carried) == 2


MEMO = "The vault opens\nat nine. Nobody may know\nits number, 4711.\n"


@pytest.mark.parametrize("sources", [(SOURCE, "docs:wiki"), ("docs:wiki", SOURCE)], ids=str)
def test_suppressed_document_stays_suppressed_in_another_source(
    run: Run, read: Read, acme: Deployment, stored: Path, sources: tuple[str, str]
) -> None:
    """One copy is edited, one has another name. The order of the imports does not matter."""
    others = ids(read).keys()
    (stored / "memo.txt").write_text(MEMO)
    run("markdown", stored, source=SOURCE).json()
    suppress(acme, ids(read)["memo"])
    wiki = stored.with_name("wiki")
    wiki.mkdir()
    (stored / "memo.txt").unlink()
    (wiki / "memo.txt").write_text(f"{MEMO}A new number will be chosen in spring.\n")
    (wiki / "other.txt").write_text(" ".join(MEMO.split()).upper())
    for source in sources:
        folder = stored if source == SOURCE else wiki
        assert run("markdown", folder, source=source, options=("--allow-empty",)).exit_code == 0
    acme.approve(make.ACME, make.OWNER, "docs:wiki")
    assert ids(read).keys() == others
    assert acme.execute("SELECT count(*) FROM knowledge_suppressions") == [(3,)]
    for source, folder in ((SOURCE, stored), ("docs:wiki", wiki)):
        assert unchanged(run("markdown", folder, source=source).json())


@pytest.mark.thorough
def test_long_suppressed_document_stays_suppressed(
    run: Run, read: Read, stored: Path, acme: Deployment
) -> None:
    """Only a sample of its words is compared. Its text stays hidden under a new name, and in a new
    part if it becomes too long for one. A text with other words is not suppressed."""
    text = " ".join(f"word{number}" for number in range(40_000))
    (stored / "tome.txt").write_text(text)
    run("markdown", stored, source=SOURCE)
    suppress(acme, ids(read)["tome"])
    (stored / "tome.txt").rename(stored / "book.txt")
    half = " ".join(f"other{number}" for number in range(30_000))
    (stored / "book.txt").write_text(f"{half} {text}".upper())
    (stored / "other.txt").write_text(" ".join(f"word{n}" for n in range(20_000, 70_000)))
    run("markdown", stored, source=SOURCE, options=("--yes",))
    assert "book" not in ids(read)
    assert "other" in ids(read)
    (stored / "book.txt").write_text(f"{('word' * 20 + ' ') * 125_000} {half} {text}")
    report = run("markdown", stored, source=SOURCE, options=("--yes",)).json()
    assert report["types"]["knowledge"]["created"] == 2  # the former text, and the part
    assert not {title for title in ids(read) if title.startswith("book")}


SHOWN = "<html><body><main><h1>memo</h1><p>{}</p></main></body></html>"


@pytest.mark.parametrize(
    ("name", "form", "is_kept"),
    [("memo.html", SHOWN, False), ("copy.md", "{}", True), ("copy.md", "{}", False)],
)
def test_suppressed_document_stays_suppressed_in_another_format(
    run: Run, read: Read, stored: Path, acme: Deployment, name: str, form: str, is_kept: bool
) -> None:
    """Its copy in another format is suppressed. A copy that was readable before stays so."""
    others = ids(read).keys()
    for each in ("memo", "older memo"):
        (stored / f"{each}.txt").write_text(MEMO)
    run("folder", stored, source=SOURCE).json()
    suppress(acme, ids(read)["memo"])
    (stored / name).write_text(form.format(MEMO))
    if not is_kept:
        (stored / "memo.txt").unlink()
    (stored / "older memo.txt").write_text(f"{MEMO}\nEdited.")
    report = run("folder", stored, source=SOURCE, options=("--yes",)).json()
    assert report["types"]["knowledge"]["created"] == 1
    assert ids(read).keys() == {*others, "older memo"}


def test_suppressed_document_is_not_included(
    run: Run, read: Read, stored: Path, acme: Deployment
) -> None:
    """No page includes its file, a new copy or a file that it includes, even through another page.
    The document, and pages that share an included file with one, do not change."""
    for name in ("memo.txt", "box.mbox", "_plan.md"):
        (stored / name).write_text(MEMO)
    (stored / "_note.md").write_text("A note that several pages have at their end, as these two.")
    for name, part in (("plan", "_plan"), ("guide", "_note"), ("decoy", "_note")):
        (stored / f"{name}.md").write_text(f'# {name.title()}\n\n--8<-- "{part}.md"\n')
    run("folder", stored, source=SOURCE)
    guide = read(f"/knowledge/{ids(read)['Guide']}")
    suppress(acme, *(ids(read)[title] for title in ("memo", "Plan", "Decoy")))
    (stored / "copy.txt").write_text(MEMO)
    (stored / "between.md").write_text('# Between\n\n--8<-- "memo.txt"\n')
    names = ("memo.txt", "copy.txt", "_plan.md", "between.md", "box.mbox", "bare.md")
    includes = "".join(f'--8<-- "{name}"\n' for name in names)
    (stored / "page.md").write_text(f"# Page\n\n{includes}")
    report = run("folder", stored, source=SOURCE, options=("--yes",)).json()
    assert report["skipped"]["not included: a suppressed document"]["count"] == 5
    again = run("folder", stored, source=SOURCE, options=("--yes",)).json()
    assert unchanged(again)
    page = read(f"/knowledge/{ids(read)['Page']}")["content"]
    left_out = "[not included]\n"
    expected = f"# Page\n\n{left_out * 3}# Between\n\n{left_out}[not included: box.mbox]\n"
    assert page.startswith(expected)
    assert "4711" not in page
    assert read(f"/knowledge/{guide['id']}") == guide


@pytest.mark.thorough
def test_suppressed_text_is_recognized_after_its_file_has_another_text(
    run: Run, read: Read, stored: Path, acme: Deployment
) -> None:
    others = ids(read).keys() | {"m"}
    first, second = (
        "".join(f"{word} {number} of {7 * number} secrets.\n" for number in range(40))
        for word in ("Line", "Row")
    )
    memo = stored / "memo.txt"
    memo.write_text(first)
    run("markdown", stored, source=SOURCE)
    id_ = ids(read)["memo"]
    suppress(acme, id_)
    memo.write_text(f"{first}{second.upper() * 3}")
    run("markdown", stored, source=SOURCE, options=("--yes",))
    memo.write_text("This page moved.\n")
    (stored / "_old.txt").write_text(first)
    (stored / "m.md").write_text('--8<-- "_old.txt"\n')
    bundle = run("markdown", stored, source=SOURCE, options=("--as-bundle",))
    assert "Skipped 1: suppressed under a former name" in bundle.stderr
    for _ in range(3):
        report = run("markdown", stored, source=SOURCE, options=("--yes",)).json()
        assert ids(read).keys() == others
        assert "secret" not in str(read(f"/knowledge/{ids(read)['m']}"))
    assert unchanged(report)
    memo.rename(stored / "now.txt")
    (stored / "_old.txt").rename(stored / "archive.txt")
    (stored / "more.txt").write_text(second * 3)
    (stored / "m.md").write_text("None.\n")
    for _ in range(2):
        report = run("markdown", stored, source=SOURCE, options=("--yes",)).json()
        assert ids(read).keys() == others
    assert unchanged(report)


def test_suppressed_text_stays_hidden_in_a_stored_document(
    run: Run, read: Read, stored: Path, acme: Deployment
) -> None:
    """Even if two files swap texts. A document that had the text before stays readable."""
    others, news = ids(read).keys(), "Nothing new in town today.\n"
    for name, text in (("memo", MEMO * 9), ("remarks", news), ("copy", MEMO * 9)):
        (stored / f"{name}.txt").write_text(text)
    run("markdown", stored, source=SOURCE)
    suppress(acme, ids(read)["memo"])
    (stored / "memo.txt").write_text(news)
    (stored / "remarks.txt").write_text(f"{MEMO * 9}More.\n")
    (stored / "copy.txt").write_text(f"{MEMO * 9}More.\n")
    for _ in range(2):
        report = run("markdown", stored, source=SOURCE, options=("--yes",)).json()
        assert ids(read).keys() == others | {"copy"}
    assert unchanged(report)


def test_new_text_of_a_suppressed_file_is_recognized_at_once(
    run: Run, read: Read, stored: Path, acme: Deployment
) -> None:
    others = ids(read).keys() | {"m"}
    (stored / "memo.md").write_text("To be written.\n")
    run("markdown", stored, source=SOURCE)
    suppress(acme, ids(read)["memo"])
    (stored / "memo.md").write_text('--8<-- "_new.txt"\n')
    (stored / "_new.txt").write_text(MEMO)
    (stored / "copy.txt").write_text(MEMO)
    (stored / "copy.html").write_text(SHOWN.format(MEMO))
    (stored / "m.md").write_text('--8<-- "_new.txt"\n')
    for _ in range(2):
        report = run("folder", stored, source=SOURCE, options=("--yes",)).json()
        assert ids(read).keys() == others
        assert "vault" not in str(read(f"/knowledge/{ids(read)['m']}"))
    assert unchanged(report)


def test_no_stored_text_is_read_if_none_is_new(write: Write) -> None:
    """A source may have many suppressed documents, and they may be large."""
    folder = write("wiki/memo.txt", MEMO).parent
    ((data,), _) = imported(markdown, folder)
    item = StoredItem(data["title"], sha256(MEMO.encode()).digest(), is_suppressed=True)
    reads: list[str] = []

    def content(id_: str) -> str:
        reads.append(id_)
        return MEMO

    existing = Existing(ids=frozenset({data["id"]}), items={data["id"]: item}, content=content)
    assert imported(markdown, folder, existing=existing)[0] == [data]
    assert reads == []


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("source", "taken", "edited"),
    [
        (SOURCE, "{0}", "{0}"),
        (SOURCE, "# My page\n\n{0}", "{0} More words for the crew."),
        (SOURCE, "{0} the of and to in a is for", "{0} Words for the crew, and those in port."),
        (SOURCE, "{1}", "{1} More words."),
        ("docs:wiki", "{0}", "{0} More words for the crew."),
    ],
)
def test_suppressed_file_hides_no_document_whose_text_it_takes(
    run: Run, read: Read, write: Write, acme: Deployment, source: str, taken: str, edited: str
) -> None:
    """It may add or leave out words. The document is renamed and edited at the same time."""
    sentences = [f"Knot {number} holds rope {number + 1}." for number in range(30)]
    guide, part = " ".join(sentences), " ".join(sentences[:20] + sentences[22:])
    memo, page = write("a/memo.txt", MEMO), write("b/guide.txt", guide)
    folders = {SOURCE: memo.parent, source: page.parent}
    if source == SOURCE:
        folders = {SOURCE: memo.parent.parent}
        write("index.txt", "Both.")
    for each, folder in folders.items():
        run("markdown", folder, source=each)
    others = ids(read).keys() - {"memo", "guide"}
    suppress(acme, ids(read)["memo"])
    memo.write_text(taken.format(guide, part))
    run("markdown", folders[SOURCE], source=SOURCE, options=("--yes",))
    page.write_text(edited.format(guide, part))
    page.rename(page.with_name("sub.txt"))
    for each, folder in folders.items():
        run("markdown", folder, source=each, options=("--yes",))
    assert ids(read).keys() == others | {"sub"}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("becomes", ["feb", "mar"])
def test_suppressed_text_stays_hidden_in_a_document_of_its_template(
    run: Run, read: Read, stored: Path, acme: Deployment, becomes: str
) -> None:
    """A stored document shares the template with the suppressed one, and gets its lines: under its
    own heading, or with the other heading and in another order."""
    form = " ".join(f"Line {number} of the payroll." for number in range(30))

    def sheet(name: str, own: list[str]) -> str:
        return f"# Sheet {name}\n\n{form}\n\n" + "\n".join(own)

    own = {name: [f"{name}{n}: {n}{name}" for n in range(2)] for name in ("jan", "feb", "mar")}
    for name, lines in own.items():
        (stored / f"{name}.md").write_text(sheet(name, lines))
    (stored / "list.txt").write_text("\n".join(f"person {number}" for number in range(40)))
    thai = "เรือออกจากท่าตอนเช้าแล้วกลับมาตอนเย็นพร้อมปลาตัวใหญ่ที่เด็กช่วยกันขนขึ้นฝั่ง"
    (stored / "thai.txt").write_text(thai)
    french = "Les dépenses étaient élevées, à côté du procès où l'été s'achève déjà."
    (stored / "french.txt").write_text(french)
    run("markdown", stored, source=SOURCE)
    found = ids(read)
    suppress(acme, *(found[name] for name in ("Sheet jan", "list", "thai", "french")))
    decomposed = normalize("NFD", french)
    (stored / "decomposed.txt").write_text(decomposed)
    (stored / "plain.txt").write_text(decomposed.encode("ascii", "ignore").decode().upper())
    runs = [thai[n : n + 5] for n in range(0, 80, 5)]
    (stored / "wrapped.txt").write_text("\n".join(runs))
    marked = zip(runs[::2], runs[1::2], strict=True)
    (stored / "bold.md").write_text("".join(f"**{bold}**[{link}](x/y)" for bold, link in marked))
    heading, lines = ("feb", own["jan"]) if becomes == "feb" else ("jan", own["jan"][::-1])
    (stored / f"{becomes}.md").write_text(sheet(heading, lines))
    (stored / "sorted.txt").write_text(
        "\n".join(f"{number} person" for number in range(39, -1, -1))
    )
    if becomes == "mar":
        (stored / "jan.md").unlink()
    reports = []
    for _ in range(2):
        reports.append(run("markdown", stored, source=SOURCE, options=("--yes",)).json())
        hidden = {"Sheet jan", f"Sheet {becomes}", "list", "thai", "french"}
        assert ids(read).keys() == found.keys() - hidden
    assert f"thai ({found['thai']}), suppressed → bold.md" in reports[0]["renamed"]["first"]
    assert unchanged(reports[1])


def test_suppressed_text_stays_hidden_in_what_people_make_of_it(
    run: Run, read: Read, stored: Path, acme: Deployment
) -> None:
    """It is forwarded, merged, or gets links, a heading, or numbers or times before its lines. A
    short one gets other lines, quotation marks, or invisible characters."""
    lines = [f"Rope {n}x of the {n}y boat lies at {n}z." for n in range(12)]
    (stored / "memo.txt").write_text("\n".join(lines))
    (stored / "short.txt").write_text(MEMO)
    (stored / "other.txt").write_text("\n".join(f"{n}a and {n}b saw {n}c." for n in range(20)))
    run("markdown", stored, source=SOURCE)
    others = ids(read)
    suppress(acme, *(others.pop(name) for name in ("memo", "other", "short")))
    text = "\n".join(lines)
    links = text.replace("boat", "[boat](https://docs.example.com/handbook/boats/2)")
    made = {
        "links.md": links,
        "wiki.md": re.sub(r"(\d+)y", r"[[notes on \1y|\1y]][^\1]", text),
        "heading.md": f"# Notes of the last meeting in the harbor office\n\n{text}",
        "numbers.md": "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1)),
        "times.txt": "\n".join(f"[00:01:{n:02}] {line}" for n, line in enumerate(lines)),
        "cues.txt": "\n".join(f"00:{n:02}.000 --> 00:{n:02}.900\n{x}" for n, x in enumerate(lines)),
        "forward.md": f"# Fwd: memo\n\nSee below.\n\nFrom: A <a@example.org>\nTo: B\n\n{text}",
        "all.txt": text + "\n\n" + (stored / "other.txt").read_text(),
        "words.txt": "\n".join(MEMO.split()),
        "quoted.md": "".join(f"> - **{line}**\n" for line in MEMO.splitlines()),
        "invisible.txt": "\u200b".join(MEMO).replace(" ", "\u00a0"),
    }
    for name, content in made.items():
        (stored / name).write_text(content)
    reports = [run("markdown", stored, source=SOURCE, options=("--yes",)) for _ in range(2)]
    assert ids(read) == others
    assert unchanged(reports[1].json())


def test_former_text_is_a_suppressed_document_of_its_own(
    run: Run, read: Read, stored: Path, acme: Deployment
) -> None:
    """A text that returns is stored once. When it is restored, the next import deletes it."""
    others = ids(read).keys()
    memo = stored / "memo.txt"
    memo.write_text(MEMO)
    run("markdown", stored, source=SOURCE)
    id_ = ids(read)["memo"]
    suppress(acme, id_)
    for text in ("This page moved.\n", MEMO, "This page moved.\n"):
        memo.write_text(text)
        report = run("markdown", stored, source=SOURCE, options=("--yes",)).json()
        assert "Documents that changed, but stay suppressed: 1, such as memo.txt" in report["notes"]
    found = acme.execute("SELECT knowledge_id FROM knowledge_suppressions ORDER BY suppressed_at")
    assert len(found) == 3
    who = ("--organization", "acme", "--by", make.OWNER)
    restored = acme.cli("knowledge", "restore", *who, *(each for (each,) in found))
    assert restored.exit_code == 0, restored.stderr
    assert ids(read).keys() == others | {"memo"}
    report = run("markdown", stored, source=SOURCE, options=("--yes",)).json()
    assert (report["deleted"], ids(read)["memo"]) == (1, id_)


def test_suppression_during_an_import_holds_under_a_new_name(
    run: Run, read: Read, acme: Deployment, stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = ids(read)["notes"]
    (stored / "notes.txt").rename(stored / "remarks.txt")

    def load_after_suppression(*arguments: Any, **keywords: Any) -> Any:
        """Suppress an item after the import has looked it up and before it loads."""
        suppress(acme, chosen)
        return load_records(*arguments, **keywords)

    monkeypatch.setattr(import_run, "load_records", load_after_suppression)
    assert run("markdown", stored, source=SOURCE).json()["renamed"]["count"] == 1
    assert not {"notes", "remarks"} & ids(read).keys()
    assert acme.execute("SELECT record_count FROM sources") == [(3,)]


def test_suppression_waits_for_an_import(
    run: Run, acme: Deployment, stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The import renames the document. A suppression of its old id waits, then reports that there
    is no such item; otherwise the text would stay readable under its new id."""
    ((chosen,),) = acme.execute("SELECT id FROM knowledge WHERE title = 'notes'")
    (stored / "notes.txt").rename(stored / "remarks.txt")
    processes = []
    remember = stored_records.remember

    def suppress_afterwards(*arguments: Any, **keywords: Any) -> None:
        remember(*arguments, **keywords)
        who = ("--organization", "acme", "--by", make.OWNER)
        process = acme.process("knowledge", "suppress", *who, chosen)
        processes.append(process)
        while process.poll() is None and not acme.waiting():
            sleep(0.05)

    monkeypatch.setattr(import_run, "remember", suppress_afterwards)
    assert run("markdown", stored, source=SOURCE).json()["renamed"]["count"] == 1
    (process,) = processes
    _, stderr = process.communicate()
    assert (process.returncode, "has no knowledge item" in stderr) == (1, True), stderr
