"""Compare imports with those of another commit: python -m tests.importers.compare --against PATH.

PATH is another checkout of orgctx, for example one that `git worktree add PATH HEAD~1` made. Each
case is `orgctx import … --as-bundle` on files that the tests of PATH import. The first run takes
minutes, because it runs these tests with this module as a plugin that copies the files to a
temporary folder. Later runs read them, and the results of PATH. Bytes are compared, and the report
on standard error: what was skipped, repaired and refused.
"""

import argparse
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from fnmatch import fnmatch
from functools import partial, wraps
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
CASES = Path(gettempdir()) / "orgctx-import-cases"  # outside of any git repository
STAMP = 1_780_000_000
MOST_BYTES = 40 << 20  # of the files of a case
MOST_EXAMPLES = 10  # of a test with Hypothesis
MOST_LINES = 40  # of a difference
SLOW = ("sync", "sandbox", "time_limit", "many_files")  # tests whose files take long
DATA = ROOT / "orgctx/demo/data"
DEMO = {"folder": "docs", "assets": "assets.csv", "telegram": "telegram/*.json", "x": "x/*.json"}
# Options that a comparison sets itself.
OUTPUTS = ("--json", "--dry-run", "--as-bundle", "--yes", "--create")
OPTIONS = {"library": "as", "stale_after_seconds": "stale-after"}
TEMPLATE = "{files}"


class Case(NamedTuple):
    """An import. folder: of its files, if they are copied; arguments: of `orgctx import`."""

    name: str
    folder: str
    arguments: list[str]


class Result(NamedTuple):
    """What a command printed."""

    exit_code: int
    stdout: str
    stderr: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--against", type=Path, metavar="PATH", required=True, help="a checkout")
    parser.add_argument("--only", nargs="+", metavar="GLOB", default=["*"], help="cases by name")
    parser.add_argument("--also", nargs="+", type=Path, default=[], help="more folders to import")
    parser.add_argument("--record", action="store_true", help="copy the files of the tests again")
    parser.add_argument("--jobs", type=int, default=2, help="processes of each checkout")
    options = parser.parse_args()
    other = options.against.resolve()
    if _git(other, "status", "--porcelain"):
        sys.exit(f"{other} has changes; commit them, so that results can be kept.")
    folder = CASES / f"{other.name}-{_git(other, 'rev-parse', '--short', 'HEAD')}"
    if options.record or not (folder / "recorded").exists():
        shutil.rmtree(folder, ignore_errors=True)
        _record(other, folder)
    cases = [case for case in _cases(folder, options.also) if _is_chosen(case, options.only)]
    if not cases:
        sys.exit("No case has such a name.")
    from orgctx.embedded import servers

    known = folder / "results.json"
    expected = json.loads(known.read_text("utf-8")) if known.exists() else {}
    with TemporaryDirectory() as data, servers(Path(data), durable=False) as running:
        _load(running.database_url)
        new = [case for case in cases if not case.folder or case.name not in expected]
        expected |= _run(other, new, running.database_url, options.jobs)
        actual = _run(ROOT, cases, running.database_url, options.jobs)
    changed = known.with_suffix(f".{os.getpid()}")
    changed.write_text(json.dumps(expected), "utf-8")
    changed.replace(known)
    return _report(cases, {name: Result(*result) for name, result in expected.items()}, actual)


def _git(checkout: Path, *arguments: str) -> str:
    command = ["git", "-C", str(checkout), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _python(checkout: Path) -> str:
    path = checkout / ".venv/bin/python"
    return str(path) if path.exists() else sys.executable


def _cases(folder: Path, also: list[Path]) -> list[Case]:
    cases = [Case(**json.loads(path.read_text("utf-8"))) for path in folder.glob("*/case.json")]
    inputs = [("folder", path.resolve()) for path in also]
    inputs += [(name, path) for name, glob in DEMO.items() for path in DATA.glob(glob)]
    for name, path in inputs:
        source = f"{name.replace('folder', 'docs')}:a"
        cases.append(Case(f"{name}/{path.name}", "", [name, str(path), "--source", source]))
    return sorted(cases)


def _is_chosen(case: Case, globs: list[str]) -> bool:
    return any(fnmatch(case.name, f"*{glob}*") for glob in globs)


def _record(other: Path, folder: Path) -> None:
    """Run the tests of a checkout, which copies the files that they import."""
    print(f"Copying the files that the tests of {other} import …", file=sys.stderr, flush=True)
    plugin = str(Path(__file__).parent)
    environment = {**os.environ, "ORGCTX_IMPORT_CASES": str(folder), "PYTHONPATH": plugin}
    tests = ["tests/importers", *(f"--ignore=tests/importers/test_{name}.py" for name in SLOW)]
    command = [_python(other), "-m", "pytest", "-p", "compare", "-q", "-n", "2", *tests]
    result = subprocess.run(command, cwd=other, env=environment, check=False, stdout=sys.stderr)
    if result.returncode > 1:  # 1: some tests fail, for example those that measure
        sys.exit("The tests of the other checkout do not run.")
    (folder / "recorded").touch()


# The plugin of pytest that copies the files of each import.


def pytest_collection(session: Any) -> None:
    """Let the imports of tests copy their files."""
    import tests.importers.conftest as imports
    from tests.support.deployment import Deployment

    base = session.config._tmp_path_factory.getbasetemp()
    keep = Recorder(Path(os.environ["ORGCTX_IMPORT_CASES"]), base).keep
    imports.convert = _wrapped(imports.convert, _converting, keep)
    Deployment.cli = _wrapped(Deployment.cli, _command, keep)  # type: ignore[method-assign]


def _wrapped(
    function: Callable[..., Any],
    arguments: Callable[..., list[str]],
    keep: Callable[[list[str]], None],
) -> Callable[..., Any]:
    @wraps(function)
    def call(*positional: Any, **keywords: Any) -> Any:
        if words := arguments(*positional, **keywords):
            keep(words)
        return function(*positional, **keywords)

    return call


def _command(_: Any, *arguments: object, **__: Any) -> list[str]:
    """The arguments of a command, if it imports."""
    words = [str(word) for word in arguments if word not in OUTPUTS]
    if "--organization" in words:
        start = words.index("--organization")
        del words[start : start + 2]
    return words[1:] if words[:1] == ["import"] else []


def _converting(importer: Any, path: Any, _: Any = None, **options: Any) -> list[str]:
    """The arguments of the command that converts as a call of `convert` does."""
    if isinstance(importer.records, partial):
        name = importer.records.keywords["only"]
    else:
        name = importer.__name__.split(".")[2].replace("formats", "folder")
    source = options.pop("source_id", "docs:main")
    words = [name, *map(str, path if isinstance(path, list) else [path]), "--source", source]
    for key, value in options.items():
        option = f"--{OPTIONS.get(key, key.replace('_', '-'))}"
        if key == "gitignore":
            words += [] if value else ["--no-gitignore"]
        elif key not in ("existing", "organization_id", "progress") and value:
            for one in value if isinstance(value, list | tuple) else [value]:
                words += [option] if one is True else [option, str(one)]
    return words


class Recorder:
    """Copies the folders of tests whose files are imported, each only once."""

    def __init__(self, target: Path, base: Path) -> None:
        self._target, self._base = target, base
        self._counts: dict[str, int] = {}

    def keep(self, words: list[str]) -> None:
        test = os.environ["PYTEST_CURRENT_TEST"].rpartition(" ")[0]
        number = self._counts[test] = self._counts.get(test, 0) + 1
        roots = {root for word in words for root in self._roots(word)}
        archive = io.BytesIO()
        try:
            with tarfile.open(fileobj=archive, mode="w") as target:
                for root in roots:
                    target.add(root, "files", filter=_stamped)
                    words = [word.replace(str(root), TEMPLATE) for word in words]
        except OSError:  # for example a path that is too long
            return
        if number > MOST_EXAMPLES or len(roots) > 1 or archive.tell() > MOST_BYTES:
            return
        digest = hashlib.sha256(archive.getbuffer())
        digest.update(json.dumps(words).encode())
        folder = self._target / digest.hexdigest()[:16]
        if not folder.exists():
            archive.seek(0)
            with tarfile.open(fileobj=archive) as source:
                source.extractall(folder, filter="fully_trusted")
            name = test.removeprefix("tests/importers/test_").replace(".py::test_", "/")
            case = Case(f"{name}#{number}", str(folder), words)
            (folder / "case.json").write_text(json.dumps(case._asdict()))

    def _roots(self, word: str) -> Iterator[Path]:
        """The folder of the test, if an argument is a path in it."""
        for base in (self._base, Path(gettempdir())):
            if word.startswith(f"{base}/"):
                yield base / Path(word).relative_to(base).parts[0]
                return


def _stamped(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Give new files a fixed time, and leave out pipes."""
    if member.mtime > time.time() - 86_400:
        member.mtime = STAMP
    return None if member.isfifo() else member


# Imports of both checkouts.


def _load(url: str) -> None:
    """Migrate the database and load an organization."""
    from orgctx.bundle.loader import load_records
    from orgctx.cli.database import migrations
    from tests.support import factories as make

    migrations.migrate(url, url)
    load_records(url, [make.organization(), *make.staff()])


def _run(checkout: Path, cases: list[Case], url: str, jobs: int) -> dict[str, Result]:
    """Import each case in processes of a checkout. Returns results by name."""
    parts = [part for start in range(jobs) if (part := cases[start::jobs])]
    with ThreadPoolExecutor(jobs) as pool:
        results = pool.map(partial(_imported, checkout, url=url), parts)
        return {name: result for part in results for name, result in part.items()}


def _imported(checkout: Path, cases: list[Case], url: str) -> dict[str, Result]:
    lines = [
        json.dumps([word.replace(TEMPLATE, f"{case.folder}/files") for word in case.arguments])
        for case in cases
    ]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("ORGCTX_")},
        "PYTHONPATH": str(checkout),
        "ORGCTX_DATABASE_URL": url,
        "ORGCTX_REDIS_URL": "redis://localhost",  # no import connects
        "TZ": "UTC",
    }
    process = subprocess.run(
        [_python(checkout), __file__, "--worker"], input="\n".join(lines), env=environment,
        cwd=checkout / "tests", text=True, stdout=subprocess.PIPE, check=False,
    )  # fmt: skip
    results = [Result(*json.loads(line)) for line in process.stdout.splitlines()]
    if process.returncode or len(results) != len(cases):
        sys.exit(f"The imports of {checkout} ended after {len(results)} of {len(cases)} cases.")
    return dict(zip((case.name for case in cases), results, strict=True))


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


def _report(cases: list[Case], expected: dict[str, Result], actual: dict[str, Result]) -> int:
    failed = 0
    for case in cases:
        old, new = expected[case.name], actual[case.name]
        if old == new and (new.stdout or new.stderr):
            continue
        failed += 1
        print(f"\n{case.name}: {'differs' if old != new else 'printed nothing'}")
        print(f"  {' '.join(case.arguments)}\n  files: {case.folder}/files")
        lines = list(_difference(old, new))
        print(*lines[:MOST_LINES], sep="\n")
        if len(lines) > MOST_LINES:
            print(f"… and {len(lines) - MOST_LINES} more lines")
    loaded = sum(bool(result.stdout) for result in actual.values())
    print(f"\n{len(cases)} cases, {loaded} with records: {failed} differ")
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
