"""One loaded organization behind the shipped server."""

from __future__ import annotations

import pytest

from tests import factories as make
from tests.deployment import Deployment


@pytest.fixture(scope="module")
def acme(module_deployment: Deployment) -> Deployment:
    """Loaded and approved; its tests only read."""
    module_deployment.load(make.everything())
    module_deployment.approve(make.ACME, make.OWNER)
    return module_deployment


@pytest.fixture(scope="module")
def key(acme: Deployment) -> str:
    """May do everything."""
    return acme.issue_key(make.ACME, make.OWNER)
