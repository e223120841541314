"""The wheel holds all that the checkout does, and installs releases that were tested."""

from __future__ import annotations

import re
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import psycopg
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.deploy.wheel import ROOT, build, pip

# Only gunicorn may import its settings, which read the environment and patch other modules.
SETTINGS = "orgctx.gunicorn"
# Without `site`, so that the editable install beside the libraries lends no module.
PROGRAM = """
import sys
sys.path[:0] = sys.argv[1:3]
from importlib import import_module
for name in sys.argv[3:]:
    import_module(name)
from orgctx.openapi.document import build
assert build("http://127.0.0.1:8000")
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the wheel, built from a copy of the checkout, was installed into."""
    target = tmp_path_factory.mktemp("installed")
    wheel = build(tmp_path_factory.mktemp("tree"))
    pip("install", "--no-deps", "--no-index", "--target", str(target), str(wheel))
    return target


def files(folder: Path) -> set[Path]:
    """The files of a folder without compiled ones."""
    every = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder) for path in every if "__pycache__" not in path.parts}


def test_no_file_is_forgotten(installed: Path) -> None:
    statements = {path for path in files(ROOT / "sql") if path.suffix == ".sql"}
    assert files(installed / "orgctx/sql") == statements
    missing = files(ROOT / "orgctx") - files(installed / "orgctx")
    assert not missing, "a folder lacks its __init__.py, or setup.cfg its package_data"


def test_every_module_imports(installed: Path) -> None:
    # A __main__ does something when it is imported; snippets are texts to paste.
    paths = [path.with_suffix("") for path in files(ROOT / "orgctx")
             if path.suffix == ".py" and path.stem != "__main__"
             and path.parent.name != "snippets"]  # fmt: skip
    names = {".".join(("orgctx", *path.parts)).removesuffix(".__init__") for path in paths}
    libraries = str(Path(psycopg.__file__).parents[1])
    subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROGRAM, str(installed), libraries, *names - {SETTINGS}],
        check=True,
    )


def locked(name: str) -> dict[str, str]:
    """The releases of a file of requirements, by name."""
    text = (ROOT / name).read_text("utf-8")
    return {canonicalize_name(one): version for one, version in
            re.findall(r"^([A-Za-z][\w.-]*)==([^ ;\\\n]+)", text, re.MULTILINE)}  # fmt: skip


def test_constraints_are_what_is_locked() -> None:
    assert locked("orgctx/constraints.txt") == locked("deploy/requirements-demo.txt"), (
        "orgctx/constraints.txt: run `make lock`"
    )


def test_no_release_is_picked_that_was_not_tested() -> None:
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf-8")
    extras = setup["options.extras_require"]
    asked = [setup["options"]["install_requires"]]
    asked += [extras[name] for name in extras if name not in ("dev", "docs", "bench")]
    tested = locked("deploy/requirements-dev.txt")
    for line in filter(None, "\n".join(asked).splitlines()):
        requirement = Requirement(line)
        newest = {one.version for one in requirement.specifier if one.operator in ("<=", "==")}
        version = tested[canonicalize_name(requirement.name)]
        assert newest == {version}, f"setup.cfg: {requirement.name} <={version}, or `make lock`"
