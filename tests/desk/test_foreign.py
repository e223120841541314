"""In every view, an object of another organization is as unknown as one that nobody has."""

import re
from uuid import uuid4

from flask import Flask

from tests.desk.conftest import Browser, signed_in
from tests.support import factories as make
from tests.support.deployment import Deployment

OTHER, OWNER, SECRET = make.uuid("other organization"), make.uuid("its owner"), "quokka"
RECORDS = [
    make.organization(OTHER, slug="other", displayName=SECRET),
    make.member(OWNER, organization_id=OTHER, displayName=SECRET),
    make.source("docs", "docs:foreign", organization_id=OTHER, label=SECRET),
    make.knowledge("foreign", source_id="docs:foreign", organization_id=OTHER, title=SECRET),
]
# Views that find their objects in the query or the form.
BY_FIELDS = ("sources.", "documents.decide_several", "keys.issue")
WITHOUT = ("sources.list_all", "page_files.get_file")
RIGHTS = {"name": "x", "access": "api", "scopes": "context:read", "days": "7", "limit": "chosen"}
FORM = {**RIGHTS, "once": str(uuid4()), "role": "member", "old_seconds": "0"}


def answers(browser: Browser, app: Flask, ids: dict[str, str]) -> dict[str, tuple[int, str]]:
    """The status and the text without ids of each view, for objects with these ids."""
    urls, found = app.url_map.bind("localhost"), {}
    for rule in app.url_map.iter_rules():
        name = rule.endpoint
        decision = {"sources.decide": "withdraw"}.get(name, "suppress")
        values = {
            **ids, "_": "x", "source_ids": ids["source"], "document": ids["id"],
            "decision": "approve" if "preview" in name else decision,
            "id": ids["source"] if name == "sources.show" else ids["id"],
        }  # fmt: skip
        of_object = (rule.arguments or name.startswith(BY_FIELDS)) and name not in WITHOUT
        for method in {"GET", "POST"} & (rule.methods or set()) if of_object else ():
            path = urls.build(name, values, method)
            is_read = method == "GET"
            answer = browser.get(path) if is_read else browser.post(path, **FORM, **values)
            text = re.sub(r"record \d+", "record ID", answer.text)
            for id_ in (ids["key_id"], ids["user_id"], ids["source"], ids["id"]):
                text = text.replace(id_, "ID")
            found[f"{method} {rule.rule}"] = (answer.status_code, text)
    return found


def test_objects_of_another_organization_are_unknown(module_desk: Flask, acme: Deployment) -> None:
    acme.load(RECORDS)
    acme.issue_key(OTHER, OWNER)
    ((key_id, sequence),) = acme.execute(
        "SELECT id, (SELECT max(sequence) FROM audit) FROM api_keys WHERE organization_id = %s",
        [OTHER],
    )
    objects = (str(key_id), OWNER, "docs:foreign", make.knowledge_id("foreign"), str(sequence))
    unknown = (str(uuid4()), str(uuid4()), "docs:none", make.knowledge_id("none"), str(2**40))
    names = ("key_id", "user_id", "source", "id", "sequence")
    browser, before = signed_in(module_desk), acme.decided()
    foreign, absent = (
        answers(browser, module_desk, dict(zip(names, each, strict=True)))
        for each in (objects, unknown)
    )
    assert len(foreign) >= 18
    for view, (status, text) in foreign.items():
        assert status in (404, 409), view
        assert SECRET not in text, view
        assert (status, text) == absent[view], view
    lists = [browser.text(path) for path in ("/", "/documents", "/keys", "/audit", "/members")]
    assert not [text for text in lists if SECRET in text]
    assert acme.decided() == before
