"""Documents name files, functions and tests that exist, and what they print is tested."""

import re
import sys
from dataclasses import MISSING, fields
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest

from orgctx.clients import CLIENTS
from orgctx.config.settings import Config
from orgctx.key_format import BASE62, PREFIX, generate
from tests.architecture.modules import PACKAGE
from tests.contract.document import DOCUMENT, PROMISE, holders, promises
from tests.docs.pages import ROOT, shell_blocks
from tests.support import factories as make
from tests.support.deployment import Deployment

DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
NAMED = re.compile(r"`((?:orgctx|sql|tests|bench|deploy|docs)/[\w./-]*[\w/])`")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)")


def test_document_names_existing_files() -> None:
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        named = {ROOT / name for name in NAMED.findall(text)}
        linked = {document.parent / target for target in LINK.findall(text)}
        missing = [str(path.relative_to(ROOT)) for path in named if not path.exists()]
        missing += [str(path) for path in linked if not path.exists()]
        assert not missing, f"{document.name} names what is not there: {missing}"


def test_agent_page_names_every_client() -> None:
    page = ROOT / "docs/tasks/agent.md"
    text = " ".join(page.read_text("utf-8").split())
    missing = [client.title for client in CLIENTS.values() if client.title not in text]
    assert not missing, f"{page} does not name {missing}"


def test_pictures_are_linked() -> None:
    pages = "".join(page.read_text("utf-8") for page in DOCUMENTS)
    for picture in ROOT.glob("docs/page/*"):
        assert f"page/{picture.name}" in pages


# Shell blocks are pasted by a test, or have a comment above them: `<!-- not run: reason -->`.


REASON = re.compile(r"^<!-- not run: (.*) -->\n(```)?", re.MULTILINE)
TESTS = "".join(path.read_text("utf-8") for path in ROOT.glob("tests/docs/test_*.py"))


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def test_shell_blocks_are_pasted_or_give_a_reason() -> None:
    for page in DOCUMENTS:
        sections = {block.section for block in shell_blocks(page)}
        assert not sections or f'"{name(page)}"' in TESTS, (
            f"{name(page)}: paste the blocks of {sections} in tests/docs, or say above each why not"
        )


def test_shell_block_reasons_name_existing_tests() -> None:
    for page in DOCUMENTS:
        reasons = REASON.findall(page.read_text("utf-8"))
        assert all(fence for _, fence in reasons), (
            f"{name(page)}: a reason must be right above its block"
        )
        named = {one for reason, _ in reasons for one in re.findall(r"tests/[\w/.]+", reason)}
        assert not [one for one in named if not (ROOT / one).exists()], name(page)


# Every promise of docs/contract.md has a test, and every quoted number is a promise


def test_promises_have_tests() -> None:
    without = sorted(promises().keys() - holders().keys())
    assert not without, (
        f"tests/contract: quote each number as [4.3.1] in the docstring of its test: {without}"
    )


def test_quoted_numbers_are_promises() -> None:
    known = promises()
    unknown = {number: tests for number, tests in holders().items() if number not in known}
    assert not unknown, f"docs/contract.md has no such promise: {unknown}"


def test_promise_numbers_are_unique() -> None:
    numbers = [number for number, _ in PROMISE.findall(DOCUMENT.read_text("utf-8"))]
    assert len(numbers) == len(set(numbers))


THREATS = (ROOT / "docs/threat-model.md").read_text("utf-8")
THREAT_ROWS = [line for line in THREATS.splitlines() if line.startswith("| ") and "tests/" in line]
NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_threat_has_existing_tests() -> None:
    for row in THREAT_ROWS:
        named = NAMED_TEST.findall(row)
        assert named, row
        for path, name in named:
            assert f"\ndef {name}(" in (ROOT / path).read_text("utf-8"), (path, name)


def test_owasp_list_is_complete() -> None:
    assert re.findall(r"^\| (MCP\d\d) ", THREATS, re.MULTILINE) == [
        f"MCP{n:02}" for n in range(1, 11)
    ]


POLICY = (ROOT / "docs/SECURITY.md").read_text("utf-8")
KEYS = [generate() for _ in range(200)]


def block(language: str) -> str:
    (content,) = re.findall(rf"^```{language}\n(.*?)\n```$", POLICY, re.DOTALL | re.MULTILINE)
    return str(content)


PATTERN = re.compile(block("regex"))
PASTED: dict[str, Any] = {}
exec(block("python"), PASTED)  # as a reader would run it
is_key = PASTED["is_key"]


@pytest.mark.parametrize("line", ["{}", "KEY={}", '"{}"', "Bearer {}\n", "https://h/?key={}&a=b"])
def test_policy_pattern_finds_every_key(line: str) -> None:
    for key in KEYS:
        assert PATTERN.findall(line.format(key)) == [key]
        assert is_key(key)


def test_policy_pattern_skips_lookalikes() -> None:
    for key in KEYS:
        suffix = key.removeprefix(PREFIX)
        for lookalike in (
            key[:-1], f"{key}a", f"x{key}", key.upper(), f"octx-{suffix}", f"octa_{suffix}",
            f"{PREFIX}{suffix[:20]}-{suffix[21:]}", f"{PREFIX}{suffix[:-1]}é", suffix,
        ):  # fmt: skip
            assert PATTERN.search(lookalike) is None, lookalike


def test_policy_checksum_detects_each_wrong_character() -> None:
    random = Random(1)
    for key in KEYS:
        for index in range(len(PREFIX), len(key)):
            character = random.choice(BASE62.replace(key[index], ""))
            assert not is_key(key[:index] + character + key[index + 1 :])


STEP = re.compile(r"^\d+\. `orgctx/(\S+)` `([\w.]+)`", re.MULTILINE)
MOST = 20


def documented() -> list[tuple[str, str]]:
    text = PACKAGE.with_name("docs").joinpath("architecture.md").read_text("utf-8")
    return STEP.findall(text)


def test_architecture_names_the_functions_of_a_request(acme: Deployment) -> None:
    called: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(PACKAGE)):
            name = code.co_qualname.rpartition("<locals>.")[2]
            called.append((code.co_filename.removeprefix(f"{PACKAGE}/"), name))

    with acme.client(acme.issue_key(make.ACME, make.OWNER)) as client:
        # The first two requests look up the caller and open connections.
        for _ in range(2):
            client.get("/api/v1/people?q=ada")
        sys.setprofile(note)
        try:
            response = client.get("/api/v1/people?q=ada")
        finally:
            sys.setprofile(None)
    assert response.status_code == 200
    assert 10 < len(documented()) <= MOST
    calls = iter(called)
    for step in documented():
        assert step in calls, f"docs/architecture.md: {step} is not called, or not in this order"


# `.env.example` documents exactly the settings that exist, with their defaults.

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
