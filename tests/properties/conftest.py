"""Fixtures of property tests: bounded random examples, and a loaded API for each module."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import psycopg
import pytest
from flask import Flask
from hypothesis import HealthCheck, settings

from tests.contract.conftest import Api
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.factories import Record

# ORGCTX_TEST_EXAMPLES=20 tries twenty times as many examples as the suite does.
FACTOR = int(os.environ.get("ORGCTX_TEST_EXAMPLES", "1"))


def examples(count: int) -> settings:
    """Try this many examples, and give a single one no time limit."""
    return settings(
        max_examples=count * FACTOR,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )


@pytest.fixture(scope="module")
def module_app(module_deployment: Deployment) -> Iterator[Flask]:
    with module_deployment.app() as app:
        yield app


@pytest.fixture(scope="module")
def module_api(module_deployment: Deployment, module_app: Flask) -> Api:
    """The API on the module's own data. Unlike in contract tests, no shape is checked."""
    return Api(module_deployment, module_app.test_client())


@pytest.fixture(scope="module")
def admin(module_deployment: Deployment) -> Iterator[psycopg.Connection[Any]]:
    """A connection that may write; it makes changes faster than a command would."""
    with psycopg.connect(module_deployment.admin_url, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def lower(admin: psycopg.Connection[Any]) -> Callable[[str], str]:
    """PostgreSQL's lower(), because it decides which texts are equal if case is ignored."""
    known: dict[str, str] = {}

    def lower(text: str) -> str:
        if text not in known:
            row = admin.execute("SELECT lower(%s)", [text]).fetchone()
            assert row
            known[text] = row[0]
        return known[text]

    return lower


# Unicode's White_Space.
SPACES = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
SPACES += "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
SPACE_RUN = re.compile(f"[{SPACES}]+")


@pytest.fixture(scope="module")
def fold(lower: Callable[[str], str]) -> Callable[[str], str]:
    """Lower case, and one space for each run of white space."""
    return lambda text: SPACE_RUN.sub(" ", lower(text))


def load(api: Api, records: Iterable[Record]) -> None:
    """Load records and approve every source."""
    api.deployment.load(records)
    api.deployment.approve(make.ACME, make.OWNER)
