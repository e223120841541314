"""npm packages, in the versions of a package-lock.json."""

import subprocess
from pathlib import Path

FOLDER = Path(__file__).parent


def install(folder: Path = FOLDER) -> Path:
    """The folder of installed packages, filled if it is not there yet."""
    modules = folder / "node_modules"
    if not modules.is_dir():
        command = ["npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run(command, cwd=folder, check=True)
    return modules
