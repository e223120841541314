-- Lets a login SET ROLE to the reading role, unless it already can. Checks SET ROLE and not
-- membership: since PostgreSQL 16, the creator of a role is a member but may not SET ROLE to it.
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
    NULL;  -- Another transaction granted it at the same time.
END
$$;
