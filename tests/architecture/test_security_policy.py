"""SECURITY.md gives secret scanners a working pattern and checksum, and names existing tests."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from orgctx.key_format import BASE62, PREFIX, generate

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/SECURITY.md").read_text("utf-8")
KEYS = [generate() for _ in range(200)]


def block(language: str) -> str:
    (content,) = re.findall(rf"^```{language}\n(.*?)\n```$", TEXT, re.DOTALL | re.MULTILINE)
    return str(content)


@pytest.fixture(scope="module")
def pattern() -> re.Pattern[str]:
    return re.compile(block("regex"))


@pytest.fixture(scope="module")
def is_key() -> Callable[[str], bool]:
    names: dict[str, Any] = {}
    exec(block("python"), names)  # as a reader would run it
    function: Callable[[str], bool] = names["is_key"]
    return function


@pytest.mark.parametrize("line", ["{}", "KEY={}", '"{}"', "Bearer {}\n", "https://h/?key={}&a=b"])
def test_policy_pattern_finds_every_key(
    pattern: re.Pattern[str], is_key: Callable[[str], bool], line: str
) -> None:
    for key in KEYS:
        assert pattern.findall(line.format(key)) == [key]
        assert is_key(key)


def test_policy_pattern_skips_lookalikes(pattern: re.Pattern[str]) -> None:
    for key in KEYS:
        suffix = key.removeprefix(PREFIX)
        for lookalike in (
            key[:-1], f"{key}a", f"x{key}", key.upper(), f"octx-{suffix}", f"octa_{suffix}",
            f"{PREFIX}{suffix[:20]}-{suffix[21:]}", f"{PREFIX}{suffix[:-1]}é", suffix,
        ):  # fmt: skip
            assert pattern.search(lookalike) is None, lookalike


def test_policy_checksum_detects_each_wrong_character(is_key: Callable[[str], bool]) -> None:
    random = Random(1)
    for key in KEYS:
        for index in range(len(PREFIX), len(key)):
            character = random.choice(BASE62.replace(key[index], ""))
            assert not is_key(key[:index] + character + key[index + 1 :])


def test_policy_names_existing_tests() -> None:
    folder = ""
    for name in re.findall(r"`((?:tests/)?[\w/]*test_\w+\.py|tests/\w+)`", TEXT):
        folder = name.rpartition("/")[0] or folder
        path = ROOT / (name if "/" in name else f"{folder}/{name}")
        assert path.exists(), path
