-- name: read_clock
-- Reads the server's clock.
-- Parameters: none.
-- Row: (now float: seconds of the Unix epoch).
SELECT extract(EPOCH FROM clock_timestamp())::float AS now;

-- name: read_values
-- Reads a value of each type that answers contain, as it is written here and as a parameter. Both
-- rows differ from the parameters if a setting of the connection changes how values are written or
-- read.
-- Parameters: moment timestamptz, period interval, words text[], document jsonb, bytes bytea,
--   number float, amount numeric, label text, id uuid, count bigint, is_true boolean.
-- Rows: two, with the parameters as columns.
SELECT * FROM (
    VALUES
    (
        '2026-07-09T12:34:56.789012+00:00'::timestamptz, '-1 days +02:03:04.5'::interval,
        ARRAY['a,b', 'NULL', NULL, 'é日🚢', '\'], '{"é日🚢": [1.5, null, "\\"]}'::jsonb,
        '\x00ff275c'::bytea, 0.1::float + 0.2::float, 12345678901234567890.123456789::numeric,
        'é日🚢 \', '00000000-0000-0000-0000-000000000007'::uuid, 9007199254740993::bigint, TRUE
    ),
    (
        %(moment)s::timestamptz, %(period)s::interval, %(words)s::text[], %(document)s::jsonb,
        %(bytes)s::bytea, %(number)s::float, %(amount)s::numeric, %(label)s::text, %(id)s::uuid,
        %(count)s::bigint, %(is_true)s::boolean
    )
) AS v (
    moment, period, words, document, bytes, number, amount, label, id, count, is_true
);

-- name: list_missing_grants
-- Lists the tables and functions that this connection's role may not use or that do not exist.
-- Parameters: tables text[]: names; functions text[]: names with the types of their arguments.
-- Rows: (name text).
SELECT t.name
FROM unnest(%(tables)s::text[]) AS t (name)
WHERE NOT coalesce(has_table_privilege(to_regclass(t.name), 'SELECT'), FALSE)
UNION ALL
SELECT f.name
FROM unnest(%(functions)s::text[]) AS f (name)
WHERE NOT coalesce(has_function_privilege(to_regprocedure(f.name), 'EXECUTE'), FALSE);
