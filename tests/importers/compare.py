"""Compare imports with those of another commit: python -m tests.importers.compare --against PATH.

PATH is another checkout of orgctx, for example one that `git worktree add PATH HEAD~1` made. Each
case is `orgctx import … --as-bundle` on the files that a test of PATH left. The first run takes
minutes, because it runs these tests; later runs read the same files. Bytes are compared, and the
report on standard error: what was skipped, repaired and refused.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
CASES = Path(gettempdir()) / "orgctx-import-cases"  # outside of any git repository
MOST_LINES = 40  # of a difference
SLOW = ("sync", "sandbox", "time_limit", "many_files")  # tests whose files take long
DATA = ROOT / "orgctx/demo/data"
# The arguments of imports by the files that they read; "" is the whole folder.
IMPORTS = {
    "*.json": ("telegram {} --source telegram:a", "x {} --source x:a --account acme"),
    "*.csv": ("assets {} --source assets:a",),
    "": (
        "folder {} --source docs:a --minutes 1",
        "folder {} --source notes:a --minutes 1 --as notes --include-drafts --no-gitignore",
    ),
}


class Result(NamedTuple):
    """What a command printed."""

    exit_code: int
    stdout: str
    stderr: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--against", type=Path, metavar="PATH", required=True, help="a checkout")
    parser.add_argument("--only", metavar="GLOB", default="*", help="names of cases")
    parser.add_argument("--also", nargs="+", type=Path, default=[], help="more folders to import")
    options = parser.parse_args()
    other = options.against.resolve()
    commit = ["git", "-C", str(other), "describe", "--always", "--dirty"]
    name = subprocess.run(commit, capture_output=True, text=True, check=True).stdout.strip()
    folder = CASES / name
    if not folder.exists():
        _test(other, folder)
    folders = [DATA, *(path.resolve() for path in options.also)]
    folders += [path for path in folder.glob("popen-*/*") if not path.is_symlink()]
    cases = {
        name: words
        for each in sorted(folders)
        for name, words in _cases(each)
        if fnmatch(name, f"*{options.only}*")
    }
    from orgctx.embedded import servers

    with TemporaryDirectory() as data, servers(Path(data), durable=False) as running:
        _load(running.database_url)
        imported = partial(_imported, cases=[*cases.values()], url=running.database_url)
        with ThreadPoolExecutor() as pool:
            expected, actual = pool.map(imported, (other, ROOT))
    return _report([*cases], expected, actual)


def _test(checkout: Path, folder: Path) -> None:
    """Run the tests of a checkout, which leave the files that they import."""
    print(f"Running the tests of {checkout} for their files …", file=sys.stderr, flush=True)
    tests = ["tests/importers", *(f"--ignore=tests/importers/test_{name}.py" for name in SLOW)]
    command = [_python(checkout), "-m", "pytest", "-q", "-n", "2", "--basetemp", str(folder)]
    folder.parent.mkdir(exist_ok=True)
    result = subprocess.run([*command, *tests], cwd=checkout, check=False, stdout=sys.stderr)
    if result.returncode > 1:  # 1: some tests fail, for example those that measure
        sys.exit("The tests of the other checkout do not run.")


def _cases(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the imports of a folder and its files: a name, and the arguments."""
    for glob, templates in IMPORTS.items():
        for path in sorted(folder.rglob(glob)) if glob else [folder]:
            for template in templates:
                name = template.format(path.relative_to(folder.parent))
                yield name, [word.format(path) for word in template.split()]


def _python(checkout: Path) -> str:
    path = checkout / ".venv/bin/python"
    return str(path) if path.exists() else sys.executable


# Imports of both checkouts.


def _load(url: str) -> None:
    """Migrate the database and load an organization."""
    from orgctx.bundle.loader import load_records
    from orgctx.cli.database import migrations
    from tests.support import factories as make

    migrations.migrate(url, url)
    load_records(url, [make.organization(), *make.staff()])


def _imported(checkout: Path, cases: list[list[str]], url: str) -> list[Result]:
    """Import each case in a process of a checkout."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("ORGCTX_")},
        "PYTHONPATH": str(checkout),
        "ORGCTX_DATABASE_URL": url,
        "ORGCTX_REDIS_URL": "redis://localhost",  # no import connects
        "TZ": "UTC",
    }
    process = subprocess.run(
        [_python(checkout), __file__, "--worker"], input="\n".join(map(json.dumps, cases)),
        env=environment, cwd=checkout / "tests", text=True, stdout=subprocess.PIPE, check=False,
    )  # fmt: skip
    results = [Result(*json.loads(line)) for line in process.stdout.splitlines()]
    if process.returncode or len(results) != len(cases):
        sys.exit(f"The imports of {checkout} ended after {len(results)} of {len(cases)} cases.")
    return results


def _work() -> None:
    """Run the commands of standard input in this process, and print their results."""
    from click.testing import CliRunner

    from orgctx.cli import main as orgctx
    from tests.importers import conftest

    # As in the tests, imports share sandboxes.
    sandboxes = conftest.kept_sandboxes.__wrapped__()  # type: ignore[attr-defined]
    next(sandboxes)
    for line in sys.stdin:
        command = ["import", *json.loads(line), "--organization", "acme", "--as-bundle"]
        started = int(time.time())
        result = CliRunner().invoke(orgctx, command)
        texts = [result.stdout, result.stderr]
        if result.exception and not isinstance(result.exception, SystemExit):
            texts[1] += f"{type(result.exception).__name__}: {result.exception}\n"
        # The times of an import depend on nothing else.
        for second in range(started, int(time.time()) + 1):
            now = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
            texts = [text.replace(now, "NOW") for text in texts]
        print(json.dumps([result.exit_code, *texts]), flush=True)
    next(sandboxes, None)


# What differs.


def _report(names: list[str], expected: list[Result], actual: list[Result]) -> int:
    failed = 0
    for name, old, new in zip(names, expected, actual, strict=True):
        if old == new and (new.stdout or new.stderr):
            continue
        failed += 1
        lines = list(_difference(old, new))
        print(f"\n{name}: {'differs' if old != new else 'printed nothing'}")
        print(*lines[:MOST_LINES], sep="\n")
        if len(lines) > MOST_LINES:
            print(f"… and {len(lines) - MOST_LINES} more lines")
    loaded = sum(bool(result.stdout) for result in actual)
    print(f"\n{len(actual)} cases, {loaded} with records: {failed} differ")
    return bool(failed or not loaded)


def _difference(old: Result, new: Result) -> Iterator[str]:
    if old.exit_code != new.exit_code:
        yield f"exit status {old.exit_code} became {new.exit_code}"
    for before, after in ((old.stderr, new.stderr), (_readable(old.stdout), _readable(new.stdout))):
        texts = before.splitlines(), after.splitlines()
        yield from unified_diff(*texts, "before", "now", n=1, lineterm="")


def _readable(stdout: str) -> str:
    """A line for each field of each record and each line of a text."""
    records = map(json.loads, stdout.splitlines())
    texts = (json.dumps(record, indent=1, ensure_ascii=False) for record in records)
    return "\n".join(text.replace("\\n", "\n") for text in texts)


if __name__ == "__main__":
    if sys.argv[1:] == ["--worker"]:
        del sys.path[0]  # this folder, whose modules belong to this checkout
        _work()
    else:
        sys.exit(main())
