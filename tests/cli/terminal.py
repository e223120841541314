"""Run the command without any settings, in a separate folder."""

from __future__ import annotations

import os
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
from click.testing import CliRunner

from orgctx.cli import main


@dataclass(frozen=True)
class Printed:
    stdout: str
    stderr: str

    def json(self) -> Any:
        return orjson.loads(self.stdout)


@dataclass(frozen=True)
class Terminal:
    """folder: the working directory, which contains the home folder as home/."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    def run(self, *arguments: str, exit_code: int = 0, **environment: str) -> Printed:
        """Run orgctx with only these variables."""
        self.home.mkdir(exist_ok=True)
        variables = {"PATH": os.environ["PATH"], "HOME": str(self.home), **environment}
        with chdir(self.folder), patch.dict(os.environ, variables, clear=True):
            done = CliRunner().invoke(main, arguments, prog_name="orgctx")
        assert done.exit_code == exit_code, done.output
        return Printed(done.stdout, done.stderr)

    def write(self, name: str, text: str, mode: int = 0o644) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        path.chmod(mode)
        return path
