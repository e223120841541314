"""docs/operations/secrets.md: rotated passwords survive a restart, and nothing is rejected."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from redis import AuthenticationError

from tests.docs.pages import ROOT, program_environment, run_blocks, shell_texts
from tests.support import citus
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.proxy import Proxy, database_address
from tests.support.redis_servers import Node, Settings

PAGE = ROOT / "docs/operations/secrets.md"
COMMANDS = re.findall(r"valkey-cli ([A-Z][^\n`]+)", PAGE.read_text())
OLD, NEW = "old-secret", "new-secret"
ADD, SAVE, REWRITE, REMOVE = (tuple(shlex.split(command)) for command in COMMANDS)
USER = f"default on >{OLD} ~* &* +@all"


class Guarded(Node):
    """A server that needs a password."""

    password = OLD

    def ask(self, *command: object) -> Any:
        with self.client(password=self.password) as client:
            return client.execute_command(*command)

    def restart(self) -> None:
        self.die()
        self.start()

    def accepts(self, password: str) -> bool:
        with self.client(password=password) as client:
            try:
                return bool(client.ping())
            except AuthenticationError:
                return False


def write_password(node: Node) -> None:
    """Replace the password in a configuration that the server may not write."""
    text = node.configuration.read_text()
    assert OLD in text
    node.configuration.write_text(text.replace(OLD, NEW))


WAYS: dict[str, tuple[Settings, Callable[[Guarded], Any]]] = {
    "ACL file": ({"aclfile": "users.acl"}, lambda node: node.ask(*SAVE)),
    "requirepass": ({"requirepass": OLD}, lambda node: node.ask(*REWRITE)),
    "user": ({"user": USER}, lambda node: node.ask(*REWRITE)),
    "written by hand": ({"requirepass": OLD}, write_password),
}


@pytest.mark.parametrize("way", WAYS)
def test_rotated_password_of_redis_survives_restarts(way: str, tmp_path: Path) -> None:
    settings, keep = WAYS[way]
    (tmp_path / "users.acl").write_text(f"user {USER}\n")
    if "aclfile" in settings:
        settings = {"aclfile": tmp_path / "users.acl"}
    node = Guarded(tmp_path / "valkey", settings)
    node.start()
    try:
        node.ask(*ADD)
        assert node.accepts(OLD)
        assert node.accepts(NEW)
        keep(node)
        node.password = NEW
        node.restart()
        assert node.accepts(NEW)
        # A restart with the written password has removed the old one.
        if keep is not write_password:
            node.ask(*REMOVE)
            keep(node)
        for _ in range(2):
            assert not node.accepts(OLD)
            assert node.accepts(NEW)
            node.restart()
    finally:
        node.die()


@pytest.mark.thorough
@citus.impossible("the service logs in as the reading role, which all databases share")
def test_rotated_logins_of_postgresql_read_and_write(own_acme: Deployment, tmp_path: Path) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    name = str(conninfo_to_dict(own_acme.database_url)["dbname"])
    logins = ("orgctx_service", "orgctx_service_2", "orgctx_admin")
    add, remove = shell_texts(PAGE, "PostgreSQL: the service")
    (change,) = shell_texts(PAGE, "PostgreSQL: the admin login")
    own_acme.execute("CREATE ROLE orgctx_service LOGIN PASSWORD 'secret'")
    own_acme.execute("CREATE ROLE orgctx_admin LOGIN PASSWORD 'secret'")
    try:
        with Proxy(database_address(own_acme.database_url)) as proxy:
            given = conninfo_to_dict(own_acme.database_url)
            superuser = {
                "PGHOST": "127.0.0.1", "PGPORT": str(proxy.port), "PGUSER": str(given["user"]),
                "PGPASSWORD": str(given.get("password", "")), "PGDATABASE": name,
            }  # fmt: skip
            environment = program_environment(
                ORGCTX_ADMIN_DATABASE_URL=own_acme.database_url,
                ORGCTX_REDIS_URL=own_acme.redis_url,
                **superuser,
            )
            output = run_blocks([add, remove, change, "env"], environment, tmp_path)
            (url,) = re.findall(r"^ORGCTX_DATABASE_URL=(.+)$", output, re.MULTILINE)
            assert quote(name) in url
            rotated = Deployment(url, own_acme.redis_url, own_acme.database_url)
            with rotated.client(key) as client:
                assert client.get("/api/v1/sources").status_code == 200
            admin = make_conninfo(own_acme.database_url, user="orgctx_admin", password="new-secret")
            psycopg.connect(admin).close()
    finally:
        for login in logins:
            own_acme.execute(f"DROP ROLE IF EXISTS {login}")
