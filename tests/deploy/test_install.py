"""deploy/install.py installs what pip installs, and prints how far it is."""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.support.processes import ROOT

METADATA = "Metadata-Version: 2.1\nName: {0}\nVersion: 1\n"
WHEEL = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def wheel(folder: Path, name: str) -> Path:
    path = folder / f"{name}-1-py3-none-any.whl"
    with ZipFile(path, "w") as archive:
        archive.writestr(f"{name}.py", "")
        archive.writestr(f"{name}-1.dist-info/METADATA", METADATA.format(name))
        archive.writestr(f"{name}-1.dist-info/WHEEL", WHEEL)
        archive.writestr(f"{name}-1.dist-info/RECORD", "")
    return path


def install(*arguments: object, path: Path | str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "deploy/install.py", "--no-index", *map(str, arguments)]
    env = {**os.environ, "PATH": str(path)}
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=env)


@pytest.mark.thorough
def test_install_prints_progress(tmp_path: Path) -> None:
    target = tmp_path / "target"
    result = install("--target", target, wheel(tmp_path, "one"), wheel(tmp_path, "two"))
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == ["Installing 2 packages ...", "Installed 2 packages."]
    assert {path.name for path in target.glob("*.py")} == {"one.py", "two.py"}


def test_install_uses_uv(tmp_path: Path) -> None:
    target = tmp_path / "target"
    result = install("--target", target, wheel(tmp_path, "one"), path=ROOT / ".venv/bin")
    assert (result.returncode, result.stdout) == (0, ""), result.stderr
    assert {path.name for path in target.glob("*.py")} == {"one.py"}


@pytest.mark.thorough
def test_install_fails_as_pip_does(tmp_path: Path) -> None:
    result = install("--target", tmp_path, tmp_path / "missing.whl")
    assert (result.returncode, result.stdout) == (1, "")
    assert "missing.whl" in result.stderr


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sys; sys.version_info = (3, 10); exec(sys.argv.pop())", "is older than"),
        ("import os, sys; 'venv' in sys.argv and (os.mkdir('.venv') or sys.exit('no'))", "no"),
    ],
)
def test_make_leaves_no_unusable_environment(tmp_path: Path, code: str, message: str) -> None:
    python = tmp_path / "python"
    python.write_text(f'exec {sys.executable} -c "{code}" "$@"\n')
    command = ["make", "-f", str(ROOT / "Makefile"), ".venv/bin/python", f"PYTHON=sh {python}"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 2
    assert message in result.stderr
    assert not (tmp_path / ".venv").exists()


def test_make_replaces_an_environment_whose_python_is_gone(tmp_path: Path) -> None:
    (stamp := tmp_path / ".venv/demo.stamp").parent.mkdir()
    stamp.touch()
    (python := tmp_path / "python").write_text(f'exec {sys.executable} "$@" --without-pip\n')
    command = ["make", "-f", str(ROOT / "Makefile"), ".venv/bin/python", f"PYTHON=sh {python}"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert not stamp.exists()
