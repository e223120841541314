"""Check the Dockerfile and .dockerignore without building an image."""

import re
import shlex
from fnmatch import fnmatch

from tests.support.processes import ROOT

Instruction = tuple[str, str]
LOCK = "requirements.txt"


def stages() -> list[list[Instruction]]:
    """Parse the instructions of each stage, with continued lines joined."""
    text = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text())
    stages: list[list[Instruction]] = []
    for line in text.splitlines():
        name, _, rest = line.partition(" ")
        if name == "FROM":
            stages.append([])
        if stages and name.isupper():
            stages[-1].append((name, rest))
    return stages


def arguments(instruction: str) -> list[str]:
    return [rest for stage in stages() for name, rest in stage if name == instruction]


def is_included(path: str) -> bool:
    """Return whether .dockerignore admits the path; the last matching line decides."""
    result = True
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!")
        if pattern and not line.startswith("#") and fnmatch(path, pattern):
            result = line.startswith("!")
    return result


def test_build_installs_only_locked_requirements() -> None:
    commands = [command for run in arguments("RUN") for command in run.split("&&")]
    installs = [command for command in commands if "pip" in command]
    assert len(installs) == 7
    for command in installs:
        words = set(shlex.split(command))
        is_hashed = "--require-hashes" in words and "--without-pip" not in words
        is_local = "--no-deps" in words and words & {"--no-index", "--no-build-isolation"}
        assert is_hashed or is_local or "venv" in words, command
    assert arguments("ADD") == []


def test_image_runs_as_a_numeric_user_that_is_not_root() -> None:
    names = [name for name, _ in stages()[-1]]
    users = [rest for name, rest in stages()[-1] if name == "USER"]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", users[-1])
    # The program belongs to root: it is copied before.
    assert names.index("USER") > max(n for n, name in enumerate(names) if name in ("COPY", "RUN"))
    assert not [rest for _, rest in stages()[-1] if "--chown" in rest or "chmod" in rest]


def test_build_context_contains_only_what_is_copied() -> None:
    copies = [rest.split()[:-1] for rest in arguments("COPY") if "--from" not in rest]
    for path in {path.replace("${REQUIREMENTS}", LOCK) for paths in copies for path in paths}:
        assert (ROOT / path).exists(), path
        assert is_included(path.split("/")[0]), path
    for path in (".git", ".env", ".venv", "tests", "docs", "dist", ".orgctx", "**/__pycache__"):
        assert not is_included(path), path


def test_image_stops_gracefully_and_reports_health() -> None:
    assert [rest for name, rest in stages()[-1] if name == "STOPSIGNAL"] == ["SIGTERM"]
    # A list, so that no shell intercepts signals.
    assert arguments("CMD") == ['["orgctx", "serve", "--bind", "0.0.0.0:8000"]']
    assert arguments("HEALTHCHECK")[0].count("/healthz") == 1
