-- Functions that find a literal of any length and any characters through an index.

CREATE EXTENSION IF NOT EXISTS btree_gin;

-- The set of a text's three-character pieces; the last ones are shorter. A text contains a term of
-- up to three characters if one of its pieces begins with it. A text too long for a tsvector is
-- marked instead, so that it is a candidate for every term.
CREATE FUNCTION text_pieces(lowered text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
RETURN CASE
    WHEN length(lowered) > 50000 THEN array_to_tsvector(ARRAY['too long'])
    ELSE (
        SELECT array_to_tsvector(array_agg(p.first || coalesce(p.second, '') || coalesce(p.third, '')))
        FROM (SELECT string_to_array(lowered, NULL) AS characters OFFSET 0) AS t
        CROSS JOIN unnest(t.characters, t.characters[2:], t.characters[3:])
            AS p (first, second, third)
    )
END;

-- A query that the pieces of a text match if it may contain the term; for up to three characters,
-- if it does contain it. Of a longer term, the first twelve pieces and the last one are used.
CREATE FUNCTION term_pieces(lowered text) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
    SELECT
        (
            '(' || string_agg(
                '''' || replace(replace(p.piece, '\', '\\'), '''', '''''') || '''' || p.prefix, ' & '
            ) || ') | ''too long'''
        )::tsquery
    FROM (
        SELECT substr(lowered, place, 3), ''
        FROM generate_series(1, least(length(lowered) - 2, 12)) AS place
        UNION
        SELECT right(lowered, 3), CASE WHEN length(lowered) < 3 THEN ':*' ELSE '' END
    ) AS p (piece, prefix)
);
