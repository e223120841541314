"""docs/errors.md has a row for each error that a caller can meet, and for no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import orgctx
from orgctx.errors import ApiError
from orgctx.mcp import errors
from tests.docs.pages import ROOT

ROW = re.compile(r"^\| (?:(\d{3}) \| )?`([\w-]+)` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)

# These packages define the errors of requests. Others may need libraries of an extra.
PREFIXES = ("orgctx.server.", "orgctx.mcp.", "orgctx.http.", "orgctx.gate.", "orgctx.stores.")


def kinds(kind: type[ApiError] = ApiError) -> Iterator[type[ApiError]]:
    for one in kind.__subclasses__():
        yield one
        yield from kinds(one)


def documented() -> list[tuple[str, str]]:
    rows = ROW.findall((ROOT / "docs/errors.md").read_text("utf-8"))
    assert all(cause.strip() and fix.strip() for _, _, cause, fix in rows)
    return [(status, code) for status, code, _, _ in rows]


def test_errors_page_has_a_row_for_each_error() -> None:
    for module in walk_packages(orgctx.__path__, "orgctx."):
        if module.name.startswith(PREFIXES) and not module.name.endswith("__main__"):
            import_module(module.name)
    rpc = [("", str(code)) for code in vars(errors).values() if isinstance(code, int)]
    http = {(str(one.status), one.code) for one in kinds() if one.__module__.startswith("orgctx.")}
    assert sorted(documented()) == sorted([*http, *rpc])
