-- Functions for indexes that find any literal text, whatever its length and characters.

CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Folds a text or term for a search: lower case, and one space for each run of white space (Unicode
-- White_Space). Most runs are one line break, and replace() is the fastest way to replace those.
CREATE FUNCTION fold_text(original text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace(
    replace(lower(original), E'\n', ' '),
    ' [\u0009-\u000D \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+'
        || '|[\u0009-\u000D\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]'
        || '[\u0009-\u000D \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]*',
    ' ', 'g'
);

-- Returns a regular expression that matches a folded term in the lower case of an original text.
CREATE FUNCTION term_pattern(folded text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(
    regexp_replace(folded, '[][\\.*+?(){}|^$]', '\\\&', 'g'),
    ' ',
    '[\u0009-\u000D \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+'
);

-- Returns the search tokens of a text: every three consecutive characters, the last two characters,
-- and the last character. A text contains a term of up to three characters if and only if one of
-- its tokens begins with the term. A text too long for a tsvector gets the token `too long`, so
-- that it is a candidate for any term.
CREATE FUNCTION text_search_tokens(folded text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
RETURN CASE
    WHEN length(folded) > 50000 THEN array_to_tsvector(ARRAY['too long'])
    ELSE (
        SELECT array_to_tsvector(array_agg(p.first || coalesce(p.second, '') || coalesce(p.third, '')))
        FROM (SELECT string_to_array(folded, NULL) AS characters OFFSET 0) AS t
        CROSS JOIN unnest(t.characters, t.characters[2:], t.characters[3:])
            AS p (first, second, third)
    )
END;

-- Returns a query that matches the search tokens of every text that may contain the term; a term of
-- up to three characters matches only texts that contain it. A longer term uses its first twelve
-- tokens and the last one.
CREATE FUNCTION term_search_tokens(folded text) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
    SELECT
        (
            '(' || string_agg(
                '''' || replace(replace(p.token, '\', '\\'), '''', '''''') || '''' || p.prefix, ' & '
            ) || ') | ''too long'''
        )::tsquery
    FROM (
        SELECT substr(folded, place, 3), ''
        FROM generate_series(1, least(length(folded) - 2, 12)) AS place
        UNION
        SELECT right(folded, 3), CASE WHEN length(folded) < 3 THEN ':*' ELSE '' END
    ) AS p (token, prefix)
);
