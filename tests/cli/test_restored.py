"""A database without its grants is unready until `orgctx migrate` has granted them again.

tests/docs/test_backup_page.py restores a dump.
"""

import pytest

from orgctx.http import health
from tests.support.deployment import Deployment

ACL = """
SELECT c.oid::regclass::text, p.privilege
FROM pg_class AS c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS p (privilege)
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
    AND has_table_privilege('orgctx_reader', c.oid, p.privilege)
UNION ALL
SELECT f.oid::regprocedure::text, f.prosecdef::text
FROM pg_proc AS f
WHERE f.pronamespace = 'public'::regnamespace
    AND has_function_privilege('orgctx_reader', f.oid, 'EXECUTE')
    AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.objid = f.oid AND d.deptype = 'e')
ORDER BY 1, 2
"""


def test_migrate_restores_revoked_privileges(deployment: Deployment) -> None:
    privileges = deployment.execute(ACL)
    deployment.execute("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM orgctx_reader")
    deployment.execute("GRANT EXECUTE ON FUNCTION find_caller TO PUBLIC")
    assert deployment.cli("doctor").exit_code == 1
    assert deployment.cli("migrate", "--json").json() == {"applied": []}
    assert deployment.execute(ACL) == privileges


GRANTS = """
SELECT format('SELECT ON %s', c.oid::regclass) AS what
FROM pg_class AS c, aclexplode(c.relacl) AS a
WHERE c.relnamespace = 'public'::regnamespace AND a.grantee = 'orgctx_reader'::regrole
UNION ALL
SELECT format('EXECUTE ON FUNCTION %s', f.oid::regprocedure)
FROM pg_proc AS f, aclexplode(f.proacl) AS a
WHERE f.pronamespace = 'public'::regnamespace AND a.grantee = 'orgctx_reader'::regrole
ORDER BY what
"""


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
