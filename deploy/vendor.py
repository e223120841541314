"""Download the libraries of the page from npm to `orgctx/page/static/vendor`.

`manifest.json` there lists each package with its version, license and the registry's hash, and the
files to keep with their hashes. If a package or a file has another hash, nothing is written. After
changing a version in the manifest, pass `--accept` to store the new hashes.
"""

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
    """Download and check every package, then write every file."""
    is_accepting = "--accept" in sys.argv[1:]
    manifest = json.loads(MANIFEST.read_text("utf-8"))
    contents: dict[str, bytes] = {}
    for package in manifest["packages"]:
        contents |= _files(package, is_accepting=is_accepting)
    for path in VENDOR.iterdir():
        if path != MANIFEST:
            path.unlink()
    for name, body in contents.items():
        (VENDOR / name).write_bytes(body)
    MANIFEST.write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
    print(f"{len(contents)} files, {sum(map(len, contents.values()))} bytes in {VENDOR}")


def _files(package: dict[str, Any], *, is_accepting: bool) -> dict[str, bytes]:
    """Return the files of a package, by the name in the vendor directory."""
    name = f"{package['name']}@{package['version']}"
    contents = {}
    with tempfile.TemporaryDirectory() as folder:
        command = ("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", folder)
        subprocess.run([*command, name], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        (archive,) = Path(folder).iterdir()
        integrity = (
            "sha512-" + base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        )
        _check(package, "integrity", integrity, name, is_accepting=is_accepting)
        with tarfile.open(archive) as tar:
            for file in package["files"]:
                member = tar.extractfile(f"package/{file['from']}")
                assert member is not None
                body = member.read()
                for old, new in file.get("replace", {}).items():
                    body = body.replace(old.encode(), new.encode())
                digest = hashlib.sha256(body).hexdigest()
                _check(file, "sha256", digest, f"{name} {file['from']}", is_accepting=is_accepting)
                contents[file["to"]] = body
    return contents


def _check(entry: dict[str, Any], key: str, actual: str, name: str, *, is_accepting: bool) -> None:
    if is_accepting:
        entry[key] = actual
    elif entry.get(key) != actual:
        sys.exit(
            f"{name}: {key} is {actual}, but {entry.get(key)} in the manifest. Nothing was written."
        )


if __name__ == "__main__":
    main()
