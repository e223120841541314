"""Stored texts are compared and searched in one module, which limits its work."""

import ast

from tests.architecture.modules import MODULES, PACKAGE, nodes

HOME = "operations/stored_text.py"
LAYERS = ("resources", "operations", "mcp")
# What folds, matches or compares texts.
MODULES_OF_TEXT = {"re", "difflib", "unicodedata"}
FUNCTIONS = {"orgctx.schemas.text": {"fold", "normal_form", "term_pattern"}}
METHODS = {"casefold", "splitlines", "translate", "finditer", "findall"}
# Other modules that do, and why they take little time whatever is stored.
EXCEPTIONS = {
    "operations/titles.py": "splits links of at most 2,048 characters, of one page of documents",
    "resources/search/items.py": "folds a term, and one letter of a text",
    "resources/search/words.py": "splits q, which has at most 200 characters",
    "resources/telegram/service.py": "compares the labels of at most 1,000 sources",
    "mcp/visibility.py": "looks for names of tools in our own texts",
    "mcp/tools.py": "matches arguments, which are no stored texts",
}


def works_on_texts(tree: ast.AST) -> bool:
    for node in nodes(tree):
        if isinstance(node, ast.Import) and MODULES_OF_TEXT & {each.name for each in node.names}:
            return True
        if isinstance(node, ast.ImportFrom):
            names = {each.name for each in node.names}
            if node.module in MODULES_OF_TEXT or names & FUNCTIONS.get(node.module or "", set()):
                return True
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            return True
    return False


def test_texts_are_compared_in_one_module() -> None:
    """orgctx/operations/stored_text.py yields to other greenlets, and ends at a limit."""
    paths = {
        path.relative_to(PACKAGE).as_posix(): tree
        for path, tree in MODULES.items()
        if path.relative_to(PACKAGE).parts[0] in LAYERS
    }
    found = {path for path, tree in paths.items() if works_on_texts(tree)}
    assert found == {HOME, *EXCEPTIONS}
