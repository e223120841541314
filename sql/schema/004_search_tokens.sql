-- Functions for indexes that find any literal text, whatever its length and characters. Full-width and
-- half-width forms of a character are equal, and white space between Chinese and Japanese characters is
-- ignored (docs/decisions.md, 8).

-- Returns the characters that Unicode calls wide or narrow forms, and the characters that they are forms of.
CREATE FUNCTION width_forms() RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY[
    '！＂＃＄％＆＇（）＊＋，－．／０１２３４５６７８９：；＜＝＞？＠ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯ'
        || 'ＰＱＲＳＴＵＶＷＸＹＺ［＼］＾＿｀ａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ｛｜｝～'
        || '｟｠｡｢｣､･ｦｧｨｩｪｫｬｭｮｯｰｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍ'
        || E'ﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝﾞﾟ\uFFA0ﾡﾢﾣﾤﾥﾦﾧﾨﾩﾪﾫﾬﾭﾮﾯﾰﾱﾲﾳﾴﾵﾶﾷﾸﾹﾺﾻﾼ'
        || 'ﾽﾾￂￃￄￅￆￇￊￋￌￍￎￏￒￓￔￕￖￗￚￛￜ￠￡￢￣￤￥￦￨￩￪￫￬￭￮',
    '!"#$%&''()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNO'
        || E'PQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~'
        || '⦅⦆。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘ'
        || E'ホマミムメモヤユヨラリルレロワン\u3099\u309A\u3164ㄱㄲㄳㄴㄵㄶㄷㄸㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅃㅄㅅㅆㅇㅈㅉㅊㅋㅌ'
        || 'ㅍㅎㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ¢£¬¯¦¥₩│←↑→↓■○'
];

-- Returns a class of the Han, Hiragana and Katakana characters, with their marks.
CREATE FUNCTION cjk_class() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN '[\u2E80-\u2FD5\u3005\u3007\u3021-\u3029\u3038-\u303B\u3041-\u3096\u3099\u309A\u309D-\u309F\u30A1-\u30FA\u30FC-\u30FF'
    || '\u31F0-\u31FF\u32D0-\u32FE\u3300-\u3357\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAD9\U00016FE2-\U00016FF6\U0001AFF0-\U0001B167\U0001F200\U00020000-\U000323AF]';

-- Returns whether a text has only characters that these rules ignore.
CREATE FUNCTION is_plain(original text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN octet_length(original) = length(original)
    OR original !~ '[\u2E80-\uFFEE\U00016FE2-\U000323AF]';

-- Makes one character of a kana and its half-width mark.
CREATE FUNCTION with_composed_kana(original text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
    SELECT string_agg(
        CASE
            WHEN length(p.composed) = 1 THEN left(p.texts[1], -1) || p.composed
            ELSE p.texts[1] || p.texts[2]
        END,
        '' ORDER BY p.number
    )
    FROM (
        SELECT m.texts, m.number, normalize(right(m.texts[1], 1) || m.texts[2], NFKC) AS composed
        FROM regexp_matches(original, '([^ﾞﾟ]*)([ﾞﾟ]?)', 'g') WITH ORDINALITY AS m (texts, number)
    ) AS p
);

-- Replaces wide and narrow forms. translate() is slow, so it gets only these.
CREATE FUNCTION normal_width(original text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
    SELECT string_agg(
        m.texts[1] || translate(m.texts[2], (width_forms())[1], (width_forms())[2]), '' ORDER BY m.number
    )
    FROM regexp_matches(
        CASE WHEN original ~ '[ﾞﾟ]' THEN with_composed_kana(original) ELSE original END,
        '([^\uFF01-\uFFEE]*)([\uFF01-\uFFEE]*)', 'g'
    ) WITH ORDINALITY AS m (texts, number)
);

-- Lower case, and one space for each run of white space. Most runs are one line break, and replace() is the
-- fastest way to replace those.
CREATE FUNCTION lower_collapsed(original text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace(
    replace(lower(original), E'\n', ' '),
    ' [\u0009-\u000D \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+'
        || '|[\u0009-\u000D\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]'
        || '[\u0009-\u000D \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]*',
    ' ', 'g'
);

-- Folds a text or term for a search. Not STRICT, so that PostgreSQL can inline it.
CREATE FUNCTION fold_text(original text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN is_plain(original) THEN lower_collapsed(original)
    ELSE regexp_replace(
        lower_collapsed(normal_width(original)),
        '(' || cjk_class() || ') (?=' || cjk_class() || ')', '\1', 'g'
    )
END;

-- Returns a regular expression that matches a folded term in the lower case of an original text.
CREATE FUNCTION term_pattern(folded text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
    SELECT string_agg(
        CASE
            WHEN c.letter = ' ' THEN '[\u0009-\u000D \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+'
            -- A kana with a mark.
            WHEN length(c.parts) = 2 AND right(c.parts, 1) IN (E'\u3099', E'\u309A') THEN
                '(?:' || c.letter || '|['
                || left(c.parts, 1) || translate(left(c.parts, 1), w.bases, w.forms) || ']'
                || translate(right(c.parts, 1), w.bases, w.forms) || ')'
            ELSE
                '[' || CASE WHEN strpos('[]^-\', c.letter) > 0 THEN '\' ELSE '' END || c.letter || c.form || ']'
                -- With a mark it would be another character.
                || CASE WHEN length(normalize(c.letter || E'\u3099')) = 1 THEN '(?!ﾞ)' ELSE '' END
                || CASE WHEN length(normalize(c.letter || E'\u309A')) = 1 THEN '(?!ﾟ)' ELSE '' END
        END
        || CASE
            WHEN c.letter || c.next ~ ('^' || cjk_class() || '{2}$')
                THEN '[\u0009-\u000D \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]*'
            ELSE ''
        END,
        '' ORDER BY c.number
    )
    FROM (SELECT (width_forms())[1] AS forms, (width_forms())[2] AS bases) AS w
    CROSS JOIN LATERAL (
        SELECT
            t.letter, t.number, normalize(t.letter, NFD) AS parts, translate(t.letter, w.bases, w.forms) AS form,
            lead(t.letter, 1, '') OVER (ORDER BY t.number) AS next
        FROM unnest(string_to_array(folded, NULL)) WITH ORDINALITY AS t (letter, number)
    ) AS c
);

-- Returns where a text contains a folded term with this pattern, counted from 1, or 0. PL/pgSQL, because an SQL
-- function starts more slowly.
CREATE FUNCTION match_position(original text, folded text, pattern text) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    IF strpos(folded, ' ') = 0 AND is_plain(original) THEN
        RETURN strpos(lower(original), folded);
    END IF;
    RETURN regexp_instr(lower(original), pattern);
END
$$;

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
-- contain it; a longer one uses its first twelve tokens and the last one. PL/pgSQL, because an SQL function
-- starts more slowly.
CREATE FUNCTION keyed_term_tokens(organization_id uuid, source_ids text[], folded text) RETURNS tsquery[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    -- With many sources, each token is looked up often.
    step integer := CASE WHEN cardinality(source_ids) > 4 THEN 2 ELSE 1 END;
    ending text := '''' || CASE WHEN length(folded) < 3 THEN ':*' ELSE '' END;
    tokens text[] := ARRAY[right(folded, 3)];
    queries tsquery[];
    key text;
BEGIN
    FOR place IN 1..least(length(folded) - 3, 12) BY step LOOP
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
