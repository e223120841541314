"""Folders and manifests as assets, through the command and back through the API."""

import mimetypes
import re

import pytest

from orgctx.importers import ImportRejected, assets
from orgctx.importers.assets import TYPES, mime_of
from tests.importers.conftest import Write, convert, imported, rows

MIME = re.compile(r"[a-z]+/[a-z0-9.+-]+")


@pytest.mark.parametrize(("line", "reason"), rows("texts", "manifest_line_error_names_the_line"))
def test_manifest_line_error_names_the_line(write: Write, line: str, reason: str) -> None:
    path = write("files.csv", f"path,bytes,public,publicUrl\nok,1\n{line}\n")
    files, report = imported(assets, path)
    assert [data["name"] for data in files] == ["ok"]
    (refused,) = report.refused
    assert refused.startswith("files.csv: line 3: ")
    assert reason in refused


def test_mime_type_does_not_depend_on_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(mimetypes.types_map, ".zzz", "text/of-this-machine")
    monkeypatch.setitem(mimetypes.types_map, ".yaml", "text/of-this-machine")
    assert mime_of("a.zzz") is None
    suffixes = "yaml toml ipynb parquet tsx go rs ts jsonl ics key md pdf png docx zip mp4"
    assert all(mime_of(f"a.{suffix.upper()}") for suffix in suffixes.split())
    assert mime_of("a.yaml") == "application/yaml"
    assert all(MIME.fullmatch(mime) for mime in TYPES.values())
    assert not any(mime_of(name) for name in (".png", "png", "a."))


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.csv", b"name\nx\n", "needs a column path; columns are path, bytes"),
        ("a.csv", b"path\n\xff\n", "byte 5: is not UTF-8"),
        ("a.csv", b'path\n"open', "a.csv: line"),
        ("a.txt", b"", "must be a folder"),
    ],
)
def test_manifest_error_names_the_position(
    write: Write, name: str, content: bytes, reason: str
) -> None:
    with pytest.raises(ImportRejected, match=r"^a\.") as refused:
        convert(assets, write(name, content))
    assert reason in str(refused.value)
