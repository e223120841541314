-- Lets the service see which migrations a database has.
-- Parameters: none.
-- Rows: none.
GRANT SELECT ON _yoyo_migration TO orgctx_reader;
