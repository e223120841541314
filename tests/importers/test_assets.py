"""The types of assets."""

import mimetypes
import re

import pytest

from orgctx.importers.assets import TYPES, mime_of

MIME = re.compile(r"[a-z]+/[a-z0-9.+-]+")


def test_mime_type_does_not_depend_on_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(mimetypes.types_map, ".zzz", "text/of-this-machine")
    monkeypatch.setitem(mimetypes.types_map, ".yaml", "text/of-this-machine")
    assert mime_of("a.zzz") is None
    suffixes = "yaml toml parquet ts jsonl md pdf png docx zip mp4"
    assert all(mime_of(f"a.{suffix.upper()}") for suffix in suffixes.split())
    assert mime_of("a.yaml") == "application/yaml"
    assert all(MIME.fullmatch(mime) for mime in TYPES.values())
    assert not any(mime_of(name) for name in (".png", "png", "a."))
