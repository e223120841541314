"""npm packages, in the versions of a package-lock.json."""

import subprocess
from fcntl import LOCK_EX, flock
from pathlib import Path

FOLDER = Path(__file__).parent


def install(folder: Path = FOLDER) -> Path:
    """The folder of installed packages, filled if it is not there yet. Other processes wait."""
    modules = folder / "node_modules"
    with (folder / "package-lock.json").open() as lock:
        flock(lock, LOCK_EX)
        if not modules.is_dir():
            command = ["npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
            subprocess.run(command, cwd=folder, check=True)
    return modules
