"""A database without its grants is unready until `orgctx migrate` has granted them again.

tests/docs/test_backup_page.py restores a dump.
"""

import pytest

from orgctx.http import health
from tests.support.deployment import Deployment

GRANTS = """
SELECT format('%s ON %s', a.privilege_type, c.oid::regclass) AS what
FROM pg_class AS c, aclexplode(c.relacl) AS a
WHERE c.relnamespace = 'public'::regnamespace AND a.grantee = 'orgctx_reader'::regrole
UNION ALL
SELECT format('EXECUTE ON FUNCTION %s', f.oid::regprocedure)
FROM pg_proc AS f, aclexplode(f.proacl) AS a
WHERE f.pronamespace = 'public'::regnamespace AND a.grantee = 'orgctx_reader'::regrole
ORDER BY what
"""


def test_migrate_restores_revoked_privileges(deployment: Deployment) -> None:
    privileges = deployment.execute(GRANTS)
    deployment.execute("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM orgctx_reader")
    assert deployment.cli("doctor").exit_code == 1
    assert deployment.cli("migrate", "--json").json() == {"applied": []}
    assert deployment.execute(GRANTS) == privileges


@pytest.mark.thorough
def test_each_missing_privilege_makes_the_service_unready(
    own_acme: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A privilege is missing, for example, after a single table was restored."""
    monkeypatch.setattr(health, "READY_SECONDS", 0)
    privileges = [privilege for (privilege,) in own_acme.execute(GRANTS)]
    assert {"SELECT ON knowledge", "EXECUTE ON FUNCTION find_caller(bytea)"} < {*privileges}
    with own_acme.client() as client:
        for privilege in privileges:
            own_acme.execute(f"REVOKE {privilege} FROM orgctx_reader")
            unready = client.get("/readyz")
            assert unready.status_code == 503, privilege
            assert "run `orgctx migrate`" in unready.json["checks"]["database"], privilege
            own_acme.execute(f"GRANT {privilege} TO orgctx_reader")
            assert client.get("/readyz").status_code == 200
    own_acme.execute("REVOKE SELECT ON people FROM orgctx_reader")
    assert (
        "failed   migrations: The schema is not current. Run `orgctx migrate`."
        in own_acme.cli("doctor").stdout
    )
