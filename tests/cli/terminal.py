"""Run the command without any settings, in a directory of its own."""

from __future__ import annotations

import os
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from click.testing import CliRunner

from orgctx.cli import main
from tests.support.deployment import Result


@dataclass(frozen=True)
class Terminal:
    folder: Path  # the working directory; it contains the home directory

    @property
    def home(self) -> Path:
        return self.folder / "home"

    def run(self, *arguments: str, exit_code: int = 0, **environment: str) -> Result:
        """Run orgctx with only these variables."""
        self.home.mkdir(exist_ok=True)
        variables = {"PATH": os.environ["PATH"], "HOME": str(self.home), **environment}
        with chdir(self.folder), patch.dict(os.environ, variables, clear=True):
            result = CliRunner().invoke(main, arguments, prog_name="orgctx")
        assert result.exit_code == exit_code, result.output
        return Result(result.exit_code, result.stdout, result.stderr)

    def write(self, name: str, text: str, mode: int = 0o644) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        path.chmod(mode)
        return path
