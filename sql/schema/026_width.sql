-- In searches, full-width and half-width forms of a character are equal, and white space between Chinese
-- and Japanese characters is ignored (docs/decisions/0008-terms-of-any-length.md).

-- Loads and decisions wait until this ends, as in 023_knowledge_search; the service reads on.
LOCK TABLE organization_locks IN SHARE MODE;

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
CREATE OR REPLACE FUNCTION fold_text(original text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN is_plain(original) THEN lower_collapsed(original)
    ELSE regexp_replace(
        lower_collapsed(normal_width(original)),
        '(' || cjk_class() || ') (?=' || cjk_class() || ')', '\1', 'g'
    )
END;

-- Returns a regular expression that matches a folded term in the lower case of an original text.
CREATE OR REPLACE FUNCTION term_pattern(folded text) RETURNS text
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

-- In a Citus cluster, also for the servers that store the rows.
DO $$
BEGIN
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        EXECUTE $citus$
            SELECT
                create_distributed_function('width_forms()'), create_distributed_function('cjk_class()'),
                create_distributed_function('is_plain(text)'),
                create_distributed_function('with_composed_kana(text)'),
                create_distributed_function('normal_width(text)'),
                create_distributed_function('lower_collapsed(text)'),
                create_distributed_function('match_position(text, text, text)')
            FROM pg_dist_partition
            WHERE logicalrelid = 'knowledge'::regclass AND partmethod = 'h'
        $citus$;
    END IF;
END
$$;

-- Folds all texts again, and writes only those that differ.
UPDATE knowledge_search AS f
SET tokens = coalesce(keyed_text_tokens(f.organization_id, f.source_id, t.folded), '')
FROM (
    SELECT
        organization_id, knowledge_id, first_unit, search_text AS stored,
        fold_text(content || overlap) AS folded
    FROM knowledge_chunks
    UNION ALL
    SELECT organization_id, id, -1, title_lower, fold_text(title) FROM knowledge
) AS t
WHERE t.folded <> t.stored
    AND f.organization_id = t.organization_id
    AND f.knowledge_id = t.knowledge_id
    AND f.first_unit = t.first_unit;
-- An update computes generated columns again.
UPDATE knowledge_chunks SET overlap = overlap WHERE search_text <> fold_text(content || overlap);
UPDATE knowledge SET title = title WHERE title_lower <> fold_text(title);
UPDATE assets SET name = name WHERE name_folded <> fold_text(name);
UPDATE x_mentions SET text = text WHERE text_lower <> fold_text(text);
UPDATE people SET display_name = display_name, username = username
WHERE display_name_lower <> fold_text(display_name) OR username_lower <> fold_text(username);
UPDATE telegram_search AS f
SET text_lower = fold_text(m.text), file_name_lower = fold_text(m.file ->> 'fileName')
FROM telegram_messages AS m
WHERE m.organization_id = f.organization_id
    AND m.chat_id = f.chat_id
    AND m.id = f.id
    AND (
        f.text_lower <> fold_text(m.text) OR f.file_name_lower <> fold_text(m.file ->> 'fileName')
    );
