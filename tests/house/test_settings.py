"""`.env.example` documents exactly the settings that exist, with their defaults."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from pathlib import Path

from orgctx.config import Config

EXAMPLE = (Path(__file__).parents[2] / ".env.example").read_text("utf-8")
LINE = re.compile(r"^(#?)ORGCTX_([A-Z0-9_]+)=(.*)$", re.MULTILINE)


def test_every_setting_is_documented() -> None:
    names = [name.lower() for _, name, _ in LINE.findall(EXAMPLE)]
    assert sorted(names) == sorted(field.name for field in fields(Config))


def test_defaults_are_shown() -> None:
    shown = {name.lower(): value for _, name, value in LINE.findall(EXAMPLE)}
    for field in fields(Config):
        if field.default not in (MISSING, (), ""):
            value = shown[field.name]
            assert type(field.default)(value) == field.default, field.name


def test_only_what_is_required_is_set() -> None:
    given = {name.lower() for mark, name, _ in LINE.findall(EXAMPLE) if not mark}
    assert given == {"database_url", "redis_url"}


def test_every_setting_is_explained() -> None:
    """There is a comment above each setting, or above its group."""
    for block in EXAMPLE.strip().split("\n\n"):
        assert re.match(r"# \S", block), block
