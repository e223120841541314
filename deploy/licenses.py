"""Print a bill of materials with licenses: licenses.py LOCKED INSTALLED.

A lock states hashes, installed packages state licenses. A locked package that only another platform
installs gets no license.
"""

import json
import sys
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any


def main() -> None:
    """Print the first bill, with the licenses of the second."""
    locked, installed = (json.loads(Path(name).read_text("utf-8")) for name in sys.argv[1:])
    licenses = {_identity(component): component for component in installed["components"]}
    for component in locked["components"]:
        stated = licenses.get(_identity(component), {}).get("licenses")
        # The tool leaves out a license that names several in a text of its own.
        if stated := stated or _declared(component):
            component["licenses"] = stated
    print(json.dumps(locked, indent=2))


def _declared(component: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the license that the metadata of an installed package states, if any."""
    try:
        package = metadata(component["name"])
    except PackageNotFoundError:
        return []
    text = package.get("License")
    if not text or package["Version"] != component["version"]:
        return []
    return [{"license": {"acknowledgement": "declared", "name": text}}]


def _identity(component: dict[str, Any]) -> tuple[str, str]:
    name: str = component["name"].lower().replace("_", "-").replace(".", "-")
    return name, component["version"]


if __name__ == "__main__":
    main()
