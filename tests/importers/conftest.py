"""An organization without sources, and how imports of files run in it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from orgctx.embedded import Servers
from tests.support import factories as f
from tests.support.deployment import Deployment, Result, as_template, copied

SAMPLES = Path(__file__).parents[2].parent / "shared" / "samples"
STAMP = 1_780_000_000

needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the samples are not here")


@pytest.fixture(scope="session")
def staffed_template(servers: Servers, template: str) -> Iterator[str]:
    """The name of a database with Acme and its staff, to copy."""
    with copied(servers, template) as deployment:
        deployment.load([f.organization(), *f.staff()])
        yield as_template(deployment)


@pytest.fixture
def acme(servers: Servers, staffed_template: str, redis_url: str) -> Iterator[Deployment]:
    with copied(servers, staffed_template) as deployment:
        yield deployment


@pytest.fixture
def run(acme: Deployment) -> Callable[..., Result]:
    """`run("telegram", file, source="telegram:main")` runs the command and returns its report."""

    def run_import(what: str, *paths: object, source: str, options: tuple[str, ...] = ()) -> Result:
        where = ("--organization", "acme", "--source", source)
        return acme.cli("import", what, *paths, *where, *options, "--json")

    return run_import


@pytest.fixture
def read(acme: Deployment) -> Callable[[str], Any]:
    """`read("/knowledge")` approves everything and returns the API's answer."""

    def read_path(path: str) -> Any:
        acme.approve(f.ACME, f.OWNER)
        key = acme.issue_key(f.ACME, f.OWNER)
        with acme.app() as app:
            answer = app.test_client().get(
                f"/api/v1{path}", headers={"Authorization": f"Bearer {key}"}
            )
        assert answer.status_code == 200, answer.text
        return json.loads(answer.data)["data"]

    return read_path


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """`write("a.json", value)` makes a file of JSON, text or bytes with a fixed time."""

    def write_file(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(content, str | bytes):
            content = json.dumps(content, ensure_ascii=False, indent=1)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        os.utime(path, (STAMP, STAMP))
        return path

    return write_file


def unchanged(report: dict[str, Any]) -> bool:
    """Whether an import found everything as it was."""
    return not (report["created"] or report["updated"] or report["deleted"])
