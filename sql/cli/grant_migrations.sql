-- Lets the service read the list of applied migrations.
-- Parameters: none.
-- Rows: none.
GRANT SELECT ON _yoyo_migration TO orgctx_reader;
