"""SECURITY.md explains to scanners how to find a key, and names existing tests."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from orgctx.keys import BASE62, PREFIX, generate

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "SECURITY.md").read_text("utf-8")
KEYS = [generate() for _ in range(200)]


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)\n```$", TEXT, re.DOTALL | re.MULTILINE)
    return str(found)


@pytest.fixture(scope="module")
def pattern() -> re.Pattern[str]:
    return re.compile(block("regex"))


@pytest.fixture(scope="module")
def is_key() -> Callable[[str], bool]:
    names: dict[str, Any] = {}
    exec(block("python"), names)  # as a reader would run it
    found: Callable[[str], bool] = names["is_key"]
    return found


@pytest.mark.parametrize("around", ["{}", "KEY={}", '"{}"', "Bearer {}\n", "https://h/?key={}&a=b"])
def test_policy_pattern_finds_every_key(
    pattern: re.Pattern[str], is_key: Callable[[str], bool], around: str
) -> None:
    for key in KEYS:
        assert pattern.findall(around.format(key)) == [key]
        assert is_key(key)


def test_policy_pattern_skips_lookalikes(pattern: re.Pattern[str]) -> None:
    for key in KEYS:
        random = key.removeprefix(PREFIX)
        for other in (
            key[:-1], f"{key}a", f"x{key}", key.upper(), f"octx-{random}", f"octa_{random}",
            f"{PREFIX}{random[:20]}-{random[21:]}", f"{PREFIX}{random[:-1]}é", random,
        ):  # fmt: skip
            assert pattern.search(other) is None, other


def test_policy_checksum_finds_every_wrong_character(is_key: Callable[[str], bool]) -> None:
    random = Random(1)
    for key in KEYS:
        for at in range(len(PREFIX), len(key)):
            other = random.choice(BASE62.replace(key[at], ""))
            assert not is_key(key[:at] + other + key[at + 1 :])


def test_policy_names_existing_tests() -> None:
    folder = ""
    for name in re.findall(r"`((?:tests/)?[\w/]*test_\w+\.py|tests/\w+)`", TEXT):
        folder = name.rpartition("/")[0] or folder
        path = ROOT / (name if "/" in name else f"{folder}/{name}")
        assert path.exists(), path
