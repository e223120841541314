"""Addresses and forms that no page of the desk has."""

from typing import Any

from tests.desk.conftest import Browser
from tests.support import factories as make
from tests.support.deployment import Deployment

PREVIEW, DECIDE = "/source/preview?decision=approve", "/source/decide"
DOCUMENT = f"/documents/{make.knowledge_id()}"
TOO_LARGE = str(2**63)
FIFTY_ONE = [f"x{number}" for number in range(51)]
ADDRESSES: list[tuple[str, int]] = [
    (PREVIEW, 404),
    (f"{PREVIEW}&source=docs:handbook&source=docs:nowhere", 404),
    ("/source/preview?decision=delete&source=docs:handbook", 400),
    ("/source/preview?source=docs:handbook", 400),
    (PREVIEW + "&source=docs:handbook" * 50, 200),
    (PREVIEW + "".join(f"&source=docs:{n}" for n in range(26)), 400),
    *((f"/source?id={id_}", 404) for id_ in ("", "%00", "a" * 201)),
    *((f"{PREVIEW}&source={id_}", 404) for id_ in ("", "%00", "a" * 201)),
    *((f"{DOCUMENT}?offset={one}", 404) for one in ("-1", "1e3", "99999999999", "x", "²")),
    # What no record has is found nowhere, and a choice that is none is ignored.
    *((path, 200) for path in ("/audit?command=%00", "/audit?object=%00", "/documents?q=%00")),
    # A page that is none is the first one, and before no record is the newest.
    *((f"/audit?before={one}", 200) for one in ("0", "-1", TOO_LARGE, "9" * 300, "９")),
    *((f"/keys?page={one}", 200) for one in ("0", "２", "9" * 30)),
]
RIGHTS: dict[str, Any] = {
    "name": "laptop", "access": "api", "scopes": "context:read", "days": "7", "limit": "chosen",
    "once": make.uuid("once"),
}  # fmt: skip
FORMS: list[tuple[str, dict[str, Any], int, str]] = [
    *((f"/audit/{one}/undo", {}, 404, "") for one in ("0", "-1", TOO_LARGE, "9" * 300)),
    (DECIDE, {"decision": "delete", "source": "docs:handbook"}, 400, ""),
    (DOCUMENT, {"decision": "delete"}, 400, ""),
    (f"/members/{make.MEMBER}", {"role": "king"}, 400, "There is no such role."),
    ("/keys/issue", RIGHTS | {"source_ids": "docs:nowhere"}, 409, ""),
    ("/keys/issue", RIGHTS | {"source_ids": "a\0"}, 404, ""),
    *(("/keys/issue", RIGHTS | {"limit": "all"} | rights, 400, message) for rights, message in (
        ({"name": "octx_1"}, "no id or key"),
        ({"name": "two\u202elines"}, "printable characters"),
        ({"name": "a\0"}, "printable characters"),
        ({"scopes": []}, "Choose at least one scope."),
        ({"scopes": ["root"]}, "Choose at least one scope."),
        ({"limit": "chosen"}, "Choose a source."),
        ({"access": "x"}, "Choose an access."),
        ({"days": "8"}, "Choose a lifetime."),
        # The rest of the form is kept.
        ({"days": "8"}, 'value="laptop"'),
    )),
    *((DECIDE, {"decision": one}, 409, "Tick a source first.") for one in ("approve", "exclude")),
    *((DECIDE, {"decision": one, "source": FIFTY_ONE}, 400, "Choose at most 25 sources")
      for one in ("approve", "exclude")),
    *(("/documents", {"decision": one}, 409, "Tick a document first.")
      for one in ("restore", "suppress")),
    *(("/documents", {"decision": one, "document": FIFTY_ONE}, 400, "Choose at most 50 documents")
      for one in ("restore", "suppress")),
]  # fmt: skip


def test_invalid_address_is_refused(reader: Browser) -> None:
    for path, status in ADDRESSES:
        assert reader.get(path).status_code == status, path


def test_invalid_form_changes_nothing_and_says_what_is_wrong(
    reader: Browser, acme: Deployment
) -> None:
    before = acme.decided()
    for path, fields, status, message in FORMS:
        response = reader.send(path, fields)
        assert (response.status_code, message in response.text) == (status, True), (path, fields)
    assert acme.decided() == before
