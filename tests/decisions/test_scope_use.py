"""The service marks which scopes its answers needed, and `keys reduce-scopes` takes others away."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from redis import Redis

from orgctx.operations.source_kinds import SCOPES
from orgctx.resources.catalog import OPERATIONS
from orgctx.stores.scope_uses import DAY_SECONDS, KEPT_SECONDS
from tests.cli.terminal import answered
from tests.mcp.endpoint import Endpoint
from tests.operations import ROWS
from tests.support import crawl
from tests.support import factories as f
from tests.support.deployment import Deployment

WHO = ("--organization", "acme", "--by", f.OWNER)
NOW = int(datetime.now(UTC).timestamp())


@pytest.fixture(scope="module", autouse=True)
def derived(acme: Deployment) -> None:
    """A document of an assets source, which both scopes open."""
    acme.load([f.knowledge(1, prefix="assets", content="derived")])


def issue(acme: Deployment, *scopes: str) -> dict[str, Any]:
    rights = ("--access", "both", "--scope", ",".join(scopes or SCOPES), "--expires-in-days", "30")
    key: dict[str, Any] = acme.cli("keys", "issue", *WHO, *rights, "--json").json()
    return key


def get(client: FlaskClient, key: dict[str, Any], path: str) -> int:
    return crawl.rest(client, key["key"], f"/api/v1{path}").status_code


def marks(acme: Deployment, key: dict[str, Any]) -> dict[str, int]:
    """The marks of a key by scope, with the beginning as ``."""
    prefix = f"orgctx:scopes:{{{f.ACME}}}:{key['id']}"
    with Redis.from_url(acme.redis_url) as redis:
        names = [name.decode() for name in redis.keys(f"{prefix}*".replace("{", "[{]"))]
        assert all(0 < redis.ttl(name) <= KEPT_SECONDS for name in names)
        return {name.removeprefix(prefix).lstrip(":"): int(redis.get(name) or -1) for name in names}


def set_mark(acme: Deployment, key: dict[str, Any], scope: str, time: int | None) -> None:
    name = f"orgctx:scopes:{{{f.ACME}}}:{key['id']}" + (f":{scope}" if scope else "")
    with Redis.from_url(acme.redis_url) as redis:
        redis.delete(name) if time is None else redis.set(name, time)


def reduce(acme: Deployment, key: dict[str, Any], *options: str) -> Any:
    return acme.cli("keys", "reduce-scopes", key["id"], *WHO, "--json", *options)


NEEDED = (
    *(
        (row.path, {*row.scopes})
        for row in ROWS.values()
        if len(row.scopes) == 1 and row.path != "/search" and not row.path_arguments
    ),
    ("/people", {"telegram:read", "x:read"}),
    ("/people/telegram%3Auser1", {"telegram:read"}),
    ("/people?q=nobody-has-this-name", {"telegram:read", "x:read"}),
    ("/search?source=docs%3Ahandbook", {"context:read", "knowledge:read"}),
    ("/search?source=telegram%3Amain", {"context:read", "telegram:read"}),
    ("/search?source=assets%3Amain&q=derived", {"context:read", "knowledge:read", "assets:read"}),
    ("/search?source=assets%3Amain&q=no-asset-has-this-name", {"context:read"}),
)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("path", "scopes"), NEEDED)
def test_answer_marks_the_scopes_that_it_needed(
    acme: Deployment, client: FlaskClient, path: str, scopes: set[str]
) -> None:
    key = issue(acme)
    for _ in range(2):
        assert get(client, key, path) == 200
    assert marks(acme, key).keys() == {"", *scopes}
    assert marks(acme, key)[""] == 0


def test_every_operation_marks_one_of_its_scopes() -> None:
    """An operation that any of several scopes opens, or that reads all kinds, is looked into."""
    tried = {path.split("?")[0].split("/")[1] for path, _ in NEEDED}
    missing = {operation.path.split("/")[1] for operation in OPERATIONS} - tried
    assert not missing, f"tests/decisions/test_scope_use.py: add {missing} to NEEDED"


def test_errors_mark_nothing_and_tools_as_rest(acme: Deployment, client: FlaskClient) -> None:
    key = issue(acme)
    assert get(client, key, f"/knowledge/docs:{f.uuid(77)}") == 404
    assert get(client, key, "/knowledge?page=0") == 400
    assert marks(acme, key).keys() == {""}
    Endpoint(client, key["key"]).tool("search_context", source="docs:handbook")
    assert marks(acme, key).keys() == {"", "context:read", "knowledge:read"}


def test_revoked_key_of_a_cached_caller_marks_nothing(
    acme: Deployment, client: FlaskClient
) -> None:
    """The answer comes from the cache, so only the mark waits for the verification."""
    key = issue(acme)
    assert get(client, key, "/knowledge") == 200
    acme.execute("UPDATE api_keys SET revoked_at = now() WHERE id = %s", [key["id"]])
    assert get(client, key, "/sources") == 401
    assert marks(acme, key).keys() == {"", "knowledge:read"}


def test_scope_is_marked_once_a_day(acme: Deployment, client: FlaskClient) -> None:
    """A request whose scopes are marked sends no further command to Redis."""
    key = issue(acme)
    with Redis.from_url(acme.redis_url) as redis:

        def evaluations() -> int:
            return int(redis.info("commandstats").get("cmdstat_eval", {}).get("calls", 0))

        assert get(client, key, "/knowledge") == 200
        before = evaluations()
        for _ in range(5):
            assert get(client, key, "/knowledge") == 200
        assert evaluations() == before
        assert get(client, key, "/x/mentions") == 200
        assert evaluations() == before + 1


def test_reduction_takes_away_what_was_not_used(acme: Deployment, client: FlaskClient) -> None:
    key = issue(acme, "context:read", "knowledge:read", "x:read")
    unused = reduce(acme, key)
    assert (unused.exit_code, "used no scope in 30 days" in unused.stderr) == (1, True)
    for path in ("/context", "/knowledge", "/x/mentions"):
        assert get(client, key, path) == 200
    assert reduce(acme, key).json()["removed"] == []
    set_mark(acme, key, "x:read", NOW - 40 * DAY_SECONDS)
    result = reduce(acme, key)
    assert "x:read would go: not used in 30 days." in result.stderr
    expected = {
        "id": key["id"],
        "scopes": ["context:read", "knowledge:read"],
        "removed": ["x:read"],
    }
    assert result.json() == expected
    assert [get(client, key, path) for path in ("/knowledge", "/x/mentions")] == [200, 403]


@pytest.mark.parametrize(
    ("age", "expected"),
    [
        (None, "is not known, because Redis has no record of it"),
        (0, "is known only from"),
        (20, "is known only from"),
        (40, ""),
    ],
)
def test_reduction_needs_a_complete_record(
    acme: Deployment, client: FlaskClient, age: int | None, expected: str
) -> None:
    """The key is old, and Redis is newer or was emptied since the key was issued."""
    key = issue(acme, "context:read", "x:read")
    assert get(client, key, "/context") == 200
    acme.execute(
        "UPDATE api_keys SET created_at = now() - interval '80 days' WHERE id = %s", (key["id"],)
    )
    set_mark(acme, key, "", None if age is None else NOW - age * DAY_SECONDS)
    result = reduce(acme, key)
    if expected:
        assert result.exit_code == 1
        assert expected in result.stderr
        assert "Nothing was changed." in result.stderr
    else:
        assert result.json()["removed"] == ["x:read"]


def test_emptied_redis_is_no_complete_record(acme: Deployment) -> None:
    key = issue(acme, "context:read", "x:read")
    with Redis.from_url(acme.redis_url) as redis:
        redis.flushdb()
    with acme.app() as app:
        assert get(app.test_client(), key, "/context") == 200
    result = reduce(acme, key)
    assert result.exit_code == 1
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)
    assert f"is known only from {tomorrow} on" in result.stderr


@pytest.mark.thorough
@pytest.mark.parametrize(("answer", "scopes"), [("y\n", ["context:read"]), ("n\n", None)])
def test_reduction_asks_on_a_terminal(
    acme: Deployment, client: FlaskClient, tmp_path: Path, answer: str, scopes: list[str] | None
) -> None:
    key = issue(acme, "context:read", "x:read")
    assert get(client, key, "/context") == 200
    # The former name of the command works until the next release.
    command = ("keys", "narrow", key["id"], *WHO)
    answers = [("x:read would go", ""), ("Take them away? [y/N]: ", answer)]
    assert answered(acme, tmp_path, command, answers)[0] == (0 if scopes else 1)
    ((stored,),) = acme.execute("SELECT scopes FROM api_keys WHERE id = %s", (key["id"],))
    assert stored == (scopes or ["context:read", "x:read"])
    assert "keys narrow" not in acme.cli("audit", "--organization", "acme").stdout
