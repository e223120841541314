"""Folders and manifests as assets, through the command and back through the API."""

from __future__ import annotations

import json
import mimetypes
import re
from pathlib import Path

import pytest

from orgctx.importers import ImportRejected
from orgctx.importers.assets import importer as assets
from orgctx.importers.assets.mime_types import TYPES, mime_of
from tests.importers.conftest import STAMPED_AT, Read, Run, Write, convert, imported, unchanged

SOURCE = "assets:main"
MIME = re.compile(r"[a-z]+/[a-z0-9.+-]+")


@pytest.fixture
def folder(write: Write) -> Path:
    write("files/brand/logo.png", b"1234")
    write("files/brand/old/logo.svg", b"<svg/>")
    return write("files/readme", b"").parent


def test_folder_reads_back(run: Run, read: Read, folder: Path) -> None:
    assert run("assets", folder, source=SOURCE).json()["types"]["asset"]["created"] == 5
    assert unchanged(run("assets", folder, source=SOURCE).json())
    brand, readme = read("/assets")
    assert brand.items() >= {"name": "brand", "kind": "folder", "mime": None, "bytes": 0}.items()
    assert (readme["mime"], readme["bytes"], readme["public"]) == (None, 0, False)
    old, logo = read(f"/assets?folderId={brand['id']}")
    assert (logo["name"], logo["mime"], logo["bytes"]) == ("logo.png", "image/png", 4)
    assert logo["updatedAt"] == STAMPED_AT
    assert read(f"/assets?folderId={old['id']}")[0]["mime"] == "image/svg+xml"


def test_missing_file_is_deleted_unless_kept(run: Run, read: Read, folder: Path) -> None:
    run("assets", folder, source=SOURCE).json()
    (folder / "brand" / "old" / "logo.svg").unlink()
    (folder / "brand" / "old").rmdir()
    assert run("assets", folder, source=SOURCE, options=("--keep-missing",)).json()["deleted"] == 0
    run("assets", folder, source=SOURCE).json()
    brand = read("/assets")[0]
    assert [asset["name"] for asset in read(f"/assets?folderId={brand['id']}")] == ["logo.png"]


def test_data_package_reads_back(run: Run, read: Read, write: Write) -> None:
    resources = [
        {"name": "a", "path": "data/a.csv", "bytes": 7, "mediatype": "text/csv"},
        {"name": "b", "path": ["data/b.csv", "beside.txt"]},
        {"name": "c", "data": [1]},
    ]
    write("beside.txt", b"12345")
    package = write("datapackage.json", {"name": "p", "resources": resources})
    result = run("assets", package, source=SOURCE)
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert report["refused"]["first"] == [
        "datapackage.json: resources[1]: bytes must be a non-negative integer",
        "datapackage.json: resources[2]: path must be relative, with / between names",
    ]
    data, beside = read("/assets")
    assert (beside["name"], beside["bytes"]) == ("beside.txt", 5)
    (a,) = read(f"/assets?folderId={data['id']}")
    assert (a["mime"], a["bytes"]) == ("text/csv", 7)


def test_csv_manifest_reads_back(run: Run, read: Read, write: Write) -> None:
    lines = [
        "path,bytes,mime,public,publicUrl,updatedAt",
        "logo.png,10,,true,https://example.com/logo.png,2025-01-01T00:00:00Z",
        '"a, b.pdf",20,application/pdf,,,',
    ]
    path = write("files.csv", "\n".join(lines))
    run("assets", path, source=SOURCE).json()
    assert unchanged(run("assets", path, source=SOURCE).json())
    pdf, logo = read("/assets")
    assert (pdf["name"], pdf["bytes"], pdf["mime"]) == ("a, b.pdf", 20, "application/pdf")
    assert logo["public"] is True
    assert logo["publicUrl"] == "https://example.com/logo.png"
    assert logo["updatedAt"] == "2025-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("../etc/passwd,1", "path must be"),
        ("/etc/passwd,1", "path must be"),
        ("https://example.com/a,1", "path must be"),
        (",1", "path must be"),
        ("a,-1", "bytes must be"),
        ("a,1e3", "bytes must be"),
        ("a," + "9" * 40, "bytes must be"),
        ("a,", "bytes must be"),
        ("ok,1", "is listed twice"),
        ("a,1,true,https://a b", "publicUrl must be an http or https URL"),
        ("a,1,true,http://", "publicUrl must be an http or https URL"),
        ("ok/inside,1", "as a file and as a folder"),
    ],
)
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


def test_empty_manifest_and_rejected_line_keep_stored_files(
    run: Run, read: Read, write: Write
) -> None:
    path = write("files.csv", "path,bytes\na/b.txt,1\nc.txt,2\nd.txt,3\n")
    run("assets", path, source=SOURCE).json()
    write("files.csv", "path,bytes\na/b.txt,-1\nc.txt,2\n")
    report = json.loads(run("assets", path, source=SOURCE).stdout)
    assert report["deleted"] == 1
    assert [asset["name"] for asset in read("/assets")] == ["a", "c.txt"]
    write("files.csv", "path,bytes\n")
    assert "pass --allow-empty" in run("assets", path, source=SOURCE).stderr
    assert run("assets", path, source=SOURCE, options=("--allow-empty",)).json()["deleted"] == 3


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.csv", b"name\nx\n", "needs a column path; columns are path, bytes"),
        ("a.csv", b"path\n\xff\n", "byte 5: is not UTF-8"),
        ("a.csv", b'path\n"open', "a.csv: line"),
        ("a.json", b"{", "line 1 column"),
        ("a.json", b"[]", "is not a data package"),
        ("a.txt", b"", "must be a folder"),
    ],
)
def test_manifest_error_names_the_position(
    write: Write, name: str, content: bytes, reason: str
) -> None:
    with pytest.raises(ImportRejected, match=r"^a\.") as refused:
        convert(assets, write(name, content))
    assert reason in str(refused.value)


def test_folder_of_a_list_is_as_old_as_its_newest_file(write: Write) -> None:
    lines = [
        "path,bytes,updatedAt",
        "old/deep/a.txt,1,2020-01-01T00:00:00Z",
        "old/b.txt,1,2021-01-01T00:00:00Z",
        "new/c.txt,1,2025-01-01T00:00:00Z",
    ]
    items, _ = imported(assets, write("files.csv", "\n".join(lines)))
    folders = {data["name"]: data["updatedAt"] for data in items if data["kind"] == "folder"}
    assert folders == {
        "old": "2021-01-01T00:00:00Z",
        "deep": "2020-01-01T00:00:00Z",
        "new": "2025-01-01T00:00:00Z",
    }
