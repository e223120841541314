"""What setup.cfg cannot say: sql/ at the top is a package beside those that are found."""

from pathlib import Path
from shutil import rmtree

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py


class CleanBuild(build_py):  # type: ignore[misc]
    """Build without what an earlier build left, such as a migration that is gone."""

    def run(self) -> None:
        rmtree(Path(self.build_lib, "orgctx"), ignore_errors=True)
        super().run()


setup(
    packages=[*find_packages(include=["orgctx", "orgctx.*"]), "orgctx.sql"],
    package_dir={"orgctx.sql": "sql"},
    cmdclass={"build_py": CleanBuild},
)
