-- Proposes an admin login for this database that is not the service's login.
-- Parameters: service text, the login of the service.
-- Row: (login text, exists boolean, statements text[]). If the login does not exist as the owner of
--   the database yet, a superuser must run these statements in order.
WITH owner AS (
    SELECT r.rolname::text AS login
    FROM pg_database AS d
    JOIN pg_roles AS r ON r.oid = d.datdba
    WHERE d.datname = current_database() AND r.rolcanlogin AND NOT r.rolsuper
        AND NOT pg_has_role(%(service)s::text, r.oid, 'MEMBER')
), unused AS (
    SELECT name
    FROM generate_series(1, 100) AS n (number)
    CROSS JOIN LATERAL (
        SELECT 'orgctx_admin' || CASE WHEN number > 1 THEN '_' || number ELSE '' END
    ) AS candidate (name)
    WHERE name NOT IN (SELECT rolname FROM pg_roles)
    ORDER BY number LIMIT 1
)
SELECT
    coalesce(owner.login, unused.name) AS login,
    owner.login IS NOT NULL AS exists,
    ARRAY[
        'CREATE ROLE ' || unused.name || ' LOGIN CREATEROLE PASSWORD ''choose one'';',
        'ALTER DATABASE ' || quote_ident(current_database()) || ' OWNER TO ' || unused.name || ';'
    ] AS statements
FROM unused
LEFT JOIN owner ON TRUE;
