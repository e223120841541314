"""Stored text is text in every view; hidden characters would reorder or hide parts of a page."""

import re

from flask import Flask
from psycopg.types.json import Jsonb

from orgctx.desk.app import VIEWS
from tests.desk.conftest import SignIn
from tests.support import factories as make
from tests.support.deployment import Deployment

HIDDEN_FIELD = re.compile(r'<input type="hidden"[^>]*>')
HIDDEN = "\x01\x7f\x85\x9b\u200b\u202e\u2066"
NAME = f'Ada"><img src=x>{HIDDEN}gnp.exe'


def test_every_view_shows_stored_text_as_text(
    own_acme: Deployment, desk: Flask, sign_in: SignIn
) -> None:
    own_acme.load([
        make.organization(displayName=NAME),
        make.member(make.OWNER, "owner", displayName=NAME),
        make.knowledge(1, title=NAME, content=NAME),
        make.chat(title=NAME),
    ])  # fmt: skip
    own_acme.execute("UPDATE sources SET label = %s", [NAME])
    insert = "INSERT INTO audit (organization_id, command, before, after) VALUES (%s, %s, %s, '{}')"
    own_acme.execute(insert, [make.ACME, NAME, Jsonb({NAME: NAME})])
    own_acme.issue_key("acme", make.OWNER)
    ((key_id,),) = own_acme.execute("SELECT id FROM api_keys")
    browser = sign_in()
    values = {
        "id": make.knowledge_id(), "user_id": make.OWNER, "key_id": key_id,
        "source": "docs:handbook", "decision": "include",
    }  # fmt: skip
    urls = desk.url_map.bind("localhost")
    views = {view.name for view in VIEWS}
    for rule in desk.url_map.iter_rules():
        is_view = rule.endpoint.partition(".")[0] in views and "GET" in (rule.methods or ())
        if is_view:
            id_ = {"id": "docs:handbook"} if rule.endpoint == "sources.show" else {}
            path = urls.build(rule.endpoint, values | id_)
            text = HIDDEN_FIELD.sub("", browser.text(path))
            assert "gnp.exe" in text, path
            assert not {*HIDDEN}.intersection(text), path
            assert '<span class="hidden-characters">U+202E U+2066</span>' in text, path
            assert "<img src=x" not in text, path
