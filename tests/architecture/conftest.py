"""Fixtures of the tests of statements and of record types."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from orgctx.bundle.staging import create_staging


@pytest.fixture(scope="module")
def database(module_database_url: str) -> Iterator[psycopg.Connection[Any]]:
    """A migrated database with the staging tables of a load."""
    with psycopg.connect(module_database_url) as connection:
        connection.execute(create_staging())
        yield connection
        connection.rollback()
