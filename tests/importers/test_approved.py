"""An import into an approved source says what becomes visible, and asks before much is replaced."""

import os
import pty
import subprocess
from pathlib import Path
from uuid import UUID, uuid5

import pytest

from tests.importers.conftest import Run, Write, count_stored
from tests.support import factories as make
from tests.support.deployment import Deployment

SOURCE = "docs:handbook"
TARGET = ("--organization", "acme", "--source", SOURCE)
REFUSED = "it would add, replace or delete more than a fifth of an approved source"


@pytest.fixture
def handbook(acme: Deployment, run: Run, handbook: Path) -> Path:
    """The folder, imported into an approved source."""
    report = run("folder", handbook, source=SOURCE).json()
    assert report["approved"] == []
    acme.approve(make.ACME, make.OWNER)
    return handbook


def hold(acme: Deployment, source: str) -> None:
    """Let a source hold new documents."""
    acme.cli("sources", "new-documents", *make.WHO, "held", source).done()


@pytest.fixture
def wrong(write: Write) -> Path:
    """Another folder, which would replace the handbook."""
    return write("wrong/a.md", "# Other\n").parent


def test_wrong_folder_does_not_replace_an_approved_source(
    acme: Deployment, run: Run, handbook: Path, wrong: Path
) -> None:
    for options in (("--dry-run",), ("--as-bundle",), ()):
        result = run("folder", wrong, source=SOURCE, options=options)
        assert (result.exit_code, count_stored(acme)) == (not options, 20)
        assert (REFUSED in result.stderr) == (not options)
    assert "is approved (20 records): 1 new, 0 replaced, 20 deleted." in result.stderr
    agreed = run("folder", wrong, source=SOURCE, options=("--yes",)).json()
    assert (agreed["deleted"], agreed["approved"], count_stored(acme)) == (20, [SOURCE], 1)
    assert "is approved (1 record): 20 new, " in run("folder", handbook, source=SOURCE).stderr


def test_sixth_changed_record_needs_an_answer(
    acme: Deployment, run: Run, handbook: Path, write: Write
) -> None:
    write("handbook/new.md", "# New\n")
    write("handbook/01.md", "# Changed\n")
    for number in range(2, 5):
        (handbook / f"{number:02}.md").unlink()
    result = acme.cli("import", "markdown", handbook, *TARGET).done()
    assert f"{SOURCE} is approved (20 records): 1 new, 1 replaced, 3 deleted." in result.stderr
    assert f"{SOURCE} is approved: visible now." in result.stdout
    assert "approved" not in acme.cli("import", "markdown", handbook, *TARGET).stdout
    for number in range(10, 16):
        write(f"handbook/{number:02}.md", "# Replaced\n")
    assert REFUSED in run("folder", handbook, source=SOURCE).stderr


def test_new_documents_need_an_answer_unless_they_wait(
    acme: Deployment, run: Run, handbook: Path, write: Write
) -> None:
    for number in range(6):
        write(f"handbook/new{number}.md", f"# New {number}\n")
    refused = run("folder", handbook, source=SOURCE)
    assert (refused.exit_code, count_stored(acme)) == (1, 20)
    assert "6 new, 0 replaced, 0 deleted." in refused.stderr
    assert REFUSED in refused.stderr
    hold(acme, SOURCE)
    result = acme.cli("import", "folder", handbook, *TARGET).done()
    assert "deleted. 6 held until a release." in result.stderr
    assert "isible" not in result.stdout + result.stderr
    last = result.stdout.splitlines()[-1]
    assert last.startswith("Held 6 documents: 6 new in a source that holds new documents, ")
    assert "`orgctx knowledge list --organization acme --held`" in last
    assert acme.execute("SELECT record_count FROM sources") == [(20,)]
    report = run("folder", handbook, source=SOURCE).json()
    assert "held" not in report["types"]["knowledge"]


def test_files_are_not_held_and_need_an_answer(acme: Deployment, run: Run, write: Write) -> None:
    """A source of assets holds its new documents; names of files are no documents."""
    folder, source = write("files/1.txt", "x").parent, "assets:files"
    run("assets", folder, source=source)
    acme.approve(make.ACME, make.OWNER)
    hold(acme, source)
    for number in range(30):
        write(f"files/new{number}.txt", "x")
    error = run("assets", folder, source=source).failed()
    assert REFUSED in error
    assert "30 new, 0 replaced, 0 deleted.\n" in error


def test_documents_with_secrets_need_no_answer(
    acme: Deployment, handbook: Path, write: Write
) -> None:
    for number in range(9):
        write(f"handbook/key{number}.md", "AKIA" + f"IOSFODNN7EXAMPL{number}\n")
    write("handbook/new.md", "# New\n")
    result = acme.cli("import", "folder", handbook, *TARGET).done()  # one becomes readable
    assert "(20 records): 10 new, 0 replaced, 0 deleted. 9 held" in result.stderr
    assert f"{SOURCE} is approved: visible now." in result.stdout


def test_documents_replaced_by_secrets_need_an_answer(
    acme: Deployment, run: Run, handbook: Path, write: Write
) -> None:
    for number in range(1, 7):
        write(f"handbook/{number:02}.md", "AKIA" + f"IOSFODNN7EXAMPL{number}\n")
    assert REFUSED in run("folder", handbook, source=SOURCE).failed()


def test_import_counts_the_documents_that_were_readable(
    acme: Deployment, handbook: Path, write: Write
) -> None:
    hidden = write("handbook/01.md", "AKIA" + "IOSFODNN7EXAMPLE\n")
    result = acme.cli("import", "folder", handbook, *TARGET)
    assert "(20 records): 0 new, 1 replaced, 0 deleted." in result.stderr
    assert "isible" not in result.stdout + result.stderr
    hidden.unlink()
    result = acme.cli("import", "folder", handbook, *TARGET)
    assert "(19 records): 0 new, 0 replaced, 1 deleted." in result.stderr


def asking(acme: Deployment, folder: Path) -> tuple[subprocess.Popen[str], int]:
    """Import a folder into the source, and return the process and its terminal."""
    terminal, stdin = pty.openpty()
    return acme.process("import", "markdown", folder, *TARGET, stdin=stdin), terminal


def asked(process: subprocess.Popen[str]) -> str:
    """Wait for the question of a command and return what it printed before."""
    assert process.stderr is not None
    shown = ""
    while "Continue?" not in shown and (character := process.stderr.read(1)):
        shown += character
    return shown


@pytest.mark.thorough
@pytest.mark.parametrize(("answer", "count"), [("n", 20), ("y", 1)])
def test_terminal_asks_without_holding_a_lock(
    acme: Deployment, handbook: Path, wrong: Path, answer: str, count: int
) -> None:
    """Another import of the organization can run while the question is open."""
    process, terminal = asking(acme, wrong)
    assert "20 deleted" in asked(process)
    assert acme.load([make.source("notes", "notes:other")])
    os.write(terminal, f"{answer}\n".encode())
    process.communicate()
    assert (process.returncode, count_stored(acme)) == (answer == "n", count)


@pytest.mark.thorough
@pytest.mark.usefixtures("handbook")
def test_answer_holds_only_for_what_was_asked(acme: Deployment, wrong: Path) -> None:
    """If a load stores what would be replaced, the command asks again."""
    process, terminal = asking(acme, wrong)
    assert "0 replaced, 20 deleted" in asked(process)
    id_ = f"docs:{uuid5(UUID(make.ACME), f'{SOURCE}:a.md')}"
    acme.load([{**make.knowledge(id=id_), "sourceId": SOURCE}])
    os.write(terminal, b"y\n")
    assert "1 replaced, 20 deleted" in asked(process)
    os.write(terminal, b"y\n")
    process.communicate()
    assert process.returncode == 0
