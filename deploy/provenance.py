"""Print the provenance of release files: provenance.py DIRECTORY COMMIT.

The provenance is an in-toto statement with the SLSA 1 predicate: the files, the commit and the lock
files that they were built from, and the builder. It is unsigned; the workflow signs each file.
"""

import json
import os
import platform
import sys
from hashlib import file_digest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
MANUAL_BUILDER = "urn:orgctx:release:by-hand"


def main() -> None:
    """Print the statement."""
    directory, commit = Path(sys.argv[1]), sys.argv[2]
    locks = sorted(ROOT.glob("deploy/requirements*.txt"))
    print(json.dumps(statement(sorted(directory.iterdir()), locks, commit), indent=2))


def statement(files: list[Path], locks: list[Path], commit: str) -> dict[str, Any]:
    """Build the statement. files: the release. locks: the lock files."""
    source = {"name": "source", "digest": {"gitCommit": commit}}
    dependencies = [source, *(_resource(path, f"deploy/{path.name}") for path in locks)]
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [_resource(path, path.name) for path in files],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:orgctx:release",
                "externalParameters": {"baseImage": os.environ.get("PYTHON_IMAGE", "")},
                "internalParameters": {
                    "machine": platform.machine(),
                    "python": platform.python_version(),
                },
                "resolvedDependencies": dependencies,
            },
            "runDetails": {"builder": {"id": _builder()}},
        },
    }


def _builder() -> str:
    """Return the address of the workflow run, if there is one."""
    names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
    if not all(name in os.environ for name in names):
        return MANUAL_BUILDER
    server, repository, run_id = (os.environ[name] for name in names)
    return f"{server}/{repository}/actions/runs/{run_id}"


def _resource(path: Path, name: str) -> dict[str, Any]:
    with path.open("rb") as file:
        return {"name": name, "digest": {"sha256": file_digest(file, "sha256").hexdigest()}}


if __name__ == "__main__":
    main()
