"""A folder of each site generator and note program becomes the documents of trees.yaml."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.importers.conftest import STAMPED_AT, Write, imported, markdown
from tests.importers.office import archive

TREES = yaml.load(Path(__file__).with_name("trees.yaml").read_text("utf-8"), yaml.CBaseLoader)
DEFAULTS = {
    "contentFormat": "markdown", "visibility": "public", "sourceStatus": "current",
    "createdAt": STAMPED_AT, "updatedAt": STAMPED_AT,
}  # fmt: skip


def texts(tree: dict[str, Any]) -> dict[str, str]:
    """The text of each file of a tree by its path; a path that ends with / is a folder."""
    groups = [tree.get("unread", {})]
    for section in ("kept_back", "skipped", "refused"):
        groups += tree.get(section, {}).values()
    files = {path: document["text"] for path, document in tree["documents"].items()}
    return {path: text for group in (files, *groups) for path, text in group.items()}


@pytest.mark.parametrize("name", TREES)
def test_tree_becomes_its_documents(write: Write, tmp_path: Path, name: str) -> None:
    tree, path = TREES[name], tmp_path / "tree"
    files = texts(tree)
    if name.endswith(".zip"):
        path = write(name, archive(files))
    else:
        for file, text in files.items():
            write(f"tree/{file}.keep" if file.endswith("/") else f"tree/{file}", text)
    documents, outcome = imported(markdown, path)
    expected = {
        document["title"]: {**DEFAULTS, "content": document["text"], **document}
        for document in tree["documents"].values()
    }
    fields = ("title", "content", *DEFAULTS)
    assert {data["title"]: {field: data[field] for field in fields} for data in documents} == {
        title: {field: document[field] for field in fields} for title, document in expected.items()
    }
    outcome.skipped.pop("comment", None)  # of test_hidden.py
    reasons = tree.get("skipped", {}) | {
        f"not published: {reason}": files for reason, files in tree.get("kept_back", {}).items()
    }
    assert {reason: sorted(skip.examples) for reason, skip in outcome.skipped.items()} == {
        reason: sorted(path.rstrip("/") for path in files) for reason, files in reasons.items()
    }
    assert outcome.refused == [
        f"{path}: {reason}" for reason, files in tree.get("refused", {}).items() for path in files
    ]
