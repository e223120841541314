"""A search that takes too long gets 504, whatever the texts; other requests do not."""

from random import Random

import pytest

from tests.mcp.endpoint import Endpoint
from tests.support import factories as make
from tests.support.deployment import Deployment

DOCUMENTS, LENGTH = 30, 200_000
# Documents contain all its tokens, so each of them is a candidate.
TERM = "ab" * 10 + "ba" * 20


def letters(seed: int) -> str:
    """Random letters a and b."""
    bits = f"{Random(seed).getrandbits(LENGTH):0{LENGTH}b}"
    return bits.translate({48: "a", 49: "b"})


@pytest.mark.thorough
def test_search_in_adversarial_texts_gets_504(deployment: Deployment) -> None:
    deployment.load([make.organization(), *make.staff(), make.source("docs")])
    deployment.load(make.knowledge(number, content=letters(number)) for number in range(DOCUMENTS))
    deployment.approve(make.ACME, make.OWNER)
    key = deployment.issue_key(make.ACME, make.OWNER)
    with deployment.client(key, search_timeout_seconds=0.01) as client:
        # The first request looks the key up before it searches, later ones do both at once.
        for path in ("search", "knowledge", "search"):
            url = f"/api/v1/{path}"
            response = client.get(f"{url}?q={TERM}")
            assert (response.status_code, response.json["error"]["code"]) == (504, "timeout")
            assert "search took too long" in response.json["error"]["message"]
            assert client.get(url).status_code == 200
        error = Endpoint(client, key).tool_error("search_context", q=TERM)
        assert "took too long" in error["message"]
