"""A schema file that was released never changes: databases have applied it."""

import re
from hashlib import sha256
from pathlib import Path

from packaging.version import Version

from orgctx import __version__
from orgctx.stores.db import sql_directory

ROOT = Path(__file__).parents[2]
LOCK = "released.sha256"  # as sha256sum writes it
HOW = f"(cd sql/schema && sha256sum *.sql > {LOCK})"


def test_released_files_are_unchanged() -> None:
    schema = sql_directory() / "schema"
    released = dict(line.split()[::-1] for line in (schema / LOCK).read_text("utf-8").splitlines())
    stored = {path.name: sha256(path.read_bytes()).hexdigest() for path in schema.glob("*.sql")}
    assert released.items() <= stored.items(), "put these files back, and write the next number"
    headings = re.findall(r"^## .*", ROOT.joinpath("CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    if not headings[0].endswith("(unreleased)"):
        assert released == stored, f"run {HOW}"


def test_version_is_a_pre_release_until_the_changelog_dates_it() -> None:
    version = Version(__version__)
    begin = f"# Changelog\n\n## {version.base_version} "
    changelog = ROOT.joinpath("CHANGELOG.md").read_text("utf-8")
    assert changelog.startswith(begin)
    assert changelog.startswith(f"{begin}(unreleased)\n") == version.is_devrelease
