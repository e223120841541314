"""A search answers the same bytes, in whatever order its data were loaded."""

from random import Random

import pytest

from orgctx.embedded import Servers
from tests.mcp.endpoint import call, connected
from tests.support import factories as make
from tests.support.deployment import Deployment, copied

# More than are ranked or returned, and equal but for their ids.
COUNT = 70
AT = "2026-02-01T00:00:00Z"
RECORDS = [
    record
    for number in range(COUNT)
    for record in (
        make.knowledge(f"equal{number}", content=f"A walnut by the quokka, {number % 3}."),
        make.message(number + 100, text=f"A quokka, and a walnut, {number % 3}.", sentAt=AT),
        make.mention(number + 100, text=f"walnut or quokka, {number % 3}", createdAt=AT),
        make.asset(f"walnut of a quokka {number}.png", updatedAt=AT),
    )
]
QUERIES = ("quokka", "quokka walnut", "walnut absent quokka 1", "quokak", "walnut quokkas")


def answers(deployment: Deployment, seed: int) -> list[bytes]:
    """Return what REST and the tools answer after a load in the order of a seed."""
    shuffled = Random(seed).sample(RECORDS, len(RECORDS))
    # Several loads, because one may sort its records.
    for start in range(4):
        deployment.load(shuffled[start::4])
    key = deployment.issue_key(make.ACME, make.OWNER)
    bodies = []
    with connected(deployment, key) as endpoint:
        for q in QUERIES:
            query = {"q": q, "limit": 50}
            headers = {"Authorization": f"Bearer {key}"}
            sent = (
                endpoint.client.get("/api/v1/search", query_string=query, headers=headers),
                endpoint.send(call("search_context", {"q": q})),
                endpoint.send(call("list_knowledge", {"q": q})),
                endpoint.send(call("list_assets", {"q": q})),
            )
            for response in sent:
                assert response.status_code == 200
                request_id = response.headers["X-Request-Id"].encode()
                bodies.append(response.data.replace(request_id, b""))
    return bodies


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [2, 3])
def test_order_of_loading_changes_no_answer(
    servers: Servers, acme_template: str, seed: int
) -> None:
    with copied(servers, acme_template) as one, copied(servers, acme_template) as other:
        assert answers(one, 1) == answers(other, seed)
