"""Run the command without any settings, in a directory of its own, or on a pseudo-terminal."""

import os
import pty
from collections.abc import Iterable
from contextlib import chdir, suppress
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from click.testing import CliRunner

from orgctx.cli import main
from tests.support.deployment import Deployment, Result


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


def answered(
    deployment: Deployment,
    folder: Path,
    command: Iterable[str],
    answers: Iterable[tuple[str, str]] = (),
) -> tuple[int, str]:
    """Run `orgctx` on a pseudo-terminal. Returns its exit status and what it printed.

    answers: pairs of a text that the command prints, and what is typed then.
    """
    terminal, side = pty.openpty()
    process = deployment.process(*command, stdin=side, stdout=side, stderr=side, cwd=folder)
    os.close(side)
    output, seen = "", 0
    waiting = [*answers]
    # Linux ends the output of a closed terminal with an error.
    with suppress(OSError):
        while block := os.read(terminal, 65536):
            output += block.decode(errors="replace")
            while waiting and waiting[0][0] in output[seen:]:
                question, answer = waiting.pop(0)
                seen = output.index(question, seen) + len(question)
                os.write(terminal, answer.encode())
    os.close(terminal)
    status = process.wait()
    assert not waiting, output
    return status, output.replace("\r\n", "\n")
