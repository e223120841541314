"""A start imports only what it uses, and the core imports no library of an extra."""

import ast
import re
import subprocess
import sys
from configparser import ConfigParser
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from orgctx.importers.formats import FORMATS
from orgctx.imports.catalog import IMPORTERS, LIBRARIES
from tests.architecture.modules import MODULES, PACKAGE, nodes, strings

COMMAND_LINE = "from orgctx.cli import main; main(['--help'], standalone_mode=False)"
SERVICE = "import orgctx.app"
HEAVY = {"flask", "psycopg", "redis", "gevent", "gunicorn", "marshmallow"}
# The document is built by its first request.
UNSERVED = {
    "orgctx.cli", "orgctx.importers", "orgctx.bundle", "orgctx.embedded",
    "orgctx.openapi.document",
}  # fmt: skip
CLIENTS = {"aiohttp", "httpx", "requests", "urllib.request", "urllib3"}
ROOT = Path(__file__).parents[2]
EXTRAS = re.compile(r"orgctx\\?\[([\w,]+)")
SETUP = ConfigParser(interpolation=None)
SETUP.read(ROOT / "setup.cfg", "utf-8")
# The extra of each package and module that needs one.
USERS = {
    "importers": "importers",
    "desk/openid.py": "oidc",
}  # fmt: skip
NO_LIBRARIES = {"orgctx", *sys.stdlib_module_names}


@cache
def owners() -> dict[str, set[str]]:
    """The distributions that hold each package, by import name."""
    return {
        name: {canonicalize_name(owner) for owner in owners}
        for name, owners in packages_distributions().items()
    }


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        (COMMAND_LINE, HEAVY),
        (SERVICE, UNSERVED | CLIENTS),
        # Each sandbox loads this, and the modules of the formats that it needs.
        ("import orgctx.importers.formats", {"marshmallow"}),
        (
            "import orgctx.importers.folder.importer",
            {row.module for row in FORMATS if row.is_sandboxed},
        ),
    ],
    ids=["orgctx --help", "orgctx.app", "a sandbox", "an import"],
)
def test_start_imports_only_what_it_needs(statement: str, absent: set[str]) -> None:
    program = f"import sys; {statement}; print(*sys.modules, sep='\\n', file=sys.stderr)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stderr.split()
    assert not absent.intersection(loaded)


def test_core_modules_import_no_library_of_an_extra() -> None:
    lock = (ROOT / "deploy/requirements.txt").read_text("utf-8")
    core = set(re.findall(r"^([\w.-]+)==", lock, re.MULTILINE))
    for path, tree in MODULES.items():
        name = path.relative_to(PACKAGE).as_posix()
        extra = next((extra for user, extra in USERS.items() if name.startswith(user)), None)
        allowed = core | (required(extra) if extra else set())
        foreign = {library for library in libraries(tree) if not owners()[library] & allowed}
        assert not foreign, f"{name}: add it to setup.cfg, or import it in orgctx/importers"


def test_extra_lists_what_importers_import() -> None:
    assert set.union(*(owners()[library] for library in LIBRARIES)) == required("importers")


def required(extra: str) -> set[str]:
    """The distributions of an extra, without those of the extras that it names."""
    lines = SETUP["options.extras_require"][extra].splitlines()
    names: set[str] = {canonicalize_name(Requirement(line).name) for line in lines if line}
    return names - {"orgctx"}


def libraries(tree: ast.Module) -> set[str]:
    """The libraries that a module imports, also inside functions."""
    names = {
        alias.name for node in nodes(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    names |= {node.module or "" for node in nodes(tree) if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in names} - NO_LIBRARIES


def test_extras_named_in_texts_exist() -> None:
    documents = (
        path.read_text("utf-8") for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    )
    texts = [*documents, *(text for tree in MODULES.values() for text in strings(tree))]
    named = {extra for text in texts for one in EXTRAS.findall(text) for extra in one.split(",")}
    assert named
    assert named <= set(SETUP["options.extras_require"])


def test_every_package_is_part_of_the_wheel() -> None:
    """setup.cfg finds only packages."""
    for folder in {path.parent for path in PACKAGE.rglob("*.py")}:
        where = folder.relative_to(ROOT)
        assert (folder / "__init__.py").exists(), f"write {where}/__init__.py, one sentence"


def test_importer_has_tests() -> None:
    tests = "".join(path.read_text("utf-8") for path in ROOT.glob("tests/importers/test_*.py"))
    untested = [row.name for row in IMPORTERS if not re.search(rf"\b{row.name}\b", tests)]
    assert not untested, f"tests/importers: write test_{untested[0]}.py"


# One function opens the archives that importers read, because it limits what ZipFile reads


OPENER = PACKAGE / "importers/formats/package.py"
OPENERS = ("ZipFile", "is_zipfile", "unpack_archive")


def test_archives_are_opened_within_limits() -> None:
    calls = [
        f"{path.relative_to(PACKAGE)}: line {node.lineno}"
        for path, tree in MODULES.items()
        for node in nodes(tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", getattr(node.func, "attr", "")) in OPENERS
        and not is_written(node)
        and path != OPENER
    ]
    assert not calls, f"call orgctx.importers.formats.package.open_package instead: {calls}"


def is_written(call: ast.Call) -> bool:
    mode = call.args[1] if len(call.args) > 1 else None
    return isinstance(mode, ast.Constant) and mode.value == "w"
