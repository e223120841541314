-- Creates {staging}, which holds the staged records of one type in some columns of {table}. Reads their
-- types from the catalog: a statement that names the table would lock it, and a migration that waits for
-- the lock would wait for a load that waits for the migration.
-- Parameters: none.
-- Rows: none.
DO $$
BEGIN
    EXECUTE (
        SELECT format(
            'CREATE TEMPORARY TABLE {staging} (%s) INHERITS (staged_records) ON COMMIT DROP',
            string_agg(
                concat_ws(
                    ' COLLATE ',
                    format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)),
                    nullif(a.attcollation, 0)::regcollation
                ),
                ', ' ORDER BY n.number
            )
        )
        FROM unnest(string_to_array('{columns}', ', ')) WITH ORDINALITY AS n (name, number)
        JOIN pg_attribute AS a ON a.attrelid = to_regclass('{table}') AND a.attname = n.name
    );
END
$$;
