"""A schema file that was released never changes: databases have applied it."""

from hashlib import sha256
from pathlib import Path

import pytest
from packaging.version import Version

from orgctx import __version__
from orgctx.stores.db import sql_directory

ROOT = Path(__file__).parents[2]
LOCK = "released.sha256"  # as sha256sum writes it
HOW = f"(cd sql/schema && sha256sum *.sql > {LOCK})"


def errors(schema: Path, changelog: str) -> list[str]:
    """What is wrong with the files of a schema; a changelog begins with its newest version."""
    lines = (schema / LOCK).read_text("utf-8").splitlines()
    released = {name: digest for digest, name in map(str.split, lines)}
    found = [
        f"sql/schema/{name} is released and must not change: put it back, and write the next number"
        for name, digest in released.items()
        if not (schema / name).is_file()
        or sha256((schema / name).read_bytes()).hexdigest() != digest
    ]
    headings = [line for line in changelog.splitlines() if line.startswith("## ")]
    if not headings[0].endswith("(unreleased)"):
        found += [
            f"sql/schema/{path.name} is released but not in {LOCK}: run {HOW}"
            for path in sorted(schema.glob("*.sql"))
            if path.name not in released
        ]
    return found


def test_released_files_are_unchanged() -> None:
    changelog = ROOT.joinpath("CHANGELOG.md").read_text("utf-8")
    assert errors(sql_directory() / "schema", changelog) == []


def test_version_is_a_pre_release_until_the_changelog_dates_it() -> None:
    version = Version(__version__)
    begin = f"# Changelog\n\n## {version.base_version} "
    changelog = ROOT.joinpath("CHANGELOG.md").read_text("utf-8")
    assert changelog.startswith(begin)
    assert changelog.startswith(f"{begin}(unreleased)\n") == version.is_devrelease


@pytest.mark.parametrize(
    ("released", "heading", "error"),
    [
        ("SELECT 1", "## 1.0.0", None),
        ("SELECT 1", "## 1.1.0 (unreleased)", None),
        ("SELECT 2", "## 1.1.0 (unreleased)", "001.sql is released and must not change"),
        (None, "## 1.0.0 (unreleased)", None),
        (None, "## 1.0.0", "001.sql is released but not in"),
    ],
)
def test_errors_of_a_changed_or_unlisted_file(
    tmp_path: Path, released: str | None, heading: str, error: str | None
) -> None:
    (tmp_path / "001.sql").write_text("SELECT 1")
    line = f"{sha256(released.encode()).hexdigest()}  001.sql\n" if released else ""
    (tmp_path / LOCK).write_text(line)
    found = errors(tmp_path, f"# Changelog\n\n{heading}\n\n## 0.9.0\n")
    assert (not found) if error is None else (len(found) == 1 and error in found[0])


def test_errors_of_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text(f"{sha256(b'').hexdigest()}  001.sql\n")
    assert "001.sql is released" in errors(tmp_path, "## 1.0.0")[0]
