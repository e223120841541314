-- Nobody makes temporary tables here but the admin login, whose loads need them: by default
-- every login may, so also the service's. Only the database's owner can change that; for
-- another admin login nothing happens, and `orgctx doctor` tells.
-- Parameters: none.
-- Rows: none.
DO $$
BEGIN
    IF has_database_privilege('public', current_database(), 'TEMPORARY')
        AND pg_has_role(
            (SELECT datdba FROM pg_database WHERE datname = current_database()), 'USAGE'
        )
    THEN
        EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO CURRENT_USER', current_database());
        EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    END IF;
END
$$;
