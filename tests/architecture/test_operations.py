"""Every operation is declared completely, and every route passes the gate."""

import inspect
import json
import re
from functools import cache
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules

import pytest
from flask import Flask

from orgctx import resources
from orgctx.openapi.document import find_example
from orgctx.operations.operation import Operation, Resource
from orgctx.operations.source_kinds import KINDS, SCOPES, SOURCE_KINDS
from orgctx.resources.catalog import OPERATIONS, RESOURCES
from orgctx.resources.search.items import ITEM_HREFS, PARTS
from orgctx.schemas.payload import fields_of
from orgctx.stores.db import statements
from tests.architecture.modules import MODULES, PACKAGE, strings
from tests.contract import document
from tests.operations import ROWS
from tests.properties import library
from tests.properties.model import World
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.processes import ROOT

PLANS, PEERS = "tests/scale/test_plans.py", "bench/peers/models.py"
# The paths that answer without a key, and why.
PUBLIC = {
    "/healthz": "for the operators of the service",
    "/readyz": "for the operators of the service",
    "/api/v1/openapi.json": "the contract itself; limited by IP address",
    "/": "the page; with a limit of its own by IP address",
    "/page/<path:name>": "the files of the page; with a limit of its own by IP address",
}
# Packages that treat operations alike. Kinds of source, the page, clients and commands name
# some, and decisions run statements of the commands.
OTHER_PACKAGES = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - {
    "resources", "operations", "page", "clients", "cli", "decisions", "importers", "embedded",
}  # fmt: skip
each = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)


@each
def test_operation_is_complete(operation: Operation) -> None:
    assert operation.scopes
    assert set(operation.scopes) <= set(SCOPES)
    assert operation.kinds
    assert set(operation.kinds) <= set(KINDS)
    assert operation.title
    assert (operation.pagination is None) or operation.is_list
    assert operation.payload.__doc__
    assert re.fullmatch("(get|list|read|search)_[a-z_]+", operation.name)
    # OpenAPI and MCP tools publish the docstring, so it has a few complete sentences.
    assert operation.doc[0].isupper()
    assert operation.doc.endswith(".")
    where = f"{operation.service.__module__}, first paragraph of {operation.name}"
    assert 30 < len(operation.doc) < 400, f"{where}: write 31 to 399 characters"


@each
def test_operation_describes_every_argument(operation: Operation) -> None:
    in_path = set(re.findall(r"\{(\w+)\}", operation.path))
    fields = fields_of(operation.arguments).values()
    assert {field.path for field in fields if field.path} == in_path
    for field in fields:
        assert field.metadata.get("description"), field.name


def test_operation_names_and_paths_are_unique() -> None:
    assert len({operation.name for operation in OPERATIONS}) == len(OPERATIONS)
    assert len({operation.path for operation in OPERATIONS}) == len(OPERATIONS)


def test_catalog_lists_every_resource() -> None:
    modules = {module.name for module in iter_modules(resources.__path__)} - {"catalog"}
    missing = modules - {one.name for one in RESOURCES}
    assert not missing, f"orgctx/resources/catalog.py: add the RESOURCE of {missing}"


@pytest.mark.parametrize("one", RESOURCES, ids=lambda one: one.name)
def test_service_functions_are_operations(one: Resource) -> None:
    module = import_module(one.operations[0].service.__module__)
    functions = {
        name
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and "caller" in signature(function).parameters
    }
    public = {name for name in functions if not name.startswith("_")}
    missing = public - {operation.name for operation in one.operations}
    assert not missing, f"{module.__name__}: decorate {missing} with RESOURCE.operation"


def test_tags_have_one_description() -> None:
    for tag in {one.tag for one in RESOURCES}:
        texts = [one.name for one in RESOURCES if one.tag == tag and one.about]
        assert len(texts) == 1, (
            f"one of the resources of the tag {tag} needs `about` in its RESOURCE, has: {texts}"
        )


@each
def test_operation_has_an_example(operation: Operation) -> None:
    file = operation.example.relative_to(PACKAGE.parent)
    in_path = dict.fromkeys(re.findall(r"\{(\w+)\}", operation.path), "…")
    empty = json.dumps({"parameters": in_path, "answer": {}}, ensure_ascii=False)
    example = find_example(operation)
    assert example, f"run `make examples`; if it finds nothing, first write {file}: {empty}"
    assert in_path.keys() <= example["parameters"].keys(), f"{file}: see {empty}"


@each
def test_operation_texts_name_existing_operations(operation: Operation) -> None:
    """Its `identifier` names one of its arguments, and its texts name operations that exist."""
    source = ""
    if operation.identifier:
        source = operation.identifier.source
        arguments = {field.data_key for field in fields_of(operation.arguments).values()}
        assert operation.identifier.argument in arguments
    for text in (source, operation.hint, *operation.guide, operation.doc):
        named = set(re.findall(r"\b(?:get|list|read|search)_[a-z_]+", text))
        assert named <= {one.name for one in OPERATIONS}, text


def test_packages_name_no_operation() -> None:
    """They read what they need from the row of the operation."""
    named = "|".join(text for one in OPERATIONS for text in (one.name, f"{one.path}\\b"))
    operation = re.compile(rf"(?<![\w/])(?:/api/v1)?(?:{named})")
    for path, tree in MODULES.items():
        if path.relative_to(PACKAGE).parts[0] in OTHER_PACKAGES:
            for text in strings(tree):
                assert not operation.search(text), (
                    f"{path.relative_to(PACKAGE.parent)}: {text[:60]}"
                )


@each
def test_operation_has_a_row(operation: Operation) -> None:
    file = f"tests/operations.py: {operation.name}"
    assert operation.name in ROWS, f"{file} needs a Row"
    row = ROWS[operation.name]
    differs = f"{file} and {operation.service.__module__} differ"
    assert row.scopes == operation.scopes, f"{differs}, scopes"
    assert set(row.kinds or KINDS) == set(operation.kinds), f"{differs}, kinds"
    assert bool(row.missing) == operation.is_findable or operation.conflicts, (
        f"{file} needs `missing`, a request for an absent record, if `is_findable` is set in its "
        "operation, and only then"
    )
    arguments = {field.data_key for field in fields_of(operation.arguments).values()}
    asked = {name for ask in (*row.asks, *row.crawl, row.missing or {}) for name in ask}
    assert asked == arguments, f"{file}: ask with each argument, and no other: {asked ^ arguments}"


def test_routes_need_a_key(app: Flask) -> None:
    for path, method in list_routes(app):
        response = app.test_client().open(path, method=method)
        assert (response.status_code == 401) == (path not in PUBLIC), path
        assert response.status_code in (200, 401, 503) or "<" in path, path


def test_routes_charge_quota(app: Flask, deployment: Deployment) -> None:
    deployment.load([make.organization(), *make.staff()])
    key = {"Authorization": f"Bearer {deployment.issue_key(make.ACME, make.OWNER)}"}
    client = app.test_client()
    left = int(client.get("/api/v1/sources", headers=key).headers["RateLimit-Remaining"])
    for path, method in list_routes(app):
        if path not in PUBLIC:
            body = {"jsonrpc": "2.0", "id": 1, "method": "ping"} if method == "POST" else None
            accept = {"Accept": "application/json, text/event-stream"}
            response = client.open(path, method=method, headers=key | accept, json=body)
            left -= 1
            assert int(response.headers["RateLimit-Remaining"]) == left, path


def list_routes(app: Flask) -> list[tuple[str, str]]:
    """Each path of the app, filled with ids, and each method except HEAD and OPTIONS."""
    return [
        (re.sub(r"<\w+>", make.uuid(1), rule.rule), method)
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    ]


# Every operation has a view of the page


VIEWS = PACKAGE / "page/static/views"
LIST = re.compile(r"^export const operations = \[(.*?)\];$", re.MULTILINE)
REQUEST = re.compile(r'\buse(?:Answer|Followed)\(\s*"(\w+)"')


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
def test_view_lists_and_requests_operation(operation: Operation) -> None:
    views = [name for name, names in listed().items() if operation.name in names]
    assert len(views) == 1, (
        f"{operation.name}: name it once, in `operations` of a view of orgctx/page/static/views/"
    )
    assert operation.name in requested(), (
        f'write useAnswer("{operation.name}", …) in a view of orgctx/page/static/views/; '
        "orgctx/page/static/app.js imports the views"
    )


@pytest.mark.parametrize("name", [name for name, names in listed().items() if names])
def test_page_imports_view(name: str) -> None:
    app = VIEWS.with_name("app.js").read_text("utf-8")
    assert f'"./views/{name}"' in app, f"orgctx/page/static/app.js: import ./views/{name}"


# What tests write by hand, because it is a second opinion, covers the whole catalog.


@pytest.mark.parametrize("kind", KINDS)
def test_model_gives_search_items_of_every_kind(kind: str) -> None:
    # The import fails while the catalog is unfinished, and other tests say why.
    from tests.properties.model import World

    world = World(make.everything())
    items = world.items(set(SCOPES), {make.KIND_SOURCES[kind]})
    needed = "tests/properties/model.py: World.items gives no items of a source of kind"
    assert items, f"{needed} {kind}"


@pytest.mark.parametrize("name", PARTS)
def test_partial_search_covers_every_part(name: str) -> None:
    """Words are not looked up where a source is one record."""
    kinds = [SOURCE_KINDS[kind] for kind in PARTS[name]]
    if any(kind.is_counted or not kind.is_single for kind in kinds):
        assert name.replace("find", "rank") in statements(), f"sql/search/kinds/: {name}"
        part = f'Part("{name.removeprefix("search/find_")}", '
        assert part in (ROOT / PLANS).read_text(), f"{PLANS}: PARTS has no {part}"


def test_every_kind_of_search_item_is_documented_and_tested() -> None:
    world = World([*library.records()])
    tested = {item.kind for item in world.items(set(SCOPES), set(world.kinds))}
    for kind in ITEM_HREFS:
        assert kind in document.item_kinds(), f"docs/contract.md: 2.6.2 does not list {kind}"
        assert kind in tested, f"tests/properties: add {kind} to library.py and World.items"
        assert f'"{kind}"' in (ROOT / PEERS).read_text(), f"{PEERS} has no {kind}"


def test_contract_lists_every_scope() -> None:
    assert document.scopes() == list(SCOPES), "docs/contract.md: 2.3.1 does not list SCOPES"
