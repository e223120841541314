"""Parameters are accepted and rejected as section 7 of docs/contract.md says."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.conftest import Api
from tests.properties.conftest import load
from tests.support import factories as make
from tests.support.thorough import examples

Check = Callable[[str], bool]
BOOK = f"/knowledge/{make.knowledge_id()}"
MESSAGES = f"/telegram/chats/{make.CHAT}/messages"


@pytest.fixture(scope="module")
def api(module_api: Api) -> Api:
    load(module_api, make.everything())
    return module_api


def integer(low: int, high: int) -> Check:
    return lambda text: bool(re.fullmatch("[0-9]+", text)) and low <= int(text) <= high


def one_of(*choices: str) -> Check:
    return lambda text: text in choices


def text(maximum: int, minimum: int = 0) -> Check:
    return lambda value: minimum <= len(value) <= maximum and "\0" not in value


def matching(pattern: str) -> Check:
    return lambda value: bool(re.fullmatch(pattern, value))


def is_date_time(value: str) -> bool:
    form = r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{1,9})?(Z|[+-](\d\d):(\d\d))"
    match = re.fullmatch(form, value, re.I | re.A)
    if not match:
        return False
    try:
        year, month, day, hour, minute, second = (int(match[number]) for number in range(1, 7))
        datetime(year, month, day, hour, minute, second)
    except ValueError:
        return False
    return int(match[9] or 0) < 24 and int(match[10] or 0) < 60


is_uuid = matching("[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
is_sender = matching(
    r"telegram:[^/\x00-\x1f\x7f-\x9f]{1,200}|(?!telegram:|x:)[^\x00-\x1f\x7f-\x9f]{1,513}"
)
is_username = matching(r"@?[^@\s\x00-\x1f\x7f-\x9f]{1,512}")
PAGE, MESSAGE_ID = integer(1, 10_000), integer(1, 2_147_483_647)
PARAMETERS: dict[str, dict[str, Check]] = {
    "/context": {},
    "/search": {
        "q": text(200), "source": text(150, 1), "after": is_date_time, "before": is_date_time,
        "limit": integer(1, 50),
    },
    "/people": {"q": text(200), "page": PAGE},
    "/knowledge": {
        "q": text(200), "kind": one_of("all", "source", "note"),
        "visibility": one_of("all", "public", "team"), "archived": one_of("true", "false"),
        "page": PAGE,
    },
    BOOK: {"offset": integer(0, 10_000_000), "limit": integer(1, 50_000)},
    "/assets": {"folderId": is_uuid, "page": PAGE},
    "/telegram/chats": {"q": text(200), "page": PAGE},
    MESSAGES: {
        "q": text(200), "sender": is_sender, "since": is_date_time, "until": is_date_time,
        "before": MESSAGE_ID, "around": MESSAGE_ID, "limit": integer(1, 100),
    },
    "/x/mentions": {
        "q": text(200), "after": is_date_time, "before": is_date_time,
        "sort": one_of("newest", "views"), "author": is_username, "limit": integer(1, 100),
        "page": PAGE,
    },
    "/token": {},
}  # fmt: skip

RELATED = ("after", "before", "around", "since", "until")
INTEGERS = st.one_of(
    st.integers(-5, 10_001).map(str),
    st.sampled_from(["0" * 30 + "7", "1" * 40, "2147483647", "2147483648", "10000000", "10000001"]),
    st.from_regex(r"[ +-]?[0-9]{0,6}([.e_][0-9])?\n?", fullmatch=True),
)
NEAR_TIMES = st.from_regex(
    r"(20[0-9]{2}|0000|9999)-[01][0-9]-[0-3][0-9][Tt ][0-2][0-9]:[0-6][0-9]:[0-6][0-9]"
    r"(\.[0-9]{1,10})?([Zz]|[+-][0-2][0-9]:[0-6][0-9]|)",
    fullmatch=True,
)
NEAR_UUIDS = st.one_of(
    st.uuids().map(str),
    st.uuids().map(lambda value: str(value).upper()),
    st.from_regex(r"[0-9a-gA-F]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{11,13}", fullmatch=True),
)
WORDS = st.sampled_from(
    ["", "telegram:user1", *"all source note public team true false ALL True notes views".split()]
)
ARBITRARY = st.text(st.characters(exclude_categories=["Cs"]), max_size=210)
VALUES = st.one_of(INTEGERS, NEAR_TIMES, NEAR_UUIDS, WORDS, ARBITRARY)


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, list[tuple[str, str]]]:
    path = draw(st.sampled_from(list(PARAMETERS)))
    names = st.sampled_from([*PARAMETERS[path], *PARAMETERS[path], "organizationId", "Q", "page "])
    return path, draw(st.lists(st.tuples(names, VALUES), max_size=3))


def invalid(path: str, pairs: list[tuple[str, str]]) -> set[str]:
    """Return the parameters for which a request must be rejected."""
    checks = PARAMETERS[path]
    names = [name for name, _ in pairs]
    names_of_errors = {name for name in names if name not in checks or names.count(name) > 1}
    return names_of_errors | {
        name for name, value in pairs if name in checks and not checks[name](value)
    }


@given(request=requests(), encode=st.sampled_from([quote, quote_plus]))
@examples(200)
def test_parameters_are_parsed_strictly(
    api: Api, request: tuple[str, list[tuple[str, str]]], encode: Any
) -> None:
    """[7.3] [7.18] [7.19] [7.20] [7.26]"""
    path, pairs = request
    query = "&".join(f"{encode(name, safe='')}={encode(value, safe='')}" for name, value in pairs)
    response = api.request(f"{path}?{query}")
    expected = invalid(path, pairs)
    related = [name for name, _ in pairs if name in RELATED]
    if expected:
        assert response.status_code == 400, (path, pairs)
        message = response.json["error"]["message"]
        assert all(f"{name[:100]} " in message for name in expected)
    elif not related:
        assert response.status_code in (200, 404), response.text
    else:
        # An empty period is rejected too, a time that PostgreSQL cannot store, and around with a
        # parameter that it excludes.
        assert response.status_code in (200, 400, 404)


@given(value=st.one_of(NEAR_TIMES, TIMES := st.datetimes().map(lambda at: at.isoformat() + "Z")))
@examples(100)
def test_date_times_are_parsed_strictly(api: Api, value: str) -> None:
    """[7.21]"""
    response = api.request(f"/search?after={quote(value, safe='')}")
    is_edge = value[:4] in ("0001", "9999")
    assert response.status_code == (200 if is_date_time(value) else 400) or is_edge


@given(raw=st.binary(min_size=1, max_size=6))
@examples(150)
def test_raw_bytes_must_be_utf8(api: Api, raw: bytes) -> None:
    """[7.26]"""
    encoded = "".join(f"%{byte:02X}" for byte in raw)
    try:
        is_text = "\0" not in raw.decode()
    except UnicodeDecodeError:
        is_text = False
    response = api.request(f"/people?q={encoded}")
    assert response.status_code == (200 if is_text else 400)
    assert api.request(f"/people?x{encoded}=1").status_code == 400
