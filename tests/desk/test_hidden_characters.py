"""Names with hidden characters, which reorder or hide the text of a page."""

import re
from collections.abc import Callable

from psycopg.types.json import Jsonb

from tests.desk.conftest import Browser
from tests.support import factories as make
from tests.support.deployment import Deployment

HIDDEN_FIELD = re.compile(r'<input type="hidden"[^>]*>')
NAME = "Ada\u202egnp.exe\u200b"
PATHS = (
    "/",
    "/documents",
    "/keys",
    "/keys/issue",
    "/audit",
    "/members",
    "/source?id=docs:handbook",
)


def test_no_page_shows_hidden_characters(
    own_acme: Deployment, sign_in: Callable[..., Browser]
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
    browser = sign_in()
    for path in (*PATHS, f"/documents/{make.knowledge_id()}"):
        text = HIDDEN_FIELD.sub("", browser.text(path))
        assert "gnp.exe" in text, path
        assert not {"\u202e", "\u200b"}.intersection(text), path
