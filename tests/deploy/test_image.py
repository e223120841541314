"""Promises of the Dockerfile and its .dockerignore, checked in their text."""

from __future__ import annotations

import re
import shlex
from fnmatch import fnmatch

from tests.mcp.served import ROOT

Instruction = tuple[str, str]
LOCK = "requirements.txt"


def stages() -> list[list[Instruction]]:
    """The instructions of each stage, continued lines joined."""
    text = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text())
    found: list[list[Instruction]] = []
    for line in text.splitlines():
        name, _, rest = line.partition(" ")
        if name == "FROM":
            found.append([])
        if found and name.isupper():
            found[-1].append((name, rest))
    return found


def all_of(name: str) -> list[str]:
    return [rest for stage in stages() for each, rest in stage if each == name]


def included(path: str) -> bool:
    """Whether .dockerignore lets the path into the build. The last matching line decides."""
    found = True
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!")
        if pattern and not line.startswith("#") and fnmatch(path, pattern):
            found = line.startswith("!")
    return found


def test_nothing_is_installed_that_is_not_locked() -> None:
    installs = [command for run in all_of("RUN") for command in run.split("&&") if "pip" in command]
    assert len(installs) == 6
    for command in installs:
        words = set(shlex.split(command))
        hashed = "--require-hashes" in words and "--without-pip" not in words
        local = {"--no-deps", "--no-index"} <= words or {
            "--no-deps",
            "--no-build-isolation",
        } <= words
        assert hashed or local or "venv" in words, command
    assert all_of("ADD") == []


def test_serving_image_installs_the_core_by_default() -> None:
    text = (ROOT / "Dockerfile").read_text()
    assert f"\nARG REQUIREMENTS={LOCK}\n" in text
    (named,) = re.findall(r"--build-arg REQUIREMENTS=(\S+)", text)
    assert (ROOT / "deploy" / named).is_file()


def test_it_runs_as_a_number_that_is_not_root() -> None:
    names = [name for name, _ in stages()[-1]]
    users = [rest for name, rest in stages()[-1] if name == "USER"]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", users[-1])
    # The program itself was copied before and belongs to root.
    assert names.index("USER") > max(n for n, name in enumerate(names) if name in ("COPY", "RUN"))
    assert not [rest for _, rest in stages()[-1] if "--chown" in rest or "chmod" in rest]


def test_what_is_copied_is_there_and_nothing_else_gets_in() -> None:
    copied = [rest.split()[:-1] for rest in all_of("COPY") if "--from" not in rest]
    for path in {path.replace("${REQUIREMENTS}", LOCK) for paths in copied for path in paths}:
        assert (ROOT / path).exists(), path
        assert included(path.split("/")[0]), path
    for path in (".git", ".env", ".venv", "tests", "docs", "dist", ".orgctx"):
        assert not included(path), path
    assert not included("**/__pycache__")


def test_it_stops_as_gunicorn_stops_gracefully() -> None:
    assert [rest for name, rest in stages()[-1] if name == "STOPSIGNAL"] == ["SIGTERM"]
    # It is a list, so that no shell keeps signals from the service.
    assert all_of("CMD") == ['["orgctx", "serve", "--bind", "0.0.0.0:8000"]']
    assert all_of("HEALTHCHECK")[0].count("/healthz") == 1
