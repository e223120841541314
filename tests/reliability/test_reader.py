"""The service's database password allows what SECURITY.md says, and no more."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from orgctx.stores.deadline import Deadline
from orgctx.stores.pool import Pool
from tests.mcp.endpoint import Endpoint, call
from tests.support import citus
from tests.support import factories as make
from tests.support.deployment import Deployment, new_login
from tests.support.waiting import until

SECURITY = Path(__file__).parents[2] / "docs/SECURITY.md"
WRITE_LARGE_OBJECT = "SELECT lo_from_bytea(0, 'large')"


@pytest.fixture
def login(deployment: Deployment) -> Iterator[str]:
    """The URL of a service login, which can only switch to the reading role."""
    with new_login(deployment, "GRANT orgctx_reader TO {}") as url:
        yield url


def test_reader_writes_large_objects_until_revoked(deployment: Deployment, login: str) -> None:
    revoke = re.search(r"`(REVOKE EXECUTE [^`]+)`", SECURITY.read_text())
    assert revoke
    with psycopg.connect(login, autocommit=True) as connection:
        written = connection.execute(WRITE_LARGE_OBJECT).fetchone()
        assert written
        deployment.execute(revoke[1])
        for write in (
            WRITE_LARGE_OBJECT, "SELECT lo_create(0)", "SELECT lo_creat(-1)",
            f"SELECT lo_put({written[0]}, 0, 'x')",
            f"SELECT lowrite(lo_open({written[0]}, 131072), 'x')",
            f"SELECT lo_truncate(lo_open({written[0]}, 131072), 0)",
        ):  # fmt: skip
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(write)


def test_reader_delays_no_load(deployment: Deployment, login: str) -> None:
    """It can take any advisory lock, but loads lock a row that it cannot read."""
    with psycopg.connect(login) as connection:
        connection.execute("SET ROLE orgctx_reader")
        with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
            connection.execute(
                "SELECT FROM organization_locks WHERE organization_id = %s FOR UPDATE", [make.ACME]
            )
        for mode in ("ROW SHARE", "ROW EXCLUSIVE", "SHARE", "EXCLUSIVE", "ACCESS EXCLUSIVE"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                connection.execute(f"LOCK TABLE organizations IN {mode} MODE")
        connection.execute("LOCK TABLE organizations IN ACCESS SHARE MODE")
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [make.ACME])
        deployment.load(make.everything())


def test_reader_can_change_its_settings_and_password(deployment: Deployment, login: str) -> None:
    """The service's connections set everything that they rely on."""
    with psycopg.connect(login, autocommit=True) as connection:
        name = sql.Identifier(connection.info.user)
        for change in (
            "SET default_transaction_read_only = off", "SET statement_timeout = 4321",
            "SET role = none", "SET timezone = 'Asia/Tokyo'", "PASSWORD 'second'",
        ):  # fmt: skip
            connection.execute(sql.SQL("ALTER ROLE {} " + change).format(name))
        for change in ("SUPERUSER", "CREATEROLE", "BYPASSRLS", "REPLICATION"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(sql.SQL("ALTER ROLE {} " + change).format(name))
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("ALTER ROLE orgctx_reader SET statement_timeout = 1")
    pool = Pool(make_conninfo(login, password="second"), size=1, timeout_seconds=5)
    with closing(pool.connections.take(Deadline(5))) as taken:
        settings = (
            b"SELECT current_user, current_setting('default_transaction_read_only'), "
            b"current_setting('statement_timeout') <> '4321ms', current_setting('timezone')"
        )
        (result,) = taken.run([(settings, ())], Deadline(5))
        assert taken.rows(result) == [("orgctx_reader", "on", True, "UTC")]


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


DOCUMENTS, LENGTH = 30, 200_000
# Documents contain all its tokens, so each of them is a candidate.
TERM = "ab" * 10 + "ba" * 20


def letters(seed: int) -> str:
    """Random letters a and b."""
    bits = f"{Random(seed).getrandbits(LENGTH):0{LENGTH}b}"
    return bits.translate({48: "a", 49: "b"})


@pytest.mark.thorough
def test_search_in_adversarial_texts_gets_504(deployment: Deployment) -> None:
    documents = (make.knowledge(number, content=letters(number)) for number in range(DOCUMENTS))
    deployment.load_acme(make.source("docs"), *documents)
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
