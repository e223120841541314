"""The large data, made once for all modules that only explain statements over it."""

from __future__ import annotations

import pytest

from tests.scale import data
from tests.support.deployment import Deployment


@pytest.fixture(scope="module")
def scale(module_deployment: Deployment) -> Deployment:
    data.fill(module_deployment)
    return module_deployment
