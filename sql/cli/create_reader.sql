-- The role that the service reads as. Roles belong to the whole cluster, so another
-- database's migration may create it at the same moment.
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
