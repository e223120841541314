"""`orgctx sync` runs the imports of a file, and leaves unchanged folders alone."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner

from orgctx.cli import main
from orgctx.cli.sync import process as children
from orgctx.stores.db import sql
from tests.importers.conftest import Write, count_stored
from tests.importers.exports import chat, message
from tests.support import factories as make
from tests.support.deployment import Deployment, Result
from tests.support.thorough import sampled
from tests.support.waiting import until

SOURCE = "docs:handbook"
TARGET = ("--organization", "acme", "--source", SOURCE)
WHO = ("--organization", "acme", "--by", make.OWNER)
HANDBOOK = {"kind": "folder", "path": "handbook", "source": SOURCE}

Plan = Callable[..., Path]


class InProcess:
    """A process of `sync` that runs its command here. A sync in a process of its own starts one."""

    returncode: int

    def __init__(self, command: list[str], **_: object) -> None:
        self._words = command[command.index("import") :]

    def communicate(self) -> tuple[bytes, bytes]:
        result = CliRunner().invoke(main, self._words)
        self.returncode = result.exit_code
        return result.stdout_bytes, result.stderr_bytes


@pytest.fixture(autouse=True)
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    pipes = {"Popen": InProcess, "PIPE": subprocess.PIPE, "DEVNULL": subprocess.DEVNULL}
    monkeypatch.setattr(children, "subprocess", SimpleNamespace(**pipes))


@pytest.fixture
def plan(write: Write) -> Plan:
    """`plan({...}, {...})` writes a file with these imports."""

    def write_plan(*imports: dict[str, Any], name: str = "sync.toml") -> Path:
        common = {"organization": "acme", "every": "15m"}
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


def test_unchanged_folder_moves_only_the_time_of_collection(
    acme: Deployment, plan: Plan, handbook: Path
) -> None:
    file = plan(HANDBOOK)
    first = run(acme, file)
    assert (first.exit_code, states(first), count_stored(acme)) == (0, ["imported"], 20), (
        first.stderr
    )
    collected_at, stale_after = source(acme)
    assert stale_after == 3 * 15 * 60
    rows = acme.execute("SELECT xmin::text, ctid::text FROM knowledge ORDER BY id")
    audit = acme.execute("SELECT command FROM audit")
    assert audit == [("import folder",)]
    second = run(acme, file)
    assert states(second) == ["unchanged"]
    assert source(acme)[0] > collected_at
    assert acme.execute("SELECT xmin::text, ctid::text FROM knowledge ORDER BY id") == rows
    assert acme.execute("SELECT command FROM audit") == audit
    collected_at, _ = source(acme)
    handbook.rename(handbook.parent / "moved")
    assert (states(run(acme, file)), source(acme)[0]) == (["failed"], collected_at)


def test_text_output_is_one_line_for_each_import(
    acme: Deployment, plan: Plan, handbook: Path
) -> None:
    file = plan(HANDBOOK, {**HANDBOOK, "path": "missing", "source": "notes:team"})
    result = acme.cli("sync", file)
    assert result.exit_code == 1
    handbook_line, missing_line = result.stdout.splitlines()
    assert handbook_line == f"{SOURCE} (acme): imported, 21 created"
    assert missing_line.startswith("notes:team (acme): failed: Invalid value for 'PATH': Path ")
    assert result.stderr == "Error: 1 of 2 imports are incomplete.\n"
    assert acme.cli("sync", file).stdout.startswith(f"{SOURCE} (acme): unchanged\n")


CHANGES = {
    "echo '# Other' > 00.md": "imported",
    # The same size and time as before.
    "touch -r 00.md ../time && echo '# OTHER' > 00.md && touch -r ../time 00.md": "imported",
    "echo 00.md > .orgctxignore": "imported",
    "echo 'exclude_docs: 00.md' > ../mkdocs.yml": "imported",
    "mkdir -p .git/refs/heads && echo commit > .git/refs/heads/main": "imported",
    "echo fetched | tee .git/FETCH_HEAD > .git/index": "unchanged",
    "rm 00.md": "imported",
}


@pytest.mark.parametrize("command", sampled(CHANGES, lambda command: "touch -r" in command))
def test_changed_folder_is_imported(
    acme: Deployment, plan: Plan, handbook: Path, command: str
) -> None:
    if ".git" in command:
        (handbook / ".git").mkdir()
    file = plan(HANDBOOK)
    run(acme, file)
    subprocess.run(["sh", "-c", command], cwd=handbook, check=True)
    assert states(run(acme, file)) == [CHANGES[command]]
    assert states(run(acme, file)) == ["unchanged"]


@pytest.mark.thorough
def test_changed_option_is_applied(acme: Deployment, plan: Plan, handbook: Path) -> None:
    run(acme, plan(HANDBOOK))
    options: tuple[dict[str, Any], ...] = (
        {"exclude": ["1*.md"]}, {"every": "1h"}, {"stale-after": 77, "label": "R"},
    )  # fmt: skip
    seconds = (3 * 900, 3 * 3600, 77)
    for option, stale_after in zip(options, seconds, strict=True):
        assert states(run(acme, plan({**HANDBOOK, **option}))) == ["imported"], option
        assert count_stored(acme) == (10 if "exclude" in option else 20)
        assert source(acme)[1] == stale_after


@pytest.mark.thorough
def test_unchanged_folder_is_imported_if_the_records_may_differ(
    acme: Deployment, plan: Plan, handbook: Path, write: Write
) -> None:
    """Another import ran, the source was deleted, or a day passed, in which pages may expire."""
    other = write("other/a.md", "# Other\n").parent
    yesterday = datetime.now(UTC) - timedelta(days=1)
    file = plan(HANDBOOK)
    run(acme, file)
    for event in (
        lambda: acme.cli("import", "folder", other, *TARGET).exit_code,
        lambda: acme.cli("sources", "delete", *WHO, SOURCE, "--yes").exit_code,
        lambda: acme.execute("UPDATE source_listings SET imported_at = %s", [yesterday]),
    ):
        assert not event()
        assert states(run(acme, file)) == ["imported"]
        assert count_stored(acme) == 20


def test_refused_file_is_reported_until_it_is_corrected(
    acme: Deployment, plan: Plan, handbook: Path, write: Write
) -> None:
    broken = write("handbook/broken.docx", b"no document")
    file = plan(HANDBOOK)
    first, second = run(acme, file), run(acme, file)
    assert (first.exit_code, second.exit_code) == (1, 1)
    assert states(first) + states(second) == ["imported", "unchanged"]
    for result in (first, second):
        message = results(result)[0]["message"]
        assert message.startswith("1 refused, the rest was imported; check: broken.docx: ")
        assert "Next:" not in message
    assert results(second)[0]["refusedCount"] == 1
    broken.unlink()
    assert run(acme, file).exit_code == 0


def test_unknown_organization_fails_alone(acme: Deployment, plan: Plan, handbook: Path) -> None:
    """Paths start at the folder of the file."""
    imports = [{**HANDBOOK, "path": "../handbook"}] * 2
    imports[0] = {**imports[0], "organization": "acne"}
    result = run(acme, plan(*imports, name="etc/sync.toml"))
    assert (result.exit_code, states(result)) == (1, ["failed", "imported"])
    assert "did you mean 'acme'?" in results(result)[0]["message"]


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
    assert states(run(acme, file)) == ["unchanged"]
    assert source(acme, "telegram:main") == before
    assert before[1] == 7 * 24 * 60 * 60


@pytest.mark.thorough
def test_modules_in_the_working_directory_are_not_run(
    acme: Deployment, plan: Plan, handbook: Path
) -> None:
    for name in ("click", "orjson", "orgctx"):
        (handbook / f"{name}.py").write_text("raise SystemExit('a program of the folder ran')")
    done = subprocess.run(
        [sys.executable, "-P", "-c", "from orgctx.cli import main; main()", "sync", plan(HANDBOOK)],
        cwd=handbook,
        env=acme.program_environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.thorough
def test_second_sync_of_a_file_is_refused_while_the_first_one_imports(
    acme: Deployment, plan: Plan, handbook: Path
) -> None:
    file = plan(HANDBOOK)
    with blocked(acme):
        first = acme.process("sync", file, "--json")
        until(lambda: acme.waiting() == 1)
        second = run(acme, file)
        assert (second.exit_code, states(second)) == (1, ["failed"])
        assert "another sync is importing this source" in results(second)[0]["message"]
        (handbook / "00.md").write_text("# Changed while the import runs\n")
    output, errors = first.communicate(timeout=60)
    assert first.returncode == 0, errors
    assert json.loads(output)["state"] == "imported"
    assert states(run(acme, file)) == ["imported"]


@contextmanager
def blocked(acme: Deployment) -> Iterator[None]:
    """A load of Acme is running, so an import of it waits."""
    with psycopg.connect(acme.admin_url) as connection:
        connection.execute(sql("stores/lock_organization"), {"organization_id": make.ACME})
        yield
        connection.rollback()


@pytest.mark.thorough
def test_load_right_after_the_import_is_noticed(
    acme: Deployment, plan: Plan, handbook: Path, write: Write
) -> None:
    """It ends before the sync has stored what it found."""
    file = plan(HANDBOOK)
    run(acme, file)
    write("handbook/00.md", "# Other\n")
    other = write("other/a.md", "# Other\n").parent
    with blocked(acme):
        sync = acme.process("sync", file)
        until(lambda: acme.waiting() == 1)
        load = acme.process("import", "folder", other, *TARGET)
        until(lambda: acme.waiting() == 2)
    for process in (sync, load):
        process.communicate(timeout=60)
    run(acme, file)
    assert count_stored(acme) == 20


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("mode", "number"),
    [("--once", signal.SIGINT), ("--watch", signal.SIGTERM)],
)
def test_signal_rolls_back_the_running_import(
    acme: Deployment, plan: Plan, handbook: Path, mode: str, number: int
) -> None:
    file = plan(HANDBOOK, {**HANDBOOK, "source": "docs:other"})
    with blocked(acme):
        process = acme.process("sync", file, mode, "--json")
        until(lambda: acme.waiting() == 1)
        process.send_signal(number)
        output, errors = process.communicate(timeout=60)
    assert process.returncode == (mode == "--once"), errors
    result = json.loads(output)  # of the first import alone
    assert (result["state"], result["message"]) == ("failed", "stopped by a signal")
    assert (count_stored(acme), acme.waiting()) == (0, 0)


@pytest.mark.thorough
def test_import_ends_with_a_killed_sync(acme: Deployment, plan: Plan, handbook: Path) -> None:
    with blocked(acme):
        process = acme.process("sync", plan(HANDBOOK))
        until(lambda: acme.waiting() == 1)
        (child,) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.kill()
        process.communicate(timeout=60)
        until(lambda: not Path(f"/proc/{child}").exists())
    assert count_stored(acme) == 0


@pytest.mark.thorough
def test_watch_polls_until_a_signal_also_after_failures(
    acme: Deployment, plan: Plan, handbook: Path
) -> None:
    file = plan({**HANDBOOK, "every": "1s"}, {**HANDBOOK, "source": "docs:other", "every": "1d"})
    process = acme.process("sync", file, "--watch", "--json")
    seen = [line_of(process) for _ in range(4)]
    handbook.rename(handbook.parent / "away")
    while line_of(process)["state"] != "failed":
        pass
    (handbook.parent / "away" / "00.md").write_text("# Other\n")
    (handbook.parent / "away").rename(handbook)
    while (state := line_of(process)["state"]) == "failed":
        pass
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert [one["source"] for one in seen] == [SOURCE, "docs:other", SOURCE, SOURCE]
    assert [one["state"] for one in seen] == ["imported", "imported", "unchanged", "unchanged"]
    assert state == "imported"
    assert source(acme)[1] == 3


def line_of(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    line: dict[str, Any] = json.loads(process.stdout.readline())
    return line
