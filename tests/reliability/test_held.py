"""Two worlds that differ only in held documents answer the same bytes."""

import re

import pytest

from orgctx.embedded import Servers
from tests.support import crawl
from tests.support import factories as make
from tests.support.deployment import Deployment, copied

REQUEST_ID = re.compile(r"(?<=requestId)\W+[0-9a-f-]{36}")
WORD = "zqxheldword"
SECRET = "AKIA" + "IOSFODNN7EXAMPLE"
DOCS = make.KIND_SOURCES["docs"]


def answers(deployment: Deployment) -> list[tuple[str, int, str]]:
    """Every response to a key with all scopes: request, status and body."""
    key = deployment.issue_key(make.ACME, make.OWNER)
    with deployment.app(log_level="ERROR") as app:
        client = app.test_client()
        requests = [*crawl.everything(client, key)]
        paths = (
            f"/api/v1/search?q={WORD}", f"/api/v1/knowledge?q={WORD}",
            f"/api/v1/knowledge/{make.knowledge_id('new')}",
            f"/api/v1/knowledge/{make.knowledge_id('secret')}?q={WORD}",
        )  # fmt: skip
        requests += [(path, crawl.rest(client, key, path)) for path in paths]
        return [
            (request, response.status_code, REQUEST_ID.sub("", response.get_data(as_text=True)))
            for request, response in requests
        ]


@pytest.mark.thorough
def test_held_documents_change_no_answer(servers: Servers, acme_template: str) -> None:
    who = ("--organization", "acme", "--by", make.OWNER)
    worlds = []
    for is_held in (False, True):
        with copied(servers, acme_template) as deployment:
            held = deployment.cli("sources", "new-documents", *who, "held", DOCS)
            assert held.exit_code == 0, held.stderr
            if is_held:
                text = f"{WORD} is in a text that nobody reads, of some length."
                deployment.load([
                    make.knowledge("new", title=f"New {WORD}", content=text),
                    make.knowledge("secret", prefix="note", title=WORD, content=f"{WORD} {SECRET}"),
                ])  # fmt: skip
                rows = deployment.execute("SELECT count(*) FROM knowledge_suppressions")
                assert rows == [(2,)]
            worlds.append(answers(deployment))
    assert worlds[0] == worlds[1]
    assert not [body for path, _, body in worlds[1] if WORD in body and WORD not in path]
