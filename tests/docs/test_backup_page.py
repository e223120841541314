"""docs/operations/backup.md: a dump restored into an empty cluster serves the same data."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from orgctx.embedded import servers as embedded_servers
from tests.docs.pages import ROOT, program_environment, run_blocks, shell_texts
from tests.support import citus
from tests.support import factories as make
from tests.support.crawl import read_all
from tests.support.deployment import Deployment
from tests.support.proxy import Proxy, database_address

PAGE = ROOT / "docs/operations/backup.md"


@pytest.mark.thorough
@citus.impossible("a dump needs Citus where it is restored")
def test_backup_page_restores_a_dump_to_a_healthy_service(
    own_acme: Deployment, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    with own_acme.app() as app:
        before = read_all(app.test_client(), key)
    environment = program_environment(
        ORGCTX_REDIS_URL=own_acme.redis_url,
        ORGCTX_ADMIN_DATABASE_URL=own_acme.database_url,
        ORGCTX_DATABASE_URL=own_acme.database_url,
    )
    assert int(run_blocks(shell_texts(PAGE, "Dump"), environment, tmp_path)) > 10
    with (
        embedded_servers(tmp_path_factory.mktemp("restored"), durable=False) as running,
        Proxy(database_address(running.database_url)) as proxy,
    ):
        superuser = {"PGHOST": "127.0.0.1", "PGPORT": str(proxy.port), "PGUSER": "orgctx"}
        texts = [*shell_texts(PAGE, "Restore"), *shell_texts(PAGE, "Check it"), "env"]
        output = run_blocks(texts, environment | superuser, tmp_path)
        assert "failed" not in output
        variables = dict(line.split("=", 1) for line in output.splitlines() if "=" in line)
        service, admin = variables["ORGCTX_DATABASE_URL"], variables["ORGCTX_ADMIN_DATABASE_URL"]
        assert urlsplit(service).username == "orgctx_service"
        with Deployment(service, own_acme.redis_url, admin).app() as app:
            assert app.test_client().get("/readyz").status_code == 200
            assert read_all(app.test_client(), key) == before
