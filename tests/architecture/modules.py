"""The syntax trees of the package's modules, and the strings in them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "orgctx"
MODULES = {path: ast.parse(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}


def strings(tree: ast.AST) -> Iterator[str]:
    """A module's strings except docstrings; an f-string becomes a pattern."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+"
                for part in node.values
            )
            yield "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield "" if id(node) in docstrings else node.value
