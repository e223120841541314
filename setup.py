"""What setup.cfg cannot say: sql/ at the top is a package beside those that are found."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["orgctx", "orgctx.*"]), "orgctx.sql"],
    package_dir={"orgctx.sql": "sql"},
)
