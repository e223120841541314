"""The peers of the benches return what the service returns, or their speed proves nothing."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import Client

from tests.support import citus
from tests.support.deployment import UNLIMITED, Deployment

pytestmark = citus.impossible("the peers let PostgreSQL plan a statement once for all parameters")
LIMITS = ("IP", "KEY", "ORGANIZATION")
ADDRESS = {"REMOTE_ADDR": "127.0.0.1"}


@pytest.fixture(scope="module")
def bare(acme: Deployment) -> Iterator[Client]:
    """The peer that needs no other framework; it shares its reads with the others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ORGCTX_DATABASE_URL", acme.database_url)
        patch.setenv("ORGCTX_REDIS_URL", acme.redis_url)
        for name in LIMITS:
            patch.setenv(f"ORGCTX_LIMIT_{name}", str(UNLIMITED))
        from bench.peers import bare

        yield Client(bare.app)
        for stores in bare.idle:
            stores.cursor.connection.close()
            stores.redis.close()
        bare.idle.clear()


@pytest.fixture
def service(acme_app: Flask) -> FlaskClient:
    return acme_app.test_client()


@pytest.mark.parametrize(
    "path",
    [
        "context",
        "people",
        "assets/{id}",
        "telegram/chats/{id}/messages",
        "knowledge/{id}",
        "search",
        "search?q=e",
    ],
)
def test_peer_returns_the_same_document(
    bare: Client, service: FlaskClient, key: str, path: str
) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    collection, has_id, _ = path.partition("/{id}")
    if has_id:
        listed = service.get(f"/api/v1/{collection}", headers=headers).get_json()["data"]
        path = path.format(id=quote(listed[0]["id"], safe=""))
    expected = service.get(f"/api/v1/{path}", headers=headers)
    answer = bare.get(f"/api/v1/{path}", headers=headers, environ_base=ADDRESS)
    assert answer.status_code == expected.status_code == 200
    assert answer.get_json() == expected.get_json()
