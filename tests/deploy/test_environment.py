"""The Makefile creates a usable environment or none."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import ROOT


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
