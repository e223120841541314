"""Lighthouse finds nothing to improve, in what does not depend on the speed of the machine."""

from __future__ import annotations

import pytest

from tests.mcp.served import Served
from tests.page.scores import FORMS, TIMELESS, scores

pytestmark = pytest.mark.system


@pytest.mark.parametrize("form", FORMS)
def test_lighthouse_scores_are_full(harbor: Served, form: str) -> None:
    url = f"http://127.0.0.1:{harbor.port}/"
    result = scores(url, form, f"--only-categories={','.join(TIMELESS)}")
    assert result == dict.fromkeys(TIMELESS, 100)
