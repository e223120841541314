"""One module imports each private name of a library, and each library that may be replaced.

Any release may change a private name; then only that module changes.
"""

import ast
from collections.abc import Iterator

from tests.architecture.modules import MODULES, PACKAGE, nodes

ONLY_IN = {
    "yoyo": "cli/database/yoyo_backend.py",
    "opentelemetry": "observability/traces.py",
    "psycopg._conninfo_attempts": "config/urls.py",
}


def imports(tree: ast.Module) -> Iterator[str]:
    """The dotted names that a module and its functions import."""
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{one.name}" for one in node.names)


def restricted(name: str) -> str | None:
    """The entry of ONLY_IN that covers a name, or the name itself if it is private."""
    for one in ONLY_IN:
        if f"{name}.".startswith(f"{one}."):
            return one
    parts = name.split(".")
    is_private = any(part[0] == "_" and not part.startswith("__") for part in parts)
    return name if is_private and parts[0] != "orgctx" else None


def found() -> dict[str, set[str]]:
    """Where each restricted name is imported."""
    places: dict[str, set[str]] = {}
    for path, tree in MODULES.items():
        for name in imports(tree):
            if one := restricted(name):
                places.setdefault(one, set()).add(path.relative_to(PACKAGE).as_posix())
    return places


def test_restricted_names_are_imported_in_one_module() -> None:
    assert found() == {name: {path} for name, path in ONLY_IN.items()}


# One function opens the archives that importers read, because it limits what ZipFile reads


OPENER = PACKAGE / "importers/formats/package.py"
OPENERS = ("ZipFile", "is_zipfile", "unpack_archive")


def test_archives_are_opened_within_limits() -> None:
    calls = [
        f"{path.relative_to(PACKAGE)}: line {node.lineno}"
        for path, tree in MODULES.items()
        for node in nodes(tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", getattr(node.func, "attr", "")) in OPENERS
        and not is_written(node)
        and path != OPENER
    ]
    assert not calls, f"call orgctx.importers.formats.package.open_package instead: {calls}"


def is_written(call: ast.Call) -> bool:
    mode = call.args[1] if len(call.args) > 1 else None
    return isinstance(mode, ast.Constant) and mode.value == "w"
