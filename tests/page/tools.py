"""The npm packages of the tests, in the versions of package-lock.json."""

from __future__ import annotations

import subprocess
from pathlib import Path

FOLDER = Path(__file__).parent


def install() -> Path:
    """The folder of installed packages, filled if it is not there yet."""
    modules = FOLDER / "node_modules"
    if not modules.is_dir():
        command = ["npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run(command, cwd=FOLDER, check=True)
    return modules
