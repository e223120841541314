-- Creates the role with which the service reads. Roles belong to all databases of a server, so the
-- migration of another database may create it at the same time.
-- Parameters: none.
-- Rows: none.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'orgctx_reader') THEN
        CREATE ROLE orgctx_reader NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
END
$$;
