-- Functions for indexes that find any literal text, whatever its length and characters.

CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Returns the search tokens of a text: every three consecutive characters, the last two characters,
-- and the last character. A text contains a term of up to three characters if and only if one of
-- its tokens begins with the term. A text too long for a tsvector gets the token `too long`, so
-- that it is a candidate for any term.
CREATE FUNCTION text_search_tokens(lowered text) RETURNS tsvector
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

-- Returns a query that matches the search tokens of every text that may contain the term; a term of
-- up to three characters matches only texts that contain it. A longer term uses its first twelve
-- tokens and the last one.
CREATE FUNCTION term_search_tokens(lowered text) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
    SELECT
        (
            '(' || string_agg(
                '''' || replace(replace(p.token, '\', '\\'), '''', '''''') || '''' || p.prefix, ' & '
            ) || ') | ''too long'''
        )::tsquery
    FROM (
        SELECT substr(lowered, place, 3), ''
        FROM generate_series(1, least(length(lowered) - 2, 12)) AS place
        UNION
        SELECT right(lowered, 3), CASE WHEN length(lowered) < 3 THEN ':*' ELSE '' END
    ) AS p (token, prefix)
);
