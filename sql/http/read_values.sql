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
