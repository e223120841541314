-- Reads whether this login can SET ROLE to the role of its program, and which privileges the role and
-- the login have but should not have. The login also has what any role has that it belongs to, because
-- it may SET ROLE to each of them.
-- Parameters: role text, orgctx_reader or orgctx_desk.
-- Row: (login text, may_become boolean: the login can SET ROLE to that role, excess text[]: the
--   privileges to revoke from that role, such as `INSERT on members`; of the desk's role, which writes
--   some tables, only those that no table has; login_excess text[]: those of the login and of its other
--   roles that the role does not have).
WITH roles AS (
    SELECT m.oid, m.rolname, m.rolsuper, m.rolcreaterole, m.rolreplication
    FROM pg_roles AS m
    JOIN pg_roles AS login ON login.rolname = session_user
    WHERE m.rolname IN (login.rolname, %(role)s::text)
        OR NOT login.rolsuper AND pg_has_role(login.oid, m.oid, 'MEMBER')
), excess (rolname, rank, privilege) AS (
    SELECT r.rolname, 1, a.privilege
    FROM roles AS r
    CROSS JOIN LATERAL (
        VALUES (r.rolsuper, 'SUPERUSER'), (r.rolcreaterole, 'CREATEROLE'),
            (r.rolreplication, 'REPLICATION'),
            (r.rolname = 'pg_write_server_files', 'write files of the server'),
            (r.rolname = 'pg_execute_server_program', 'run programs on the server'),
            (r.rolname = 'orgctx_desk' AND %(role)s::text <> 'orgctx_desk', 'decide as orgctx_desk')
    ) AS a (has, privilege)
    WHERE a.has
    UNION ALL
    SELECT r.rolname, 2, 'everything on ' || o.name || ' as owner'
    FROM roles AS r
    JOIN (
        SELECT datdba, 'the database' FROM pg_database WHERE datname = current_database()
        UNION ALL
        SELECT nspowner, 'schema public' FROM pg_namespace WHERE nspname = 'public'
        UNION ALL
        SELECT relowner, relname::text FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
        UNION ALL
        SELECT proowner, proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ) AS o (owner, name) ON o.owner = r.oid
    UNION ALL
    SELECT r.rolname, 3, format('%%s on %%s', p.privilege, c.relname)
    FROM roles AS r
    CROSS JOIN pg_class AS c
    CROSS JOIN unnest(
        ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES']
    ) AS p (privilege)
    WHERE c.relnamespace = 'public'::regnamespace
        AND c.relkind IN ('r', 'p')
        AND (p.privilege <> 'SELECT' OR c.relname IN ('api_keys', 'members'))
        AND CASE WHEN p.privilege IN ('DELETE', 'TRUNCATE', 'TRIGGER')
            THEN has_table_privilege(r.oid, c.oid, p.privilege)
            -- On the table, or on some of its columns.
            ELSE has_any_column_privilege(r.oid, c.oid, p.privilege)
        END
        AND c.relowner NOT IN (SELECT oid FROM roles)
    UNION ALL
    SELECT r.rolname, 4, 'CREATE on schema public'
    FROM roles AS r WHERE has_schema_privilege(r.oid, 'public', 'CREATE')
    UNION ALL
    SELECT r.rolname, 4, p.privilege || ' on the database'
    FROM roles AS r
    CROSS JOIN unnest(ARRAY['CREATE', 'TEMPORARY']) AS p (privilege)
    WHERE has_database_privilege(r.oid, current_database(), p.privilege)
)
SELECT
    session_user::text AS login,
    pg_has_role(
        session_user, r.oid,
        CASE WHEN current_setting('server_version_num')::integer < 160000
            THEN 'MEMBER' ELSE 'SET' END
    ) AS may_become,
    ARRAY(
        SELECT privilege FROM excess
        WHERE rolname = %(role)s::text AND (rank <> 3 OR rolname = 'orgctx_reader')
        GROUP BY rank, privilege
        ORDER BY rank, split_part(privilege, ' on ', 2), privilege
    ) AS excess,
    ARRAY(
        SELECT privilege FROM excess
        WHERE rolname <> %(role)s::text AND (
            -- A superuser has every other privilege, too.
            privilege = 'SUPERUSER' OR NOT EXISTS (SELECT FROM roles WHERE rolsuper)
        ) AND privilege NOT IN (SELECT e.privilege FROM excess AS e WHERE e.rolname = %(role)s::text)
        GROUP BY rank, privilege
        ORDER BY rank, split_part(privilege, ' on ', 2), privilege
    ) AS login_excess
FROM pg_roles AS r
WHERE r.rolname = %(role)s::text;
