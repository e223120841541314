-- Lists the statements that a superuser must run before the admin login can migrate this database.
-- Parameters: service text, the login of the service.
-- Rows: (statement text), in the order to run them; none if nothing is missing.
WITH me AS (
    SELECT
        m.rolname, r.oid AS reader,
        CASE WHEN current_setting('server_version_num')::integer < 160000
            THEN 'MEMBER' ELSE 'SET' END AS become,
        m.rolsuper OR m.rolcreaterole AND (
            r.oid IS NULL OR current_setting('server_version_num')::integer < 160000
        ) OR r.oid IS NOT NULL AND pg_has_role(r.oid, 'MEMBER WITH ADMIN OPTION') AS may_grant,
        m.rolsuper OR m.rolcreaterole AS may_create
    FROM pg_roles AS m
    LEFT JOIN pg_roles AS r ON r.rolname = 'orgctx_reader'
    WHERE m.rolname = current_user
), needed (step, statement) AS (
    -- What the admin login owns, the service could write as its member.
    SELECT 0, 'REVOKE ' || quote_ident(me.rolname) || ' FROM ' || quote_ident(member.rolname) || ';'
    FROM me
    JOIN pg_roles AS admin ON admin.rolname = me.rolname
    JOIN pg_auth_members AS m ON m.roleid = admin.oid
    JOIN pg_roles AS member ON member.oid = m.member
    JOIN pg_roles AS service ON service.rolname = %(service)s::text
    WHERE pg_has_role(service.oid, member.oid, 'MEMBER') AND NOT service.rolsuper
    UNION ALL
    SELECT 1, 'CREATE ROLE ' || quote_ident(%(service)s::text) || ' LOGIN PASSWORD ''choose one'';'
    WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = %(service)s::text)
    UNION ALL
    SELECT 2, 'CREATE ROLE orgctx_reader NOLOGIN;'
    FROM me WHERE reader IS NULL AND NOT may_create
    UNION ALL
    SELECT DISTINCT 3, 'GRANT orgctx_reader TO ' || quote_ident(l.login) || ';'
    FROM me
    CROSS JOIN LATERAL unnest(ARRAY[me.rolname::text, %(service)s::text]) AS l (login)
    LEFT JOIN pg_roles AS r ON r.rolname = l.login
    WHERE NOT may_grant
        AND (me.reader IS NULL OR r.oid IS NULL OR NOT pg_has_role(r.oid, me.reader, me.become))
    UNION ALL
    SELECT 4, 'ALTER DATABASE ' || quote_ident(current_database()) || ' OWNER TO '
        || quote_ident(rolname) || ';'
    FROM me
    WHERE NOT has_schema_privilege('public', 'CREATE')
        OR NOT has_database_privilege(current_database(), 'TEMPORARY')
        OR NOT has_database_privilege(current_database(), 'CREATE')
        AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'btree_gin')
    UNION ALL
    SELECT 5, 'ALTER TABLE ' || c.oid::regclass || ' OWNER TO ' || quote_ident(me.rolname) || ';'
    FROM me
    JOIN pg_class AS c ON c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
    WHERE NOT pg_has_role(c.relowner, 'USAGE')
    UNION ALL
    SELECT 6, 'ALTER FUNCTION ' || p.oid::regprocedure || ' OWNER TO '
        || quote_ident(me.rolname) || ';'
    FROM me
    JOIN pg_proc AS p ON p.pronamespace = 'public'::regnamespace
    WHERE NOT pg_has_role(p.proowner, 'USAGE') AND NOT EXISTS (
        SELECT FROM pg_depend AS d WHERE d.objid = p.oid AND d.deptype = 'e'
    )
)
SELECT statement FROM needed ORDER BY step, statement;
