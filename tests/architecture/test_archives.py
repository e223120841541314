"""One function opens the archives that importers read, because it limits what ZipFile reads."""

import ast

from tests.architecture.modules import MODULES, PACKAGE, nodes

OPENER = PACKAGE / "importers" / "archive.py"
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
    assert not calls, f"call orgctx.importers.archive.opened instead: {calls}"


def is_written(call: ast.Call) -> bool:
    mode = call.args[1] if len(call.args) > 1 else None
    return isinstance(mode, ast.Constant) and mode.value == "w"
