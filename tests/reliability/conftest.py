"""A loaded organization, served by the shipped server."""

from __future__ import annotations

import pytest

from tests.support import factories as make
from tests.support.deployment import Deployment


@pytest.fixture(scope="module")
def key(acme: Deployment) -> str:
    """A key with every scope."""
    return acme.issue_key(make.ACME, make.OWNER)
