"""The types of assets."""

import pytest

from orgctx.importers import assets
from tests.importers.conftest import Write, imported


@pytest.mark.parametrize(
    ("name", "mime"),
    [
        ("a.md", "text/markdown"),
        ("a.YAML", "application/yaml"),
        ("a.pdf", "application/pdf"),
        ("a.webp", "image/webp"),
        ("a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("a.zzz", None),
        ("png", None),
    ],
)
def test_type_follows_from_the_suffix(write: Write, name: str, mime: str | None) -> None:
    ((data,), _) = imported(assets, write(f"files/{name}", "").parent)
    assert data["mime"] == mime
