"""Another distribution adds an importer by an entry point, and a broken one breaks nothing else."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import invalidate_caches
from pathlib import Path

import pytest

from orgctx.importers.formats import by_suffix
from tests.importers.conftest import Read, Write, folders, imported
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.processes import need

TARGET = ("--organization", "acme", "--source", "docs:wiki")
PAGE = "docs:00000000-0000-4000-8000-000000000001"
WIKI = (
    f"PAGE = {PAGE!r}"
    + """
from orgctx.imports.catalog import Importer, Option

DATA = {
    "id": PAGE, "source": "docs", "title": "Wiki",
    "contentFormat": "plain_text", "visibility": "public", "archived": False,
    "sourceStatus": "current", "sourceLabel": "Wiki", "sourceHref": None,
    "createdAt": "2026-01-01T00:00:00Z", "updatedAt": "2026-01-01T00:00:00Z",
}

def records(path, *, target, report, progress, greeting, shout, add):
    yield target.source("docs", "Wiki", "Pages of the wiki.", None)
    content = f"{greeting} {path.read_text()} {sum(add)}"
    progress(len(content))
    report.read += 1
    yield target.record("knowledge", DATA | {"content": content.upper() if shout else content})

IMPORTER = Importer(
    name="wiki",
    help="A page of the wiki.",
    function="acme_wiki:records",
    path="FILE",
    source="docs:",
    example=("page.wiki", "docs:wiki"),
    table="knowledge",
    options=(
        Option("greeting", "First words.", ("hello", "ahoy"), default="hello"),
        Option("shout", "In capitals."),
        Option("add", "Numbers to add.", int, is_list=True, metavar="NUMBER"),
    ),
    takes_folders=False,
)
"""
)

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """`install("acme-wiki", "wiki", WIKI)` installs a distribution with an entry point."""
    folder = tmp_path / "installed"
    folder.mkdir()

    def write_files(distribution: str, name: str, code: str) -> None:
        module = distribution.replace("-", "_")
        folder.joinpath(f"{module}.py").write_text(code)
        info = folder / f"{module}-1.0.dist-info"
        info.mkdir()
        info.joinpath("METADATA").write_text(f"Name: {distribution}\nVersion: 1.0\n")
        lines = f"[orgctx.importers]\n{name} = {module}:IMPORTER\n"
        info.joinpath("entry_points.txt").write_text(lines)
        invalidate_caches()

    monkeypatch.syspath_prepend(folder)
    yield write_files
    for path in folder.glob("*.py"):
        sys.modules.pop(path.stem, None)


def test_importer_of_another_distribution_imports(
    acme: Deployment, install: Install, write: Write, read: Read, tmp_path: Path
) -> None:
    install("acme-wiki", "wiki", WIKI)
    page = write("page.wiki", "sailors")
    report = acme.cli("import", "wiki", page, *TARGET, "--json").json()
    assert (report["read"], report["types"]["knowledge"]["created"]) == (1, 1)
    options = ("--shout", "--greeting", "ahoy", "--add", "1", "--add", "2")
    assert acme.cli("import", "wiki", page, *TARGET, *options).exit_code == 0
    assert read(f"/knowledge/{PAGE}")["content"] == "AHOY SAILORS 3"
    assert ("import wiki",) in acme.execute("SELECT command FROM audit")
    # It is listed, and what it gets is checked.
    assert "A page of the wiki." in acme.cli("import", "--help").stdout
    assert "--greeting [hello|ahoy]" in acme.cli("import", "wiki", "--help").stdout
    result = acme.cli("import", "wiki", tmp_path, *TARGET)
    assert (result.exit_code, "is a directory" in result.stderr) == (2, True)
    result = acme.cli("import", "wiki", page, *TARGET, "--greeting", "bye")
    assert "'bye' is not one of 'hello', 'ahoy'" in result.stderr


@pytest.mark.thorough
def test_sync_runs_an_importer_of_another_distribution(
    acme: Deployment, install: Install, write: Write, read: Read
) -> None:
    install("acme-wiki", "wiki", WIKI)
    write("page.wiki", "sailors")
    lines = [
        "[[import]]", 'kind = "wiki"', 'organization = "acme"', 'source = "docs:wiki"',
        'path = "page.wiki"',
    ]  # fmt: skip
    wrong = acme.cli("sync", write("sync.toml", "\n".join([*lines, "shut = true"])))
    assert "import 1: unknown key 'shut'; did you mean 'shout'?" in wrong.stderr
    done = acme.cli("sync", write("sync.toml", "\n".join([*lines, "shout = true"])))
    assert done.stdout == "docs:wiki (acme): imported, 2 created\n", done.stderr
    assert read(f"/knowledge/{PAGE}")["content"] == "HELLO SAILORS 0"


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("import missing_library", "ModuleNotFoundError: No module named 'missing_library'"),
        ("", "AttributeError: module 'acme_wiki' has no attribute 'IMPORTER'"),
        ("raise SystemExit(0)", "SystemExit: 0"),
        (WIKI.replace('"wiki"', '"other"'), "TypeError: acme_wiki:IMPORTER is not a row of"),
        (WIKI.replace("knowledge", "sources"), "ValueError: its table or its extra is unknown"),
        (WIKI.replace('"shout"', '"two words"'), "TypeError: "),
        (WIKI.replace('help="A page of the wiki."', "help=None"), "TypeError: unsupported operand"),
    ],
)
def test_broken_importer_is_reported_and_breaks_nothing(
    acme: Deployment, install: Install, write: Write, code: str, error: str
) -> None:
    install("acme-wiki", "wiki", code)
    error = f"Importer wiki cannot be loaded ({error}"
    page = write("docs/page.md", "# Page\n")
    used = acme.cli("import", "wiki", page, *TARGET)
    assert (used.exit_code, used.stdout) == (1, "")
    assert used.stderr.startswith(f"Error: {error}")
    assert used.stderr.endswith("Correct or uninstall acme-wiki.\n")
    listed = acme.cli("import", "--help")
    assert listed.exit_code == 0
    assert "wiki      Importer wiki cannot be" in listed.stdout
    assert "folder    The texts" in listed.stdout
    assert acme.cli("import", "folder", page.parent, *TARGET).exit_code == 0
    lines = ["[[import]]", 'kind = "wiki"', 'organization = "acme"']
    sync = acme.cli("sync", write("sync.toml", "\n".join(lines)))
    assert f"import 1: {error}" in sync.stderr


def test_function_that_is_missing_is_reported(
    acme: Deployment, install: Install, write: Write
) -> None:
    install("acme-wiki", "wiki", WIKI.replace("acme_wiki:records", "acme_wiki:record"))
    result = acme.cli("import", "wiki", write("page.wiki", ""), *TARGET)
    assert result.exit_code == 1
    assert result.stderr == (
        "Error: Importer wiki cannot be loaded (AttributeError: module 'acme_wiki' has no "
        "attribute 'record'). Correct or uninstall acme-wiki.\n"
    )


def test_two_distributions_of_one_importer_are_reported(
    acme: Deployment, install: Install, write: Write
) -> None:
    for distribution in ("acme-wiki", "other-wiki"):
        install(distribution, "wiki", WIKI)
    result = acme.cli("import", "wiki", write("page.wiki", ""), *TARGET)
    assert "several distributions add it" in result.stderr
    assert "uninstall acme-wiki and other-wiki." in result.stderr


def test_importers_of_orgctx_are_not_replaced(
    acme: Deployment, install: Install, write: Write
) -> None:
    install("acme-folder", "folder", "1 / 0")
    folder = write("docs/page.md", "# Page\n").parent
    assert acme.cli("import", "folder", folder, *TARGET).exit_code == 0
    assert acme.execute("SELECT title FROM knowledge") == [("Page",)]
    assert acme.execute("SELECT organization_id::text FROM sources") == [(make.ACME,)]


CALLING = """
import subprocess
def convert(content):
    command = ["pandoc", "--from", "odt", "--to", "gfm"]
    return subprocess.run(command, input=content, capture_output=True, check=True).stdout.decode()
"""


@pytest.fixture
def installed_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., None]]:
    """Install a distribution with a format, as its metadata declares it."""

    def install(suffix: str, code: str) -> None:
        site = tmp_path / "site"
        metadata = site / "acme_format-1.0.dist-info"
        metadata.mkdir(parents=True)
        text = "Metadata-Version: 2.1\nName: acme-format\nVersion: 1.0\n"
        (metadata / "METADATA").write_text(text)
        (metadata / "entry_points.txt").write_text(
            f"[orgctx.formats]\n{suffix} = acme_format:convert\n"
        )
        (site / "acme_format.py").write_text(code)
        monkeypatch.syspath_prepend(site)
        by_suffix.cache_clear()

    yield install
    sys.modules.pop("acme_format", None)
    by_suffix.cache_clear()


@pytest.mark.system
def test_format_of_another_distribution_may_call_pandoc(
    installed_format: Callable[..., None], write: Write
) -> None:
    need("pandoc")
    installed_format("odt", CALLING)
    write("docs/b.odt", "no archive")
    command = ["pandoc", "--to", "odt", "--output", "-"]
    words = subprocess.run(command, input=b"Words", capture_output=True, check=True).stdout
    items, report = imported(folders, write("docs/a.odt", words).parent)
    assert [(data["title"], data["content"]) for data in items] == [("a", "Words\n")]
    assert report.as_json()["refused"]["count"] == 1
