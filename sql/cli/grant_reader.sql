-- Lets a login become the reading role, unless it may already. Since PostgreSQL 16 this
-- is more than being a member: a role's creator is one, and may not SET ROLE to it.
-- Parameters: the setting orgctx.login, see cli/name_login.
-- Rows: none.
DO $$
DECLARE
    login text := current_setting('orgctx.login');
    version integer := current_setting('server_version_num');
BEGIN
    IF NOT pg_has_role(
        login, 'orgctx_reader', CASE WHEN version < 160000 THEN 'MEMBER' ELSE 'SET' END
    ) THEN
        EXECUTE format('GRANT orgctx_reader TO %I', login);
    END IF;
EXCEPTION WHEN unique_violation THEN
    NULL;  -- Granted by another at the same moment.
END
$$;
