"""Fixtures of property tests: a loaded API for each module."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import psycopg
import pytest
from flask import Flask

from tests.contract.conftest import Api
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.factories import Record


@pytest.fixture(scope="module")
def module_app(module_deployment: Deployment) -> Iterator[Flask]:
    with module_deployment.app() as app:
        yield app


@pytest.fixture(scope="module")
def module_api(module_deployment: Deployment, module_app: Flask) -> Api:
    """The API on the module's own data. Unlike in contract tests, no schema is checked."""
    return Api(module_deployment, module_app.test_client())


@pytest.fixture(scope="module")
def admin(module_deployment: Deployment) -> Iterator[psycopg.Connection[Any]]:
    """A connection that may write; it makes changes faster than a command would."""
    with psycopg.connect(module_deployment.admin_url, autocommit=True) as connection:
        yield connection


# Unicode's White_Space.
SPACES = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
SPACES += "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
SPACE_RUN = re.compile(f"[{SPACES}]+")


def load(api: Api, records: Iterable[Record]) -> None:
    """Load records and approve every source."""
    api.deployment.load(records)
    api.deployment.approve(make.ACME, make.OWNER)
