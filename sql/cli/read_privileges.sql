-- Reads whether the service's login can SET ROLE to the reading role, and which privileges that
-- role has but should not have.
-- Parameters: none.
-- Row: (login text, may_read boolean: the login can SET ROLE to the reading role, excess text[]:
--   the privileges to revoke from that role, such as `INSERT on members`).
SELECT
    session_user::text AS login,
    pg_has_role(
        session_user, r.oid,
        CASE WHEN current_setting('server_version_num')::integer < 160000
            THEN 'MEMBER' ELSE 'SET' END
    ) AS may_read,
    ARRAY(
        SELECT format('%s on %s', p.privilege, c.relname)
        FROM pg_class AS c
        CROSS JOIN unnest(
            ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES']
        ) AS p (privilege)
        WHERE c.relnamespace = 'public'::regnamespace
            AND c.relkind IN ('r', 'p')
            AND (p.privilege <> 'SELECT' OR c.relname IN ('api_keys', 'members'))
            AND has_table_privilege(r.oid, c.oid, p.privilege)
        ORDER BY c.relname, p.privilege
    ) || ARRAY(
        SELECT 'TEMPORARY on the database'
        WHERE has_database_privilege(r.oid, current_database(), 'TEMPORARY')
    ) AS excess
FROM pg_roles AS r
WHERE r.rolname = 'orgctx_reader';
