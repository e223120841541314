"""Build the wheel from a copy of the checkout, so that the build leaves no files in it."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ("orgctx", "sql", "setup.py", "setup.cfg", "pyproject.toml", "README.md", "LICENSE")


def build(tree: Path) -> Path:
    """Copy the sources to an empty folder and build there. Returns the wheel."""
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tree)
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tree / "dist"), str(tree))
    (wheel,) = (tree / "dist").glob("*.whl")
    return wheel


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", *arguments]
    subprocess.run(command, check=True, capture_output=True, text=True)
