"""Print each client of install.py that is over a month old and not the newest of its registry.

pip does not say when a version was released, so each outdated Python client is printed.
"""

import json
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta

from tests.mcp.clients.install import AGENTS, GENERATORS, NODE_CLIENTS, PYTHON_CLIENTS

MONTH = timedelta(days=30)
REQUIREMENT = re.compile(r"(?:npm:)?(@?[\w/.-]+?)(?:\[\w+\])?(?:==|@)([\w.-]+)")


def main() -> None:
    requirements = [first for first, *_ in PYTHON_CLIENTS.values()]
    for name, version in newest_pinned(requirements).items():
        newest = output(sys.executable, "-m", "pip", "index", "versions", name).split("(")[1]
        report(name, version, newest.split(")")[0])
    requirements = [
        pinned if "@" in pinned else f"{name}@{pinned}"
        for name, pinned in (NODE_CLIENTS | AGENTS | GENERATORS).items()
    ]
    for name, version in newest_pinned(requirements).items():
        known = json.loads(output("npm", "view", name, "time", "version", "--json"))
        if datetime.fromisoformat(known["time"][version]) < datetime.now(UTC) - MONTH:
            report(name, version, known["version"])


def newest_pinned(requirements: list[str]) -> dict[str, str]:
    """The first, newest version of each client by its name."""
    matches = map(REQUIREMENT.fullmatch, reversed(requirements))
    return {match[1]: match[2] for match in matches if match}


def report(name: str, version: str, newest: str) -> None:
    if version != newest and "-" not in version:
        print(f"{name} {version} is old: {newest} is the newest")


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


if __name__ == "__main__":
    main()
