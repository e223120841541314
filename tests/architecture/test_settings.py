"""`.env.example` documents exactly the settings that exist, with their defaults."""

import re
from dataclasses import MISSING, fields
from pathlib import Path

from orgctx.config.settings import Config

ROOT = Path(__file__).parents[2]
EXAMPLE = (ROOT / ".env.example").read_text("utf-8")
LINE = re.compile(r"^(#?)ORGCTX_([A-Z0-9_]+)=(.*)$", re.MULTILINE)


def test_settings_are_documented_with_their_defaults() -> None:
    lines = LINE.findall(EXAMPLE)
    shown = {name.lower(): value for _, name, value in lines}
    assert (len(lines), {*shown}) == (len(shown), {field.name for field in fields(Config)})
    given = {name.lower() for mark, name, _ in lines if not mark}
    assert given == {"database_url", "redis_url"}
    for field in fields(Config):
        if field.default not in (MISSING, (), ""):
            value, kind = shown[field.name], type(field.default)
            read = value == "true" if kind is bool else kind(value)
            assert read == field.default, field.name


def test_settings_have_comments() -> None:
    """There is a comment above each setting, or above its group."""
    for block in EXAMPLE.strip().split("\n\n"):
        assert re.match(r"# \S", block), block


def test_pages_and_manifests_name_existing_settings() -> None:
    ours = ("deploy/compose.yaml", "deploy/proxies/Caddyfile")
    variables = "".join((ROOT / path).read_text("utf-8") for path in ours)
    tests = "".join(path.read_text("utf-8") for path in ROOT.glob("tests/**/*.py"))
    known = {field.name.upper() for field in fields(Config)} | {"API_KEY"}
    known |= {*re.findall(r"(?:\$\{|\{\$)ORGCTX_(\w+)", variables)}
    known |= {*re.findall(r"ORGCTX_(TEST_\w+)", tests)}
    pages = [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]
    for path in (*pages, *ROOT.glob("deploy/**/*.y*ml"), *ROOT.glob("deploy/systemd/*")):
        names = {*re.findall(r"\bORGCTX_(\w*[A-Z])\b", path.read_text("utf-8"))}
        assert names <= known, path
