"""The contract as it is built without a base URL."""

from typing import Any

import orjson
import pytest

from orgctx.config.settings import Config
from orgctx.openapi.document import build


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    built: dict[str, Any] = orjson.loads(build(Config.base_url))
    return built
