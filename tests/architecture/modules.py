"""The syntax trees of the package's modules, and the strings in them."""

import ast
import re
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "orgctx"
MODULES = {path: ast.parse(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}


@cache
def nodes(tree: ast.AST) -> list[ast.AST]:
    return [*ast.walk(tree)]


@cache
def strings(tree: ast.AST) -> list[str]:
    """A module's strings except docstrings; an f-string becomes a pattern."""
    docstrings = {
        id(node.body[0].value)
        for node in nodes(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    texts = []
    for node in nodes(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+"
                for part in node.values
            )
            texts.append("".join(parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.append("" if id(node) in docstrings else node.value)
    return texts
