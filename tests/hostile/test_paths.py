"""Other spellings of a path get 404, and no header changes the path."""

from __future__ import annotations

import pytest

from tests.support.service import Running, exchange, head

NOT_FOUND = [
    "//api/v1/sources", "///api/v1/sources", "/api//v1/sources", "/api%2Fv1/sources",
    "/api%2fv1/sources", "/%2Fapi/v1/sources", "/api/v1%2Fsources", "/api/v1/telegram%2Fchats",
    "/api/v1/x%2fmentions", "//api/mcp", "/api%2Fmcp", "//healthz", "/api/v1/./sources",
    "/api/v1/x/../sources", "http://127.0.0.1//api/v1/sources",
    "http://127.0.0.1/api%2Fv1/sources",
]  # fmt: skip


@pytest.mark.parametrize("path", NOT_FOUND)
def test_other_spellings_of_a_path_are_not_found(running: Running, key: str, path: str) -> None:
    (answer,) = exchange(running, head(path, key, "Connection: close"))
    assert answer.status == 404
    assert "not_found" in str(answer.body["error"])


@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/", "/api/v1/nothing"])
def test_unknown_api_path_passes_the_gate(running: Running, key: str, path: str) -> None:
    (unauthorized,) = exchange(running, head(path, "", "Connection: close"))
    assert unauthorized.status == 401
    (not_found,) = exchange(running, head(path, key, "Connection: close"))
    assert not_found.status == 404
    assert int(not_found.headers["ratelimit-remaining"]) >= 0
    (wrong_method,) = exchange(running, head(path, key, "Connection: close", method="DELETE"))
    assert wrong_method.status == 405
    assert wrong_method.headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    "path", ["/api/v1/sources", "http://elsewhere/api/v1/sources", "/%61pi/v1/%73ources"]
)
def test_plain_path_is_found_and_needs_a_key(running: Running, key: str, path: str) -> None:
    for caller_key, status in ((key, 200), ("", 401)):
        (answer,) = exchange(running, head(path, caller_key, "Connection: close"))
        assert answer.status == status


@pytest.mark.parametrize(
    "line",
    ["SCRIPT_NAME: /api", "SCRIPT_NAME: /elsewhere", "SCRIPT-NAME: /api", "PATH_INFO: /healthz",
     "Script_Name: /api/v1", "X-Script-Name: /api", "X_FORWARDED_FOR: 203.0.113.9",
     "REMOTE_USER: root", "X-Forwarded-Proto: https", "X-Forwarded-Ssl: on",
     "X-Forwarded-Prefix: /api", "Upgrade: h2c"],
)  # fmt: skip
def test_headers_do_not_change_the_path(running: Running, key: str, line: str) -> None:
    lines = (line, "Connection: close")
    for path, statuses in (("/api/v1/sources", [200]), ("/v1/sources", [404]), ("/sources", [404])):
        answers = exchange(running, head(path, key, *lines))
        assert [answer.status for answer in answers] == statuses
        assert isinstance(answers[0].body, dict)
