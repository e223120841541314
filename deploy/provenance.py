"""Prints the provenance of the files of a directory: provenance.py DIRECTORY COMMIT.

A statement of in-toto with the predicate of SLSA 1: which files were made of which commit, with
which locks, and by whom. It is not signed; the workflow has each file signed besides.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from hashlib import file_digest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
BY_HAND = "urn:orgctx:release:by-hand"


def main() -> None:
    """Print the statement."""
    directory, commit = Path(sys.argv[1]), sys.argv[2]
    locks = sorted(ROOT.glob("deploy/requirements*.txt"))
    print(json.dumps(statement(sorted(directory.iterdir()), locks, commit), indent=2))


def statement(files: list[Path], locks: list[Path], commit: str) -> dict[str, Any]:
    """files: what was made. locks: what it was made with."""
    source = {"name": "source", "digest": {"gitCommit": commit}}
    used = [source, *(_named(path, f"deploy/{path.name}") for path in locks)]
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [_named(path, path.name) for path in files],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:orgctx:release",
                "externalParameters": {"baseImage": os.environ.get("PYTHON_IMAGE", "")},
                "internalParameters": {
                    "machine": platform.machine(),
                    "python": platform.python_version(),
                },
                "resolvedDependencies": used,
            },
            "runDetails": {"builder": {"id": _builder()}},
        },
    }


def _builder() -> str:
    """The run of the workflow, where there is one."""
    run = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
    if not all(name in os.environ for name in run):
        return BY_HAND
    server, repository, number = (os.environ[name] for name in run)
    return f"{server}/{repository}/actions/runs/{number}"


def _named(path: Path, name: str) -> dict[str, Any]:
    with path.open("rb") as file:
        return {"name": name, "digest": {"sha256": file_digest(file, "sha256").hexdigest()}}


if __name__ == "__main__":
    main()
