"""A file that takes too long is refused by name, and the rest is imported."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from orgctx.importers import time_limit
from tests.importers.conftest import Run, Write
from tests.importers.office import archive

# The signal may arrive in a finalizer, where its exception is dropped; it comes again.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
SECONDS = 1.0
# Takes seconds to convert, each link on its own.
LINKS = "[[Page|words]] " * 4_000_000
REASON = "took longer than 1 seconds"
Export = Callable[[Write], Path]


@pytest.fixture(autouse=True)
def limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limit, "FILE_SECONDS", SECONDS)


def vault(write: Write) -> Path:
    write("vault/.obsidian/app.json", "{}")
    write("vault/Long.md", LINKS)
    return write("vault/Short.md", "# Short").parent


def notion(write: Write) -> Path:
    rows = "a,b,c,d\n" * 3_000_000
    return write("Export.zip", archive({"Long.csv": rows, "Short.md": "# Short"}))


@pytest.mark.parametrize("export", [vault, notion])
def test_file_that_takes_too_long_is_refused(run: Run, write: Write, export: Export) -> None:
    path = export(write)
    result = run("markdown", path, source="docs:slow")
    report = json.loads(result.stdout)
    assert result.exit_code == 1
    assert report["refused"]["count"] == 1
    assert report["refused"]["first"][0].startswith("Long.")
    assert report["refused"]["first"][0].endswith(f": {REASON}")
    assert report["types"]["knowledge"]["created"] == 1


def test_manifest_that_takes_too_long_is_refused(run: Run, write: Write) -> None:
    manifest = write("Long.csv", "path,bytes\n" + "".join(f"{n}/a,1\n" for n in range(500_000)))
    result = run("assets", manifest, source="assets:slow")
    assert f"Nothing was imported: Long.csv: {REASON}" in result.stderr


def test_site_that_takes_too_long_excludes_its_folder(run: Run, write: Write) -> None:
    write("wiki/site/config.toml", f"{'a.' * 32_000}a = 1")
    write("wiki/site/Hidden.md", "# Hidden")
    path = write("wiki/Short.md", "# Short").parent
    report = json.loads(run("markdown", path, source="docs:slow").stdout)
    assert report["types"]["knowledge"]["created"] == 1
    assert any(REASON in reason for reason in report["skipped"]), report["skipped"]


def test_other_timer_continues_after_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limit, "FILE_SECONDS", 60)
    handler = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    former = signal.setitimer(signal.ITIMER_REAL, 1_000)
    try:
        with time_limit.time_limit():
            assert signal.getitimer(signal.ITIMER_REAL)[0] <= 60
        assert 900 < signal.getitimer(signal.ITIMER_REAL)[0] <= 1_000
        assert signal.getsignal(signal.SIGALRM) == signal.SIG_IGN
    finally:
        signal.setitimer(signal.ITIMER_REAL, *former)
        signal.signal(signal.SIGALRM, handler)
