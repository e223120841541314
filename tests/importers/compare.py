"""Compare imports with those of another commit: python -m tests.importers.compare --against PATH.

PATH is another checkout of orgctx, for example one that `git worktree add PATH HEAD~1` made. Each
case is `orgctx import … --as-bundle` on the files that a test of PATH left. The first run takes
minutes, because it runs these tests; later runs read the same files. What `diff` compares are the
records, and the report on standard error: what was skipped, repaired and refused.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

ROOT = Path(__file__).parents[2]
CASES = Path(gettempdir()) / "orgctx-import-cases"  # outside of any git repository
SLOW = ("sync", "sandbox", "time_limit", "many_files")  # tests whose files take long
# The arguments of imports by the files that they read; "" is the whole folder.
IMPORTS = {
    "*.json": ("telegram {} --source telegram:a", "x {} --source x:a --account acme"),
    "*.csv": ("assets {} --source assets:a",),
    "": (
        "folder {} --source docs:a --minutes 1",
        "folder {} --source notes:a --minutes 1 --as notes --include-drafts --no-gitignore",
    ),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--against", type=Path, metavar="PATH", required=True, help="a checkout")
    other = parser.parse_args().against.resolve()
    commit = ["git", "-C", str(other), "describe", "--always", "--dirty"]
    name = subprocess.run(commit, capture_output=True, text=True, check=True).stdout.strip()
    folder = CASES / name
    if not folder.exists():
        _test(other, folder)
    for checkout, output in ((other, "before"), (ROOT, "now")):
        print(f"Importing with {checkout} …", file=sys.stderr, flush=True)
        environment = {**os.environ, "PYTHONPATH": str(checkout), "TZ": "UTC"}
        command = [_python(checkout), __file__, "--print", str(folder)]
        with (CASES / output).open("w") as file:
            subprocess.run(
                command, env=environment, cwd=checkout / "tests", stdout=file, check=True
            )
    # A case begins with $, so each difference names its case.
    return subprocess.run(["diff", "-U1", "-F^\\$", "before", "now"], cwd=CASES).returncode


def _test(checkout: Path, folder: Path) -> None:
    """Run the tests of a checkout, which leave the files that they import."""
    print(f"Running the tests of {checkout} for their files …", file=sys.stderr, flush=True)
    tests = ["tests/importers", *(f"--ignore=tests/importers/test_{name}.py" for name in SLOW)]
    command = [_python(checkout), "-m", "pytest", "-q", "-n", "2", "--basetemp", str(folder)]
    folder.parent.mkdir(exist_ok=True)
    result = subprocess.run([*command, *tests], cwd=checkout, check=False, stdout=sys.stderr)
    if result.returncode > 1:  # 1: some tests fail, for example those that measure
        sys.exit("The tests of the other checkout do not run.")


def _python(checkout: Path) -> str:
    path = checkout / ".venv/bin/python"
    return str(path) if path.exists() else sys.executable


def _print(folder: Path) -> None:
    """Import each case with the orgctx of PYTHONPATH; print its records, a line for each field."""
    from click.testing import CliRunner

    from orgctx.cli import main as orgctx
    from orgctx.cli.database import migrations
    from orgctx.embedded import servers
    from tests.importers.conftest import kept_sandboxes
    from tests.support import factories as make
    from tests.support.deployment import Deployment

    # As in the tests, imports share sandboxes.
    sandboxes = kept_sandboxes.__wrapped__()  # type: ignore[attr-defined]
    next(sandboxes)
    with TemporaryDirectory() as data, servers(Path(data), durable=False) as running:
        migrations.migrate(running.database_url, running.database_url)
        deployment = Deployment(running.database_url, running.redis_url)
        deployment.load([make.organization(), *make.staff()])
        for words in _cases(folder):
            command = ["import", *words, "--organization", "acme", "--as-bundle"]
            result = CliRunner().invoke(orgctx, command, env=deployment.environment)
            records = [json.loads(line) for line in result.stdout.splitlines()]
            fields = (json.dumps(each, indent=1, ensure_ascii=False) for each in records)
            text = "\n".join([result.stderr, repr(result.exception), *fields]).replace("\\n", "\n")
            # The times of an import depend on nothing else.
            print("$", *words, "\n", re.sub(rf"{datetime.now(UTC):%F}T[\d:]+", "NOW", text))
    next(sandboxes, None)


def _cases(folder: Path) -> Iterator[list[str]]:
    """Yield the arguments of the imports of what each test left."""
    tests = [path for path in folder.glob("popen-*/*") if not path.is_symlink()]
    for test in [ROOT / "orgctx/demo/data", *sorted(tests)]:
        for glob, templates in IMPORTS.items():
            for path in sorted(test.rglob(glob)) if glob else [test]:
                for template in templates:
                    yield [word.format(path) for word in template.split()]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--print"]:
        del sys.path[0]  # this folder, whose modules belong to this checkout
        _print(Path(sys.argv[2]))
    else:
        sys.exit(main())
