-- Creates the role as which the service reads. Roles belong to the whole cluster, so another
-- database's migration may create it at the same time.
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
