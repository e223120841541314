"""Fixtures of the tests of statements and of record types."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from orgctx.bundle.records import TYPES
from orgctx.bundle.staging import Staging
from tests.support.deployment import Deployment


@pytest.fixture(scope="module")
def database(module_deployment: Deployment) -> Iterator[psycopg.Connection[Any]]:
    """A migrated database with the staging tables of a load."""
    with psycopg.connect(module_deployment.admin_url) as connection:
        staging = Staging(connection)
        for record_type in TYPES.values():
            staging.create(record_type)
        yield connection
        connection.rollback()
