"""The shell blocks of docs/operations/install.md work with an empty PostgreSQL and Redis."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from orgctx.embedded import servers as embedded_servers
from tests.docs.pages import ROOT, program_environment, run_blocks, shell_texts
from tests.support.processes import free_port
from tests.support.proxy import Proxy, database_address, redis_address

PAGE = ROOT / "docs/operations/install.md"
DESK = ROOT / "docs/operations/desk.md"
# What the page to sign in sends.
SIGN_IN = """
link=$(orgctx desk invite --organization acme --for Ada)
curl -sS --retry 60 --retry-connrefused --retry-delay 1 "$ORGCTX_DESK_URL/healthz"
curl -sS -o /dev/null -w '%{http_code}' -H "Origin: $ORGCTX_DESK_URL" -d "secret=${link#*#}&confirmed=yes" "$ORGCTX_DESK_URL/sign-in"
"""  # noqa: E501


@pytest.fixture
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The ports of PostgreSQL, Redis and the service, by the ports in the page."""
    with (
        embedded_servers(tmp_path_factory.mktemp("machine"), durable=False) as running,
        Proxy(database_address(running.database_url)) as database,
        Proxy(redis_address(running.redis_url)) as redis,
    ):
        yield {"5432": str(database.port), "6379": str(redis.port), "8000": str(free_port())}


@pytest.mark.thorough
def test_readme_leads_to_a_first_response(tmp_path: Path, ports: dict[str, str]) -> None:
    texts = [
        re.sub(r"127\.0\.0\.1:(\d+)", lambda match: f"127.0.0.1:{ports[match[1]]}", text)
        for text in shell_texts(PAGE)
    ]
    # Readers wait until the service has started.
    index = next(n for n, text in enumerate(texts) if "orgctx serve &" in text)
    texts.insert(
        index + 1,
        f"curl -sS --retry 60 --retry-connrefused --retry-delay 1 127.0.0.1:{ports['8000']}/readyz",
    )
    # The desk's page begins with its trial, on the same machine.
    texts += [shell_texts(DESK)[0], SIGN_IN]
    desk = f"localhost:{free_port()}"
    environment = program_environment(
        PGHOST="127.0.0.1", PGPORT=ports["5432"], PGUSER="orgctx", PYTHONPATH=str(ROOT),
        ORGCTX_BASE_URL=f"http://127.0.0.1:{ports['8000']}",
        ORGCTX_DESK_URL=f"http://{desk}", ORGCTX_DESK_BIND=desk,
    )  # fmt: skip
    # In a clone, whose own documentation is the source of a site.
    clone = tmp_path / "clone"
    clone.mkdir()
    shutil.copy(ROOT / "mkdocs.yml", clone)
    output = run_blocks(texts, environment, clone)
    assert "failed" not in output
    body, end = json.JSONDecoder().raw_decode(output, output.rindex('{"data"'))
    assert body["data"]["items"][0]["title"] == "Tides"
    assert output[end:].endswith("303"), output[end:]
