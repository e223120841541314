-- How a literal is found through an index, whatever its length and its characters.

CREATE EXTENSION IF NOT EXISTS btree_gin;

-- A text as the set of its three-character pieces, the last ones shorter. A text contains a term
-- of up to three characters if one of its pieces begins with it. One too long for a tsvector is
-- marked instead, so that every term makes it a candidate.
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

-- What the pieces of a text match if the text may contain a term; surely it does, up to three
-- characters. Of a longer term the first twelve pieces are asked for, and the last one.
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
