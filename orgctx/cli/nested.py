"""Run a command within another one."""

from __future__ import annotations

from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper
from typing import Any

import orjson


def run(*arguments: str) -> None:
    """Run `orgctx ARGUMENTS`. Raises what the command raises; the audit names that command."""
    from orgctx.cli import main

    main([*arguments], prog_name="orgctx", standalone_mode=False)


def run_json(*arguments: str) -> Any:
    """Run `orgctx ARGUMENTS --json` and return its output."""
    output = BytesIO()
    with redirect_stdout(TextIOWrapper(output, "utf-8", write_through=True)):
        run(*arguments, "--json")
    return orjson.loads(output.getvalue())
