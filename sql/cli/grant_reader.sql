-- Lets a login become the reading role, unless it already may. Membership is not enough since
-- PostgreSQL 16: a role's creator is a member, but may not SET ROLE to it.
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
