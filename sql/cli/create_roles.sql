-- Creates the role of the service and that of the desk. Roles belong to all databases of a server, so
-- the migration of another database may create them at the same time.
-- Parameters: none.
-- Rows: none.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['orgctx_reader', 'orgctx_desk'] LOOP
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
                EXECUTE format('CREATE ROLE %I NOLOGIN', name);
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
    END LOOP;
END
$$;
