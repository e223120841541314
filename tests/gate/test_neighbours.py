"""The look-up of a key reads no other organization's sources, whatever the planner expects."""

from __future__ import annotations

from hashlib import sha256

import psycopg
import pytest

from orgctx.stores.db import sql
from tests.support import citus
from tests.support.deployment import Deployment
from tests.support.neighbours import add_neighbours


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
    found = "\n".join(line for (line,) in lines)
    assert "sources_pkey" in found
    assert "Seq Scan" not in found
