"""Walking the `$ref`s of a document."""

from collections.abc import Iterator
from typing import Any


def references(node: Any) -> Iterator[str]:
    """Every `$ref` below a node."""
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for member in node.values():
            yield from references(member)
    elif isinstance(node, list):
        for item in node:
            yield from references(item)


def resolve(document: dict[str, Any], reference: str) -> Any:
    """What a `$ref` points to. Raises KeyError where it dangles."""
    node: Any = document
    for name in reference.removeprefix("#/").split("/"):
        node = node[name.replace("~1", "/").replace("~0", "~")]
    return node


def followed(document: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    """A node, or what it refers to."""
    while "$ref" in node:
        node = resolve(document, node["$ref"])
    return node
