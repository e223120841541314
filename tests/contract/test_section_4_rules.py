"""Section 4, its general rules: methods, bodies, parameters, conditional requests, scopes."""

import pytest

from orgctx.operations.source_kinds import SCOPES
from tests.contract import data
from tests.contract.conftest import Api
from tests.operations import NUMBERED, PATHS, ROWS
from tests.support import factories as make

every_operation = pytest.mark.parametrize("name", PATHS)


@every_operation
def test_other_methods_are_405(api: Api, name: str) -> None:
    """[1.2]"""
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FROB"):
        response = api.request(PATHS[name], method=method)
        assert (response.status_code, response.headers["Allow"]) == (405, "GET, HEAD"), method


@every_operation
def test_head_is_get_without_the_body(api: Api, name: str) -> None:
    """[1.3]"""
    get = api.request(PATHS[name])
    head = api.request(PATHS[name], method="HEAD")
    assert (head.status_code, head.data) == (200, b"")
    changing = ("X-Request-Id", "RateLimit-Remaining", "RateLimit-Reset", "Date")
    headers = [
        {name: value for name, value in response.headers.items() if name not in changing}
        for response in (get, head)
    ]
    assert headers[0] == headers[1]
    before, after = (int(response.headers["RateLimit-Remaining"]) for response in (get, head))
    assert after == before - 1


@every_operation
def test_bodies_are_413(api: Api, name: str) -> None:
    """[1.4]"""
    assert api.request(PATHS[name], body=b"{}").status_code == 413
    chunked = {"Transfer-Encoding": "chunked"}
    assert api.request(PATHS[name], headers=chunked).status_code == 413
    assert api.request(PATHS[name], body=b"").status_code == 200


@every_operation
def test_unknown_parameters_are_400(api: Api, name: str) -> None:
    """[1.13] [5.3]"""
    for parameter in ("verbose", "organizationId", "organization_id", "organization"):
        message = api.message(PATHS[name], 400, **{parameter: data.FOREIGN})
        assert message.startswith(f"{parameter} is not a parameter; ")
    assert "verbose" in api.message(PATHS[name] + "?verbose", 400)


@every_operation
def test_conditional_requests(api: Api, name: str) -> None:
    """[1.8] [1.9] [1.11]"""
    path = PATHS[name]
    etag = api.request(path).headers["ETag"]
    for value in (etag, f"W/{etag}", "*", f'"other", {etag}', f'W/"other" , W/{etag}'):
        response = api.request(path, headers={"If-None-Match": value})
        assert (response.status_code, response.data) == (304, b""), value
        assert response.headers["ETag"] == etag
        assert "Content-Type" not in response.headers
    for value in ('"other"', 'W/"other"', '"', etag.strip('"'), f"{etag}x"[1:]):
        assert api.request(path, headers={"If-None-Match": value}).status_code == 200, value


@pytest.mark.parametrize(
    "headers",
    [
        {"If-Match": '"other"'},
        {"If-Unmodified-Since": "Mon, 01 Jan 2001 00:00:00 GMT"},
        {"If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"},
        {"Range": "bytes=0-1"},
        {"Accept": "text/html"},
    ],
)
def test_other_request_headers_are_ignored(api: Api, headers: dict[str, str]) -> None:
    plain = api.request("/sources")
    response = api.request("/sources", headers=headers)
    assert (response.status_code, response.data) == (200, plain.data)


@every_operation
def test_scopes(api: Api, name: str) -> None:
    """[4.0.1]"""
    wanted = ROWS[name].scopes
    others = tuple(scope for scope in SCOPES if scope not in wanted)
    assert api.request(PATHS[name], scopes=others).status_code == 403
    for scope in SCOPES:
        response = api.request(PATHS[name], scopes=(scope,))
        if scope in wanted:
            assert response.status_code in (200, 404), scope
        else:
            assert response.status_code == 403, scope
            assert response.json["error"]["message"].startswith(
                f"This key lacks the scope {' or '.join(wanted)}; "
            )


@pytest.mark.parametrize("name", NUMBERED)
def test_invalid_pages_are_400(api: Api, name: str) -> None:
    """[7.18]"""
    for page in ("0", "10001", "-1", "+1", "1.0", "1e1", " 1", "", "x", "١", "9" * 99):
        message = api.message(PATHS[name], 400, page=page)
        assert message == "page must be an integer from 1 to 10000", page
    assert api.message(f"{PATHS[name]}?page=1&page=1", 400) == "page must be given once"


@pytest.mark.parametrize("name", NUMBERED)
def test_pages(api: Api, name: str) -> None:
    """[3.3.4] [4.0.4]"""
    first = api.get(PATHS[name])
    assert first == api.get(PATHS[name], page=1) == api.get(PATHS[name], page="0001")
    assert first["pagination"]["page"] == 1
    last = api.get(PATHS[name], page=10_000)
    assert last["data"] == []
    note = last["meta"]["freshness"]["note"]
    assert note.endswith("No stored record matches this request.")
    assert last["pagination"]["total"] == first["pagination"]["total"]


def test_all_errors_are_named_at_once(api: Api) -> None:
    """[7.16]"""
    query = {"kind": "nots", "visibility": "x", "page": 0, "q": "x" * 201, "z": 1}
    assert api.message("/knowledge", 400, **query) == (
        "z is not a parameter; the parameters are q, kind, visibility, archived, page; "
        "q must be a string of at most 200 characters, not 201; "
        "kind must be one of all, source, note; did you mean 'note'?; "
        "visibility must be one of all, public, team; "
        "page must be an integer from 1 to 10000"
    )


MALFORMED_PATHS = [
    *(f"/assets/{id_}" for id_ in ("x", make.uuid(1)[:-1], make.uuid(1).replace("-", ""),
                                   f"{{{make.uuid(1)}}}", f"urn:uuid:{make.uuid(1)}", "%00")),
    *(f"/telegram/chats/{id_}/messages" for id_ in ("1", "%20" + make.CHAT, "x%00")),
    *(f"/knowledge/{id_}" for id_ in (
        "docs", "docs:", make.uuid(1), f"team:{make.uuid(1)}", f"Docs:{make.uuid(1)}",
        f"docs:{make.uuid(1)}0", "chain:0x" + "AB" * 20, "chain:" + "ab" * 20,
        f"chain:{make.uuid(1)}", f"docs:{make.uuid(1)}%0A",
    )),
    f"/people/{'x' * 251}", "/people/a%00b",
]  # fmt: skip


@pytest.mark.parametrize("path", MALFORMED_PATHS)
def test_malformed_path_ids_are_400(api: Api, path: str) -> None:
    """[4.7.2]"""
    assert api.request(path).status_code == 400


def test_scope_is_checked_before_parameters(api: Api) -> None:
    """[1.2] [1.1]"""
    for path in ("/token?x=1", "/assets/x", "/assets?page=0"):
        assert api.request(path, scopes=("x:read",)).status_code == 403
    assert api.request("/nothing?x=1", scopes=("x:read",)).status_code == 404
    assert api.request("/nothing", method="POST").status_code == 405
    assert api.request("/nothing", body=b"x").status_code == 413
