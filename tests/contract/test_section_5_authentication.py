"""Section 5: keys, their holders' authority, scopes, and the order of checks."""

from collections.abc import Callable
from typing import Any

import pytest

from orgctx import key_format
from tests.contract.conftest import Api
from tests.operations import PATHS, ROWS
from tests.support import crawl
from tests.support import factories as make

BY = ("--organization", make.ACME, "--by")


def status(api: Api, key: str) -> int:
    """The status of a request with a key."""
    return crawl.rest(api.client, key, "/api/v1/sources").status_code


def unauthorized(api: Api, authorization: str | None, path: str = "/sources") -> str:
    """What a 401 says."""
    headers = {} if authorization is None else {"Authorization": authorization}
    response = api.client.get(f"/api/v1{path}", headers=headers)
    assert response.status_code == 401
    message: str = response.json["error"]["message"]
    return message


def test_authorization_header(api: Api) -> None:
    """[5.1] [7.17]"""
    key = api.key()
    for scheme in ("Bearer", "bearer", "BEARER"):
        headers = {"Authorization": f"{scheme} {key}"}
        assert api.client.get("/api/v1/context", headers=headers).status_code == 200
    for path in (*PATHS.values(), "/nothing", "/openapi.json/"):
        assert "Authorization: Bearer <API_KEY>" in unauthorized(api, None, path)


@pytest.mark.parametrize(
    "name",
    ["${ORGCTX_API_KEY}", "${env:KEY}", "${input:api-key}", "$ORGCTX_API_KEY", "%KEY%", "${}"],
)
def test_unreplaced_variable_is_explained(api: Api, name: str) -> None:
    """[7.17]"""
    message = unauthorized(api, f"Bearer {name}")
    assert "names a variable" in message
    assert name not in message
    for other in ("octx_no", f"{name}x y", "$", f"x{name}", "%%"):
        assert "variable" not in unauthorized(api, f"Bearer {other}")
    assert "variable" not in unauthorized(api, f"Basic {name}")


def test_key_is_read_from_no_other_place(api: Api, capfd: pytest.CaptureFixture[str]) -> None:
    """[5.2]"""
    key = api.key()
    for name in ("key", "api_key", "access_token"):
        assert unauthorized(api, None, f"/context?{name}={key}")
        api.get("/context", status=400, **{name: key})
    client = api.client
    client.set_cookie("key", key)
    assert client.get("/api/v1/context", headers={"X-Api-Key": key}).status_code == 401
    client.delete_cookie("key")
    api.request("/context")
    output = "".join(capfd.readouterr())
    assert '"route":"/api/v1/context"' in output
    assert key not in output
    assert "Set-Cookie" not in api.request("/context").headers


def test_malformed_key_is_not_looked_up(acme_api: Callable[..., Api]) -> None:
    """[5.15]"""
    client = acme_api(database_url="postgresql://127.0.0.1:1/nowhere").client
    key = key_format.generate()
    for authorization, status in ((f"Bearer {key}", 503), (f"Bearer {key[:-6]}000000", 401)):
        response = client.get("/api/v1/sources", headers={"Authorization": authorization})
        assert response.status_code == status


def test_malformed_key_is_explained(api: Api) -> None:
    """[7.4] [7.17] The message says what is wrong with the header without quoting it."""
    key = api.key()
    expected = {
        "": "Send the API key in the header `Authorization: Bearer <API_KEY>`",
        key: "The Authorization header has no scheme.",
        f"Basic {key}": "The Authorization header is not Bearer.",
        "Bearer": "it is empty",
        "Bearer laptop": "a key begins with octx_",
        f"Bearer {key[:-5]}": "it has 40 characters instead of 45",
        f"Bearer {key} {key}": "it has 91 characters instead of 45",
        f"Bearer {key[:-1]}!": "its checksum does not match",
        f"Bearer {key[:-6]}000000": "its checksum does not match",
        f"Bearer {key.upper()}": "a key begins with octx_",
        "Bearer 🔑": "a key begins with octx_",
        "Bearer \x00": "",
        f"Bearer {key_format.generate()}": "",
    }
    for authorization, text in expected.items():
        message = unauthorized(api, authorization)
        assert text in message
        assert key[5:-6] not in message
        assert "laptop" not in message


# Records to load, or a statement.
ENDINGS: dict[str, Any] = {
    "expired": "UPDATE api_keys SET expires_at = now()",
    "revoked": None,
    "demoted": [make.member(make.ADMIN, "member")],
    "removed": [make.member(make.ADMIN, "removed")],
    "left": [make.delete("member", make.ADMIN)],
}


def test_keys_stop_authenticating(small_api: Callable[..., Api]) -> None:
    """[5.9] [7.17] [5.10]"""
    small = small_api()
    rights = ("--access", "api", "--scope", "context:read", "--expires-in-days", 30)
    for ending, how in ENDINGS.items():
        issued = small.deployment.cli("keys", "issue", *BY, make.ADMIN, *rights, "--json").json()
        id_, key = issued["id"], issued["key"]
        assert status(small, key) == 200
        if how is None:
            small.deployment.cli("keys", "revoke", id_, "--by", make.OWNER).done()
        elif isinstance(how, str):
            small.deployment.execute(how)
        else:
            small.deployment.load(how)
        unknown = unauthorized(small, f"Bearer {key_format.generate()}")
        assert unauthorized(small, f"Bearer {key}") == unknown, ending
        if isinstance(how, list):
            small.deployment.load([make.member(make.ADMIN, "owner")])
            assert status(small, key) == 200


def test_scope_and_access_expose_nothing(own_api: Callable[..., Api]) -> None:
    """[3.2.8]"""
    api = own_api()
    api.deployment.load(make.everything())
    assert api.data("/context")["organization"] == {"id": make.ACME}
    for name in PATHS:
        path = PATHS[name]
        if "{" in ROWS[name].path or name == "get_token":
            api.get(path, status=404)
            continue
        body = api.get(path)
        assert body["meta"]["freshness"] == {
            "source": body["meta"]["freshness"]["source"],
            "updatedAt": None,
            "status": "unavailable",
            "note": "No approved source that this key may read holds such data.",
        }
        if isinstance(body["data"], list):
            assert body["data"] == []
    api.get("/assets", folderId=make.uuid("Brand"), status=404)
    assert api.data("/search") == {"items": [], "sources": [], "hasMore": False}


def test_etag_is_compared_after_the_read(small_api: Callable[..., Api]) -> None:
    """[1.1]"""
    small = small_api()
    path = f"/knowledge/{make.knowledge_id()}"
    etag = small.request(path).headers["ETag"]
    condition: dict[str, Any] = {"headers": {"If-None-Match": etag}}
    assert small.request(path, **condition).status_code == 304
    assert small.client.get(f"/api/v1{path}", headers=condition["headers"]).status_code == 401
    small.deployment.load([make.knowledge(title="Changed")])
    assert small.request(path, **condition).status_code == 200
    small.deployment.load([make.knowledge()])
    assert small.request(path, **condition).status_code == 304
    small.deployment.cli("sources", "withdraw", *make.WHO, "docs:handbook")
    assert small.request(path, headers={"If-None-Match": "*"}).status_code == 404


def test_events_do_not_exist(api: Api) -> None:
    """[6.1]"""
    for path in ("/events", "/webhooks", "/stream", "/subscriptions"):
        api.get(path, status=404)
