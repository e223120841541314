-- Lets only the admin login create temporary tables, which its loads need; by default every login
-- may, including the service's. Only the database's owner can change that; with another admin
-- login nothing happens, and `orgctx doctor` reports it.
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
