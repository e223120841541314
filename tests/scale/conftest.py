"""The large data, made once for all modules that only explain statements over it."""

from __future__ import annotations

import pytest

from tests.deployment import Deployment
from tests.scale import data


@pytest.fixture(scope="module")
def scale(module_deployment: Deployment) -> Deployment:
    data.fill(module_deployment)
    return module_deployment
