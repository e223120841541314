"""Fetches the libraries of the page from npm into `orgctx/page/static/vendor`.

`manifest.json` there names each package, its version, licence, the registry's hash of the
package, and the files that are kept with a hash of each. A package or a file that is not what the
manifest says is refused and nothing is written. With `--accept`, after a version was raised by
hand, the hashes are taken as they are found and written into the manifest.
"""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

VENDOR = Path(__file__).parents[1] / "orgctx/page/static/vendor"
MANIFEST = VENDOR / "manifest.json"


def main() -> None:
    """Fetch and check every package, then write every file."""
    accept = "--accept" in sys.argv[1:]
    manifest = json.loads(MANIFEST.read_text("utf-8"))
    contents: dict[str, bytes] = {}
    for package in manifest["packages"]:
        contents |= _files(package, accept=accept)
    for path in VENDOR.iterdir():
        if path != MANIFEST:
            path.unlink()
    for name, body in contents.items():
        (VENDOR / name).write_bytes(body)
    MANIFEST.write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
    print(f"{len(contents)} files, {sum(map(len, contents.values()))} bytes in {VENDOR}")


def _files(package: dict[str, Any], *, accept: bool) -> dict[str, bytes]:
    """The files of one package by their names here."""
    name = f"{package['name']}@{package['version']}"
    kept = {}
    with tempfile.TemporaryDirectory() as folder:
        command = ("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", folder)
        subprocess.run([*command, name], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        (archive,) = Path(folder).iterdir()
        found = "sha512-" + base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        _check(package, "integrity", found, name, accept=accept)
        with tarfile.open(archive) as tar:
            for file in package["files"]:
                member = tar.extractfile(f"package/{file['from']}")
                assert member is not None
                body = member.read()
                for old, new in file.get("replace", {}).items():
                    body = body.replace(old.encode(), new.encode())
                digest = hashlib.sha256(body).hexdigest()
                _check(file, "sha256", digest, f"{name} {file['from']}", accept=accept)
                kept[file["to"]] = body
    return kept


def _check(entry: dict[str, Any], key: str, found: str, what: str, *, accept: bool) -> None:
    if accept:
        entry[key] = found
    elif entry.get(key) != found:
        sys.exit(f"{what}: {key} is {found}, the manifest says {entry.get(key)}; nothing written")


if __name__ == "__main__":
    main()
