"""Collect the output of a test run and search it for secrets."""

import re
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from typing import IO

from orgctx.key_format import KEY_PATTERN, PREFIX, is_well_formed

# The password in all connection strings of the test run.
PASSWORD = token_hex(16)
KEY = re.compile(KEY_PATTERN.pattern.encode())
# How many last lines of a log are shown when a test fails.
TAIL = 15
RUN = re.compile(rb"[0-9A-Za-z]{40,}")


class Written:
    """Output of processes and commands, stored as files in `directory`.

    issued: all issued keys, without their prefix.
    """

    directory = Path()

    def __init__(self) -> None:
        self.issued: set[bytes] = set()

    def begin(self, directory: Path) -> None:
        directory.mkdir()
        self.directory = directory

    def log(self, name: object) -> IO[bytes]:
        """Open the log of a process to append to it."""
        return (self.directory / f"{name}.log").open("ab")

    def tails(self, since: float) -> Iterator[tuple[str, str]]:
        """Yield the name and the last lines of each log that was written to after `since`."""
        for path in sorted(self.directory.glob("*.log")):
            if path.stat().st_mtime >= since and (lines := path.read_bytes().splitlines()[-TAIL:]):
                yield path.name, b"\n".join(lines).decode("utf-8", "replace")

    def output(self, *texts: str) -> None:
        """Store printed output."""
        with (self.directory / "output.txt").open("a", encoding="utf-8", errors="replace") as file:
            file.writelines(texts)

    def issue(self, printed: str) -> None:
        """Remember the keys that `orgctx keys issue` printed."""
        self.issued |= {key.removeprefix(PREFIX).encode() for key in KEY_PATTERN.findall(printed)}

    def leaks(self, directory: Path) -> Iterator[str]:
        """Search all files below a directory. Yields an error for each secret in a file."""
        for path in directory.rglob("*"):
            # A demo stores its key for the next start, readable only by its owner.
            if path.is_symlink() or not path.is_file() or path.name == "demo.json":
                continue
            content = path.read_bytes()
            # Search for the prefix first: it is fast, the files are large and few contain it.
            keys = KEY.findall(content) if PREFIX.encode() in content else []
            if any(is_well_formed(key.decode()) for key in keys):
                yield f"{path} holds a key"
            if PASSWORD.encode() in content:
                yield f"{path} holds the password of a connection string"
            if path.parent == self.directory and self._holds_issued(content):
                yield f"{path} holds an issued key without its prefix"

    def _holds_issued(self, content: bytes) -> bool:
        return any(
            run[start : start + 40] in self.issued
            for run in RUN.findall(content)
            for start in range(len(run) - 39)
        )


written = Written()
