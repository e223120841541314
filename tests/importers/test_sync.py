"""`orgctx sync` runs the imports of a file, and stores the last result of each."""

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from orgctx.stores.db import sql
from tests.importers.conftest import Write, count_stored
from tests.importers.exports import chat, message
from tests.support import factories as make
from tests.support.deployment import Deployment, Result
from tests.support.waiting import until

SOURCE = "docs:handbook"
HANDBOOK = {"kind": "folder", "path": "handbook", "source": SOURCE}

Plan = Callable[..., Path]


@pytest.fixture
def plan(write: Write) -> Plan:
    """`plan({...}, {...})` writes a file with these imports."""

    def write_plan(*imports: dict[str, Any], name: str = "sync.toml") -> Path:
        common = {"organization": "acme"}
        tables = (
            "[[import]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in one.items())
            for one in ({**common, **one} for one in imports)
        )
        return write(name, "\n".join(tables))

    return write_plan


def results(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def states(result: Result) -> list[str]:
    return [one["state"] for one in results(result)]


def run(acme: Deployment, file: Path) -> Result:
    return acme.cli("sync", file, "--json")


def source(acme: Deployment, id_: str = SOURCE) -> tuple[datetime, int]:
    """When a source was collected, and the seconds until it is stale."""
    rows = acme.execute("SELECT updated_at, stale_after_seconds FROM sources WHERE id = %s", [id_])
    ((updated_at, seconds),) = rows
    return updated_at, seconds


def stored(acme: Deployment) -> list[Any]:
    """The last results."""
    return acme.execute("SELECT source_id, state, refused_count, message FROM source_syncs")


def test_unchanged_folder_moves_only_the_time_of_collection(
    acme: Deployment, plan: Plan, handbook: Path
) -> None:
    file = plan(HANDBOOK)
    first = run(acme, file)
    assert (first.exit_code, states(first), count_stored(acme)) == (0, ["imported"], 20), (
        first.stderr
    )
    collected_at, _ = source(acme)
    rows = acme.execute("SELECT xmin::text, ctid::text FROM knowledge ORDER BY id")
    audit = acme.execute("SELECT command FROM audit")
    assert audit == [("import folder",)]
    acme.execute("UPDATE sources SET updated_at = updated_at - interval '1 minute'")
    assert results(run(acme, file))[0]["report"]["unchanged"] == 21
    assert source(acme)[0] > collected_at
    assert acme.execute("SELECT xmin::text, ctid::text FROM knowledge ORDER BY id") == rows
    assert acme.execute("SELECT command FROM audit") == audit
    assert stored(acme) == [(SOURCE, "imported", 0, None)]
    collected_at, _ = source(acme)
    handbook.rename(handbook.parent / "moved")
    assert (states(run(acme, file)), source(acme)[0]) == (["failed"], collected_at)
    shown = acme.cli("sources", "show", "--organization", "acme", SOURCE).stdout
    assert "Last sync at " in shown
    assert "failed: Invalid value for 'PATH'" in shown
    ((*_, state, _, message),) = stored(acme)
    assert (state, "does not exist" in message) == ("failed", True)


def test_failed_import_stops_no_other(acme: Deployment, plan: Plan, handbook: Path) -> None:
    """Each import is a line of the output. Paths start at the folder of the file."""
    own = {**HANDBOOK, "path": "../handbook"}
    missing = {**HANDBOOK, "path": "missing", "source": "notes:team"}
    unknown = {**own, "organization": "acne"}
    result = acme.cli("sync", plan(unknown, own, missing, name="etc/sync.toml"))
    assert result.exit_code == 1
    unknown_line, handbook_line, missing_line = result.stdout.splitlines()
    assert unknown_line.startswith(f"{SOURCE} (acne): failed: ")
    assert "did you mean 'acme'?" in unknown_line
    assert handbook_line == f"{SOURCE} (acme): imported, 21 created"
    assert missing_line.startswith("notes:team (acme): failed: Invalid value for 'PATH': Path ")
    assert result.stderr == "Error: 2 of 3 imports are incomplete.\n"


def test_sync_says_what_it_holds_and_not_that_it_is_visible(
    acme: Deployment, plan: Plan, handbook: Path, write: Write
) -> None:
    file = plan(HANDBOOK)
    acme.cli("sync", file).done()
    acme.approve(make.ACME, make.OWNER)
    acme.cli("sources", "new-documents", *make.WHO, "held", SOURCE)
    for number in range(10):
        write(f"handbook/new{number}.md", f"# New {number}\n")
    write("handbook/key.md", "# Key\n\nAKIA" + "IOSFODNN7EXAMPLE\n")
    result = acme.cli("sync", file)
    assert (result.exit_code, result.stderr) == (0, "")
    (line,) = result.stdout.splitlines()
    assert "visible" not in line
    assert line.startswith("docs:handbook (acme): imported, 11 created, ")
    assert line.endswith(
        "unchanged. Held 11 documents: 11 new in a source that holds new documents, or with the "
        "text of one, 1 with a secret. No key reads them until an owner releases them. To see "
        "them: `orgctx knowledge list --organization acme --held`."
    )
    assert "Held" not in acme.cli("sync", file).stdout
    write("handbook/new.md", "# Another\n")
    write("handbook/01.md", "# Changed\n")
    report = results(run(acme, file))[0]["report"]
    assert (report["held"], report["approved"]) == (1, [SOURCE])


@pytest.mark.thorough
def test_changed_option_is_applied(acme: Deployment, plan: Plan, handbook: Path) -> None:
    run(acme, plan(HANDBOOK))
    options: tuple[dict[str, Any], ...] = (
        {"exclude": ["1*.md"]}, {"stale-after": 77, "label": "R"},
    )  # fmt: skip
    for option in options:
        assert states(run(acme, plan({**HANDBOOK, **option}))) == ["imported"], option
        assert count_stored(acme) == (10 if "exclude" in option else 20)
    assert source(acme)[1] == 77


def test_refused_file_is_reported_until_it_is_corrected(
    acme: Deployment, plan: Plan, handbook: Path, write: Write
) -> None:
    broken = write("handbook/broken.docx", b"no document")
    file = plan(HANDBOOK)
    result = run(acme, file)
    assert (result.exit_code, states(result)) == (1, ["imported"])
    (one,) = results(result)
    assert one["message"].startswith("1 refused, the rest was imported; check: broken.docx: ")
    assert stored(acme) == [(SOURCE, "imported", one["refusedCount"], one["message"])]
    assert (one["refusedCount"], "Next:" in one["message"]) == (1, False)
    broken.unlink()
    run(acme, file).done()


def test_approved_source_is_replaced_only_if_the_file_says_yes(
    acme: Deployment, plan: Plan, handbook: Path, write: Write
) -> None:
    run(acme, plan(HANDBOOK))
    acme.approve(make.ACME, make.OWNER)
    write("wrong/a.md", "# Other\n")
    wrong = {**HANDBOOK, "path": "wrong"}
    refused = run(acme, plan(wrong))
    assert (refused.exit_code, states(refused), count_stored(acme)) == (1, ["failed"], 20)
    message = results(refused)[0]["message"]
    assert "more than a fifth of an approved source" in message
    assert "set yes = true to import it" in message
    agreed = run(acme, plan({**wrong, "yes": True}))
    assert (states(agreed), count_stored(acme)) == (["imported"], 1)
    assert results(agreed)[0]["report"]["approved"] == [SOURCE]


def test_export_keeps_the_time_of_its_newest_message(
    acme: Deployment, plan: Plan, write: Write
) -> None:
    """Reading an old export again adds nothing about the chat."""
    write("result.json", chat(message(1), message(2)))
    file = plan({"kind": "telegram", "path": "result.json", "source": "telegram:main"})
    assert states(run(acme, file)) == ["imported"]
    before = source(acme, "telegram:main")
    assert states(run(acme, file)) == ["imported"]
    assert source(acme, "telegram:main") == before
    assert before[1] == 7 * 24 * 60 * 60


@contextmanager
def blocked(acme: Deployment) -> Iterator[None]:
    """A load of Acme is running, so an import of it waits."""
    with psycopg.connect(acme.admin_url) as connection:
        connection.execute(sql("stores/lock_organization"), {"organization_id": make.ACME})
        yield
        connection.rollback()


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_rolls_back_the_running_import(
    acme: Deployment, plan: Plan, handbook: Path, number: int
) -> None:
    file = plan(HANDBOOK, {**HANDBOOK, "source": "docs:other"})
    with blocked(acme):
        process = acme.process("sync", file, "--json")
        until(lambda: acme.waiting() == 1)
        process.send_signal(number)
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, "A signal stopped the sync" in errors) == (1, True)
    result = json.loads(output)  # of the first import alone
    assert (result["state"], result["message"]) == ("failed", "Interrupted. Nothing was stored.")
    assert (count_stored(acme), acme.waiting()) == (0, 0)
