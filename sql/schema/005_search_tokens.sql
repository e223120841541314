-- Functions for the search tokens of folded texts.

-- Returns the key of a source. Two sources may have the same key; searches also compare the ids.
CREATE FUNCTION search_key(organization_id uuid, source_id text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN left(encode(sha256(convert_to(organization_id::text || source_id, 'UTF8')), 'base64'), 4);

-- Returns search tokens with another key before each.
CREATE FUNCTION rekeyed_tokens(key text, tokens tsvector) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN array_to_tsvector(
    ARRAY(SELECT key || substr(t.token, length(key) + 1) FROM unnest(tsvector_to_array(tokens)) AS t (token))
);

-- Returns the search tokens of a text of a source: its key with every three consecutive characters, with
-- the last two, and with the last one. A text contains a term of up to three characters if and only if one
-- of its tokens begins with the key and the term. A text too long for a tsvector gets the token `too long`,
-- so that it is a candidate for any term.
CREATE FUNCTION keyed_text_tokens(organization_id uuid, source_id text, folded text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
RETURN (
    SELECT
        CASE
            WHEN length(folded) > 50000 THEN array_to_tsvector(ARRAY['too long'])
            ELSE (
                SELECT
                    array_to_tsvector(
                        array_agg(k.key || p.first || coalesce(p.second, '') || coalesce(p.third, ''))
                    )
                FROM (SELECT string_to_array(folded, NULL) AS characters OFFSET 0) AS t
                CROSS JOIN unnest(t.characters, t.characters[2:], t.characters[3:])
                    AS p (first, second, third)
            )
        END
    FROM (SELECT search_key(organization_id, source_id) AS key OFFSET 0) AS k
);

-- Returns the tokens of the words of a title, as the words of a document have them, with the highest impact
-- (orgctx/bundle/search_tokens.py).
CREATE FUNCTION keyed_title_words(key text, folded text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN array_to_tsvector(
    ARRAY(
        SELECT DISTINCT key || E'\n7' || left(w.word, 40)
        FROM regexp_split_to_table(folded, '[^[:alnum:]_]+') AS w (word)
        WHERE length(w.word) > 1
    )
);

-- Returns a query for each source that matches the tokens of the texts that may contain a term, and one for
-- texts that are too long, whose token has no key. A term of up to three characters matches only texts that
-- contain it; a longer one uses its first 24 tokens and the last one. Among 8,657 documents, phrases of two to
-- six words have a median of 89 candidates, 290 with 12 tokens, and the index takes as long. PL/pgSQL, because
-- an SQL function starts more slowly.
CREATE FUNCTION keyed_term_tokens(organization_id uuid, source_ids text[], folded text) RETURNS tsquery[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    -- With many sources, each token is looked up often.
    step integer := CASE WHEN cardinality(source_ids) > 16 THEN 2 ELSE 1 END;
    ending text := '''' || CASE WHEN length(folded) < 3 THEN ':*' ELSE '' END;
    tokens text[] := ARRAY[right(folded, 3)];
    queries tsquery[];
    key text;
BEGIN
    FOR place IN 1..least(length(folded) - 3, 24) BY step LOOP
        tokens := tokens || substr(folded, place, 3);
    END LOOP;
    -- A folded text contains no line break.
    tokens := string_to_array(
        replace(replace(array_to_string(tokens, E'\n'), '\', '\\'), '''', ''''''), E'\n'
    );
    FOR number IN 1..cardinality(source_ids) LOOP
        key := '''' || search_key(organization_id, source_ids[number]);
        queries[number] := (key || array_to_string(tokens, ''' & ' || key) || ending)::tsquery;
    END LOOP;
    RETURN queries || '''too long'''::tsquery;
END
$$;

-- Returns its argument. The cost and the subquery, which prevents inlining, make the planner use the index,
-- because it does not know how long it takes to read the tokens of a row.
CREATE FUNCTION indexed_tokens(tokens tsvector) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000000
RETURN (SELECT tokens);
