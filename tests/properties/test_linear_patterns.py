"""Every regular expression takes linear time for every text, because most texts are untrusted.

Python's matching backtracks: `<h1>.*</h1>` takes quadratic time for a text of `<h1>`, and nothing
interrupts it in a thread. Each pattern gets texts that nearly match: a match with a repeated part.
"""

import ast
import gc
import re
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from itertools import combinations
from time import thread_time
from typing import Any

import pytest
from hypothesis import Phase, given, seed, settings
from hypothesis.strategies import from_regex

from orgctx.schemas.fields import Text
from tests.architecture.modules import MODULES, PACKAGE

pytestmark = pytest.mark.thorough

# Read only SQL of this repository.
TRUSTED = ("orgctx.stores.", "orgctx.cli.database.")
SEARCHING = ("sub", "subn", "split", "findall", "finditer", "search")
METHODS = {*SEARCHING, "match", "fullmatch"}
# A text FACTOR times as long takes as many times as long, or the square of it if the time is
# quadratic. What noise may have caused is decided by a text so long that a quadratic match takes
# seconds and a linear one a twentieth of the limit.
SHORT, FACTOR, LONG = 250, 8, 100_000
SUSPICIOUS_SECONDS, MOST_SECONDS = 0.001, 1.0
SEEDS, LONGEST_SEED = 6, 8
ESCAPE_OR_SET = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
POSSESSIVE_GROUP = re.compile(r"\((?:\?:)?([^()]*(?:\([^()]*\)[^()]*)*)\)[*+?}]\+")
BACKTRACKING = re.compile(r"(?<![(*+?}])[*+?}](?!\+)|\(\?<?[!=]")
# Each test takes every so-manyth pattern.
PARTS = 80
# The shortest of so many matches become seeds.
MATCHES = 8


def modules() -> Iterator[tuple[str, ast.AST]]:
    for path, tree in MODULES.items():
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        if parts[-1] != "__main__" and not name.startswith(TRUSTED):
            yield name, tree


def compiled(value: Any) -> Iterator[re.Pattern[Any]]:
    """The patterns in a value of a module."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from (pattern for item in value.values() for pattern in compiled(item))
    elif isinstance(value, list | tuple | set):
        yield from (pattern for item in value for pattern in compiled(item))


@cache
def patterns() -> list[tuple[re.Pattern[Any], frozenset[str]]]:
    """Every pattern, with the methods that are called: on any pattern if unknown."""
    # By module: the methods that are called on each of its names.
    calls: dict[str, dict[str, set[str]]] = {}
    for name, tree in modules():
        origins = imported(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                variable = node.value.id
                called = calls.setdefault(origins.get(variable, name), {})
                called.setdefault(variable, set()).add(node.attr)
    found: dict[re.Pattern[Any], set[str]] = {}
    for name, called in calls.items():
        if "re" not in called:
            continue
        any_methods = METHODS & set().union(*called.values())
        for variable, value in vars(import_module(name)).items():
            known = METHODS & called.get(variable, set())
            for pattern in compiled(value):
                found.setdefault(pattern, set()).update(known or any_methods)
    gc.unfreeze()  # what was frozen when all tests were collected
    for field in gc.get_objects():
        if isinstance(field, Text) and field.pattern:
            found.setdefault(field.pattern, {"fullmatch"})
    return [(pattern, frozenset(methods or METHODS)) for pattern, methods in found.items()]


def imported(tree: ast.AST) -> dict[str, str]:
    """The modules of imported names."""
    return {
        alias.name: node.module or ""
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def matches_of(pattern: re.Pattern[Any]) -> list[Any]:
    """Some texts that match a pattern, the same in every run."""
    found: list[Any] = []

    @seed(0)
    @settings(max_examples=MATCHES, database=None, deadline=None, phases=[Phase.generate])
    @given(from_regex(pattern))
    def collect(text: Any) -> None:
        found.append(text)

    collect()
    return found


def seeds(pattern: re.Pattern[Any]) -> list[Any]:
    """Some of the shortest matches, the words in the pattern, and words with a space or line."""
    is_text = isinstance(pattern.pattern, str)
    matches = {text[:LONGEST_SEED] for text in matches_of(pattern)}
    source = pattern.pattern if is_text else pattern.pattern.decode()
    words = set(re.findall(r"(?<!\\)[\w<>/\"'=:%@`\[#+-]+", source))
    texts = [word + more for word in words for more in ("", " ", "\n", "a", "a:")]
    texts += ["a", " ", "\n", "0", "`", '"a', "\\a", "-", "\r\n"]
    shortest = sorted(matches, key=lambda match: (len(match), match))[:SEEDS]
    return [*shortest, *(text[:LONGEST_SEED] if is_text else text.encode() for text in texts)]


def attacks(pattern: re.Pattern[Any]) -> Iterator[tuple[Any, Any, Any]]:
    """Starts, repeated parts and ends."""
    ends = ("", "\n!") if isinstance(pattern.pattern, str) else (b"", b"\n!")
    seen = set()
    for text in seeds(pattern):
        for start, end in combinations(range(len(text) + 1), 2):
            for last in ends:
                attack = (text[:start], text[start:end], last)
                if attack not in seen:
                    seen.add(attack)
                    yield attack


def text_of(attack: tuple[Any, Any, Any], length: int) -> Any:
    start, part, end = attack
    return start + part * (length // len(part)) + end


class TookTooLong(Exception):
    """The processor worked on a match for longer than the limit."""


@contextmanager
def limited() -> Iterator[None]:
    """Raise TookTooLong once this process has computed for MOST_SECONDS in the block."""

    def stop(*_: object) -> None:
        raise TookTooLong

    former = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, former)


def seconds(pattern: re.Pattern[Any], methods: Iterable[str], text: Any) -> float:
    begun = thread_time()
    # All that search do what finditer does, at most.
    for method in {"finditer" if method in SEARCHING else method for method in methods}:
        if method == "finditer":
            deque(pattern.finditer(text), maxlen=0)
        else:
            getattr(pattern, method)(text)
    return thread_time() - begun


def is_slow(pattern: re.Pattern[Any], methods: Iterable[str], attack: tuple[Any, Any, Any]) -> bool:
    """Whether the time grows faster than the text."""
    with suppress(TookTooLong), limited():
        longer = seconds(pattern, methods, text_of(attack, FACTOR * SHORT))
        if longer > SUSPICIOUS_SECONDS:
            short = seconds(pattern, methods, text_of(attack, SHORT))
            if longer > 2 * FACTOR * short:
                seconds(pattern, methods, text_of(attack, LONG))
        return False
    return True


@pytest.mark.parametrize("first", range(PARTS))
def test_pattern_takes_linear_time(first: int) -> None:
    """Each of PARTS patterns, from that number on."""
    slow = [
        f"{pattern.pattern!r} for {attack!r} repeated"
        for pattern, methods in patterns()[first::PARTS]
        for attack in attacks(pattern)
        if is_slow(pattern, methods, attack)
    ]
    assert not slow


QUADRATIC = (
    r"<h1>.*?</h1>", r"\s+$", r"a(?:b|b)*c", r"x\d*\d*y", r"^(?P<f>`{3,})[^\n]*\n.*(?P=f)",
)  # fmt: skip


@pytest.mark.parametrize("pattern", QUADRATIC)
def test_quadratic_pattern_is_noticed(pattern: str) -> None:
    quadratic = re.compile(pattern)
    assert any(is_slow(quadratic, ["search"], attack) for attack in attacks(quadratic))


def backtracks_in_possessive_group(source: str) -> bool:
    """Whether a possessive group contains a repetition that is not possessive, or looks around."""
    groups = POSSESSIVE_GROUP.findall(ESCAPE_OR_SET.sub("x", source))
    return any(BACKTRACKING.search(group) for group in groups)


def test_possessive_group_does_not_backtrack() -> None:
    """Such a pattern never matches on Python 3.11.4 and earlier, as in Debian 12."""
    wrong = [
        pattern
        for pattern, _ in patterns()
        if backtracks_in_possessive_group(
            pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode()
        )
    ]
    assert not wrong
    assert backtracks_in_possessive_group(r"__([a-z]+(?:_[a-z]+)*+)__")
    assert backtracks_in_possessive_group(r"<h>([^<]*+(?:<(?!/?h[1-6])[^<]*+)*+)</h>")
    assert not backtracks_in_possessive_group(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"')


def test_patterns_are_constants_of_modules() -> None:
    """Others are not found above."""
    inline = [
        f"{name}: line {node.lineno}"
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and isinstance(node.args[0], ast.Constant | ast.JoinedStr)
        and (node.func.attr != "compile" or node not in constants(tree))
    ]
    assert not inline, f"make these patterns constants: {inline}"


@cache
def constants(tree: ast.AST) -> set[ast.AST]:
    """The nodes outside functions."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inner = {node for function in functions for node in ast.walk(function)}
    return {*ast.walk(tree)} - inner
