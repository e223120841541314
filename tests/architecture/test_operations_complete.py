"""Every operation has a view of the page and promises in docs/contract.md."""

from __future__ import annotations

import re
from functools import cache

import pytest

from orgctx.operations.operation import Operation
from orgctx.resources.catalog import OPERATIONS
from orgctx.schemas.payload import fields_of
from tests.architecture.modules import PACKAGE
from tests.contract.promises import DOCUMENT, promises, scope_promise

VIEWS = PACKAGE / "page/static/views"
LIST = re.compile(r"^export const operations = \[(.*?)\];$", re.MULTILINE)
REQUEST = re.compile(r'\buse(?:Answer|Followed)\(\s*"(\w+)"')

SECTION = re.compile(r"4\.\d+\.")

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


@pytest.mark.parametrize("name", [name for name, names in listed().items() if names])
def test_page_imports_view(name: str) -> None:
    app = VIEWS.with_name("app.js").read_text("utf-8")
    assert f'"./views/{name}"' in app, f"orgctx/page/static/app.js: import ./views/{name}"


@each
def test_view_requests_operation(operation: Operation) -> None:
    assert operation.name in requested(), (
        f'write useAnswer("{operation.name}", …) in a view of orgctx/page/static/views/; '
        "orgctx/page/static/app.js imports the views"
    )


def sections(operation: Operation) -> set[str]:
    """The sections of docs/contract.md that name the path. 4.0 speaks of scopes in general."""
    path = re.compile(rf"(?<![\w/]){re.escape(operation.path)}(?![\w/{{])")
    numbers = {number for number, text in promises().items() if path.search(text)}
    return {SECTION.findall(number)[0] for number in numbers if SECTION.match(number)} - {"4.0."}


@each
def test_contract_promises_operation(operation: Operation) -> None:
    assert sections(operation), (
        "docs/contract.md: add to section 4 `- **4.N.1** "
        f"{scope_promise(operation.path, operation.scopes)}`"
    )


@each
def test_contract_promises_parameters(operation: Operation) -> None:
    section = tuple(sections(operation))
    text = " ".join(text for number, text in promises().items() if number.startswith(section))
    names = {field.data_key for field in fields_of(operation.arguments).values() if not field.path}
    missing = {name for name in names if not re.search(rf"\b{name}\b", text)}
    assert not missing, f"docs/contract.md: {section} does not explain {missing}"


def test_contract_lists_every_tool() -> None:
    rows = re.findall(r"^\| ([a-z_]+) \| (/\S+) \|$", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    tools = [(operation.name, operation.path) for operation in OPERATIONS]
    assert rows == tools, f"docs/contract.md: the table of tools is not {tools}"
