"""docs/operations/backup.md: a dump restored into an empty cluster serves the same data."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from orgctx.embedded import servers as embedded_servers
from tests.docs.pages import ROOT, program_environment, run_blocks, shell_blocks
from tests.support import citus
from tests.support import factories as make
from tests.support.crawl import read_all
from tests.support.deployment import Deployment
from tests.support.proxy import Proxy, database_address

PAGE = ROOT / "docs/operations/backup.md"


def section(name: str) -> list[str]:
    """Return the shell blocks of a section."""
    return [block.text for block in shell_blocks(PAGE) if block.section == name]


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
    dump = run_blocks(section("Dump"), environment, tmp_path)
    assert dump.returncode == 0, dump.stderr
    assert int(dump.stdout) > 10
    with (
        embedded_servers(tmp_path_factory.mktemp("restored"), durable=False) as running,
        Proxy(database_address(running.database_url)) as proxy,
    ):
        superuser = {"PGHOST": "127.0.0.1", "PGPORT": str(proxy.port), "PGUSER": "orgctx"}
        restored = run_blocks(
            [*section("Restore"), *section("Check it"), "env"], environment | superuser, tmp_path
        )
        assert restored.returncode == 0, restored.stdout + restored.stderr
        assert "failed" not in restored.stdout
        variables = dict(line.split("=", 1) for line in restored.stdout.splitlines() if "=" in line)
        service, admin = variables["ORGCTX_DATABASE_URL"], variables["ORGCTX_ADMIN_DATABASE_URL"]
        assert urlsplit(service).username == "orgctx_service"
        with Deployment(service, own_acme.redis_url, admin).app() as app:
            assert app.test_client().get("/readyz").status_code == 200
            assert read_all(app.test_client(), key) == before
