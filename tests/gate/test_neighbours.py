"""The key look-up reads no sources of other organizations, with any kind of plan."""

from hashlib import sha256

import psycopg
import pytest

from orgctx.stores.db import sql
from tests.support import citus
from tests.support.deployment import Deployment
from tests.support.neighbours import add_neighbours


@pytest.mark.thorough
@citus.impossible("the function reads shards")
@pytest.mark.parametrize("plan", ["force_generic_plan", "force_custom_plan"])
def test_key_look_up_uses_indexes(own_acme: Deployment, plan: str) -> None:
    add_neighbours(own_acme.admin_url)
    key_hash = sha256(b"no key of anybody").digest()
    with psycopg.connect(own_acme.admin_url, autocommit=True) as connection:
        connection.prepare_threshold = 0
        connection.execute(f"SET plan_cache_mode = {plan}")  # type: ignore[arg-type]
        explain = f"EXPLAIN {sql('gate/find_key')}"
        lines = connection.execute(explain, {"key_hash": key_hash}).fetchall()  # type: ignore[arg-type]
    plan_text = "\n".join(line for (line,) in lines)
    assert "sources_pkey" in plan_text
    assert "Seq Scan" not in plan_text
