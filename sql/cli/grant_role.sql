-- Lets a role SET ROLE to another one, unless it already can. Checks SET ROLE and not membership: since
-- PostgreSQL 16, the creator of a role is a member but may not SET ROLE to it.
-- Parameters: the settings orgctx.role and orgctx.member, see cli/name_grant.
-- Rows: none.
DO $$
DECLARE
    role text := current_setting('orgctx.role');
    member text := current_setting('orgctx.member');
    version integer := current_setting('server_version_num');
BEGIN
    IF NOT pg_has_role(member, role, CASE WHEN version < 160000 THEN 'MEMBER' ELSE 'SET' END) THEN
        EXECUTE format('GRANT %I TO %I', role, member);
    END IF;
EXCEPTION WHEN unique_violation THEN
    NULL;  -- Another transaction granted it at the same time.
END
$$;
