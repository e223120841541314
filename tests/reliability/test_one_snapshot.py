"""An answer that several statements read shows one state of the data, even during a load."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count

import psycopg
import pytest

from tests.mcp.endpoint import call
from tests.support import citus
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.waiting import until

CHANGES = (
    "UPDATE knowledge SET title = %(title)s",
    "UPDATE assets SET name = %(title)s",
)


@citus.impossible("servers do not share a snapshot")
@pytest.mark.parametrize("is_mcp", [False, True])
def test_search_during_a_load_shows_one_state(own_acme: Deployment, is_mcp: bool) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    numbers = count()
    with own_acme.client(key) as client, psycopg.connect(own_acme.admin_url) as loader:

        def titles() -> set[str]:
            if is_mcp:
                answer = client.post("/api/mcp", json=call("search_context", {}))
                data = answer.json["result"]["structuredContent"]["data"]
            else:
                data = client.get("/api/v1/search").json["data"]
            kinds = {item["kind"] for item in data["items"]}
            assert {"document", "asset"} <= kinds, kinds
            return {
                item["title"] for item in data["items"] if item["kind"] in ("document", "asset")
            }

        def load() -> str:
            title = f"load {next(numbers)}"
            for change in CHANGES:
                loader.execute(change, {"title": title})
            return title

        old = load()
        loader.commit()
        assert titles() == {old}
        for table in ("knowledge", "assets"):
            # The statement that reads this table waits for the load, the others do not.
            loader.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
            new = load()
            with ThreadPoolExecutor(1) as pool:
                answer = pool.submit(titles)
                until(lambda: own_acme.waiting() == 1, "no statement waits")
                loader.commit()
            assert answer.result() in ({old}, {new}), table
            old = new
