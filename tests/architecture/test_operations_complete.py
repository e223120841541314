"""Every operation has a view of the page and promises in docs/contract.md."""

from __future__ import annotations

import re
from functools import cache

import pytest

from orgctx.operations.operation import Operation
from orgctx.resources.catalog import OPERATIONS
from tests.architecture.modules import PACKAGE
from tests.contract.promises import promises, scope_promise

VIEWS = PACKAGE / "page/static/views"
LIST = re.compile(r"^export const operations = \[(.*?)\];$", re.MULTILINE)
REQUEST = re.compile(r'\buse(?:Answer|Followed)\(\s*"(\w+)"')

each = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)


@cache
def requested() -> set[str]:
    """The operations that the views of the page request."""
    return {
        name for path in VIEWS.glob("*.js") for name in REQUEST.findall(path.read_text("utf-8"))
    }


@cache
def listed() -> dict[str, set[str]]:
    """The operations that each view lists, by its file."""
    lists = {path.name: LIST.findall(path.read_text("utf-8")) for path in VIEWS.glob("*.js")}
    return {name: set(re.findall(r'"(\w+)"', "".join(matches))) for name, matches in lists.items()}


@each
def test_view_lists_operation(operation: Operation) -> None:
    views = [name for name, names in listed().items() if operation.name in names]
    assert len(views) == 1, (
        f"{operation.name}: name it once, in `operations` of a view of orgctx/page/static/views/"
    )


@each
def test_view_requests_operation(operation: Operation) -> None:
    assert operation.name in requested(), (
        f'write useAnswer("{operation.name}", …) in a view of orgctx/page/static/views/; '
        "orgctx/page/static/app.js imports the views"
    )


@each
def test_contract_promises_operation(operation: Operation) -> None:
    """4.0 speaks of scopes in general; an operation has a section of its own."""
    path = re.compile(rf"(?<![\w/]){re.escape(operation.path)}(?![\w/{{])")
    assert any(
        number.startswith("4.") and not number.startswith("4.0.") and path.search(text)
        for number, text in promises().items()
    ), (
        "docs/contract.md: add to section 4 `- **4.N.1** "
        f"{scope_promise(operation.path, operation.scopes)}`"
    )
