-- Revokes the privilege TEMPORARY from PUBLIC and grants it to the admin login, whose loads create
-- temporary tables. By default, every login may create them, including the service's. Only the
-- database's owner can change that. With another admin login, the statement changes nothing, and
-- `orgctx doctor` reports the privilege.
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
