"""An organization without sources, and how imports of files run in it."""

import json
import os
from collections.abc import Callable
from functools import cache
from operator import mul
from pathlib import Path
from typing import Any

import pytest
import yaml

from orgctx.importers.folder import importer
from orgctx.importers.records import Existing, Target
from orgctx.importers.report import Report
from tests.conftest import copy_of, template_with
from tests.support import factories as make
from tests.support.deployment import Deployment, Result

# The importer of folders and single files.
folders = importer
Run = Callable[..., Result]
Read = Callable[[str], Any]
Write = Callable[..., Path]
STAMP = 1_780_000_000
STAMPED_AT = "2026-05-28T20:26:40Z"
FRONT = "---\ntitle: From above\ndate: 2024-03-01\nupdated: 2024-04-01T10:00:00+02:00\n---\n\n"


# Acme and its staff, without sources.
STAFF = [make.organization(), *make.staff()]
staffed_template = template_with(lambda deployment: deployment.load(STAFF))
acme = copy_of("staffed_template", "function")


@pytest.fixture
def run(acme: Deployment) -> Run:
    """`run("telegram", file, source="telegram:main")` runs the command and returns its result."""

    def run_import(
        importer: str, *paths: object, source: str, options: tuple[str, ...] = ()
    ) -> Result:
        target = ("--organization", "acme", "--source", source)
        return acme.cli("import", importer, *paths, *target, *options, "--json")

    return run_import


@pytest.fixture
def read(acme: Deployment) -> Read:
    """`read("/knowledge")` approves everything and returns the data of the API's response."""

    def read_path(path: str) -> Any:
        acme.approve(make.ACME, make.OWNER)
        key = acme.issue_key(make.ACME, make.OWNER)
        with acme.client(key) as client:
            response = client.get(f"/api/v1{path}")
        assert response.status_code == 200, response.text
        return json.loads(response.data)["data"]

    return read_path


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """`write("a.json", value)` writes a file of JSON, text or bytes with a fixed time."""

    def write_file(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(content, str | bytes):
            content = json.dumps(content, ensure_ascii=False, indent=1)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        os.utime(path, (STAMP, STAMP))
        return path

    return write_file


@pytest.fixture
def handbook(write: Write) -> Path:
    """A folder of 20 documents."""
    for number in range(20):
        write(f"handbook/{number:02}.md", f"# Page {number}\n")
    return write("handbook/00.md", "# Page 0\n").parent


def count_stored(acme: Deployment) -> int:
    """The number of stored documents."""
    ((count,),) = acme.execute("SELECT count(*) FROM knowledge")
    return int(count)


def ids(read: Read) -> dict[str, str]:
    """The ids of the documents that the API shows, by title."""
    return {item["title"]: item["id"] for item in read("/knowledge")}


class TableLoader(yaml.CSafeLoader):
    """Reads `!text [a, [b, 3]]` as `abbb`."""


def _text(loader: TableLoader, node: yaml.SequenceNode) -> str:
    parts = loader.construct_sequence(node, deep=True)
    return "".join(part if isinstance(part, str) else mul(*part) for part in parts)


TableLoader.add_constructor("!text", _text)


@cache
def tables(name: str) -> dict[str, Any]:
    """The tables of a file beside this one."""
    text = Path(__file__).with_name(f"{name}.yaml").read_text("utf-8")
    content: dict[str, Any] = yaml.load(text, TableLoader)
    return content


def rows(name: str, test: str) -> list[Any]:
    """The rows of a test, to be its parameters."""
    rows: list[Any] = tables(name)[test]
    return rows


def convert(
    importer: Any, path: Path | list[Path], report: Report | None = None, **options: Any
) -> list[dict[str, Any]]:
    """The records that an importer makes, without a database.

    Args:
        importer: a module with a function `records`.
        options: the fields of its target, instead of the defaults here, and its arguments.
    """
    target = Target(
        options.pop("organization_id", make.ACME),
        options.pop("source_id", "source:main"),
        options.pop("existing", Existing()),
        options.pop("stale_after_seconds", None),
    )
    return list(importer.records(path, target=target, report=report or Report(), **options))


def imported(
    importer: Any, path: Path | list[Path], **options: Any
) -> tuple[list[dict[str, Any]], Report]:
    """The data of the items that an importer makes, without sources and chats, and its report."""
    report = Report()
    records = convert(importer, path, report, **options)
    parents = ("source", "telegram.chat")
    return [record["data"] for record in records if record["type"] not in parents], report


def unchanged(report: dict[str, Any]) -> bool:
    """Whether an import found everything as it was."""
    return not (report["created"] or report["updated"] or report["deleted"])


@pytest.fixture
def folder(write: Write) -> Path:
    """A small handbook."""
    write("handbook/index.md", FRONT + "# Welcome\n\nSee [the guide](guide/start.md).\r\n")
    write("handbook/guide/start.mdx", "```sh\n# no heading\n```\n\nGetting started\n===\n\nText")
    write("handbook/notes.txt", "---\nplain: text\n---\n# as it is")
    write("handbook/draft.md", "---\ndraft: true\n---\nNot yet")
    write("handbook/secret.md", "---\npublish: false\n---\nNever")
    write("handbook/logo.png", b"\x89PNG")
    write("handbook/.git/config.md", "hidden")
    folder = write("handbook/bare.md", "No heading").parent
    (folder / "inside.md").symlink_to(write("outside.md", "private"))
    return folder
