-- Lists the statements that a superuser must run before the admin login can migrate this database.
-- Parameters: service text, the login of the service; desk text, the login of the desk, or null.
-- Rows: (statement text), in the order to run them; none if nothing is missing.
WITH me AS (
    SELECT
        rolname, rolsuper, rolsuper OR rolcreaterole AS may_create_roles,
        current_setting('server_version_num')::integer < 160000 AS is_before_16
    FROM pg_roles
    WHERE rolname = current_user
), logins (login) AS (
    SELECT %(service)s::text
    UNION
    SELECT %(desk)s::text WHERE %(desk)s::text IS NOT NULL
), roles AS (
    SELECT
        n.name, r.oid,
        me.rolsuper OR me.may_create_roles AND (r.oid IS NULL OR me.is_before_16)
            OR r.oid IS NOT NULL AND pg_has_role(r.oid, 'MEMBER WITH ADMIN OPTION') AS may_grant
    FROM me
    CROSS JOIN (VALUES ('orgctx_reader'), ('orgctx_desk')) AS n (name)
    LEFT JOIN pg_roles AS r ON r.rolname = n.name
), required_members (role, member) AS (
    SELECT 'orgctx_reader', rolname::text FROM me
    UNION
    SELECT 'orgctx_reader', %(service)s::text
    UNION
    VALUES ('orgctx_reader', 'orgctx_desk')
    UNION
    SELECT 'orgctx_desk', %(desk)s::text WHERE %(desk)s::text IS NOT NULL
), needed (step, statement) AS (
    -- Members of the admin login can write what it owns, so the service and the desk must be none.
    SELECT 0, 'REVOKE ' || quote_ident(me.rolname) || ' FROM ' || quote_ident(member.rolname) || ';'
    FROM me
    JOIN pg_roles AS admin ON admin.rolname = me.rolname
    JOIN pg_auth_members AS m ON m.roleid = admin.oid
    JOIN pg_roles AS member ON member.oid = m.member
    WHERE EXISTS (
        SELECT
        FROM logins AS l
        JOIN pg_roles AS login ON login.rolname = l.login
        WHERE pg_has_role(login.oid, member.oid, 'MEMBER') AND NOT login.rolsuper
    )
    UNION ALL
    SELECT 1, 'CREATE ROLE ' || quote_ident(login) || ' LOGIN PASSWORD ''choose one'';'
    FROM logins
    WHERE login NOT IN (SELECT rolname FROM pg_roles)
    UNION ALL
    SELECT 2, 'CREATE ROLE ' || r.name || ' NOLOGIN;'
    FROM me
    CROSS JOIN roles AS r
    WHERE r.oid IS NULL AND NOT me.may_create_roles
    UNION ALL
    SELECT 3, 'GRANT ' || r.name || ' TO ' || quote_ident(m.member) || ';'
    FROM me
    CROSS JOIN roles AS r
    JOIN required_members AS m ON m.role = r.name
    LEFT JOIN pg_roles AS member ON member.rolname = m.member
    WHERE NOT r.may_grant AND (
        r.oid IS NULL OR member.oid IS NULL OR NOT pg_has_role(
            member.oid, r.oid, CASE WHEN me.is_before_16 THEN 'MEMBER' ELSE 'SET' END
        )
    )
    UNION ALL
    SELECT 4, 'ALTER DATABASE ' || quote_ident(current_database()) || ' OWNER TO '
        || quote_ident(rolname) || ';'
    FROM me
    WHERE NOT has_schema_privilege('public', 'CREATE')
        OR NOT has_database_privilege(current_database(), 'TEMPORARY')
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
