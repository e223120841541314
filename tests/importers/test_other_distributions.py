"""Another distribution adds or replaces a format by an entry point."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from orgctx.importers.formats import by_suffix
from tests.importers.conftest import Write, folders, imported
from tests.support.processes import need

CALLING = """
import subprocess
def convert(content):
    command = ["pandoc", "--from", "odt", "--to", "gfm"]
    return subprocess.run(command, input=content, capture_output=True, check=True).stdout.decode()
def shout(content):
    return content.decode().upper()
"""


@pytest.fixture
def _formats(write: Write, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A distribution with formats, as its metadata declares them, is installed."""
    site = write("site/acme_format.py", CALLING).parent
    metadata = "Metadata-Version: 2.1\nName: acme-format\nVersion: 1.0\n"
    write("site/acme_format-1.0.dist-info/METADATA", metadata)
    entry = "[orgctx.formats]\nodt = acme_format:convert\nadoc = acme_format:shout\n"
    write("site/acme_format-1.0.dist-info/entry_points.txt", entry)
    monkeypatch.syspath_prepend(site)
    by_suffix.cache_clear()
    yield
    sys.modules.pop("acme_format", None)
    by_suffix.cache_clear()


@pytest.mark.system
@pytest.mark.usefixtures("_formats")
def test_format_of_another_distribution_may_call_pandoc(write: Write) -> None:
    need("pandoc")
    write("docs/b.odt", "no archive")
    command = ["pandoc", "--to", "odt", "--output", "-"]
    words = subprocess.run(command, input=b"Words", capture_output=True, check=True).stdout
    items, report = imported(folders, write("docs/a.odt", words).parent)
    assert [(data["title"], data["content"]) for data in items] == [("a", "Words\n")]
    assert report.as_json()["refused"]["count"] == 1


@pytest.mark.usefixtures("_formats")
def test_format_of_another_distribution_replaces_ours(write: Write) -> None:
    items, _ = imported(folders, write("docs/a.adoc", "words").parent)
    assert [data["content"] for data in items] == ["WORDS\n"]
