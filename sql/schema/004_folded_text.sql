-- Functions for indexes that find any literal text, whatever its length and characters. Texts that look equal
-- are equal, and white space between Chinese and Japanese characters is ignored (docs/decisions.md, 8).

-- Returns a class of the Han, Hiragana and Katakana characters.
CREATE FUNCTION cjk_class() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN '[\u2E80-\u2FD5\u3005\u3007\u3021-\u3029\u3038-\u303B\u3041-\u3096\u309D-\u309F\u30A1-\u30FA\u30FC-\u30FF\u31F0-\u31FF'
    || '\u32D0-\u32FE\u3300-\u3357\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAD9\U00016FE2-\U00016FF6\U0001AFF0-\U0001B167\U0001F200'
    || '\U00020000-\U000323AF]';

-- Returns the ranges of common characters that normal_form() does not change, alone or after others: without
-- them, folding would take five times as long.
CREATE FUNCTION plain_ranges() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN '\u0001-\u00A7\u00A9\u00AC\u00AE\u00B0\u00B1\u00B6\u00B7\u00BF-\u0131\u0134-\u013E\u0141-\u0148\u014A-\u017E\u0180-\u01C3'
    || '\u01CD-\u01F0\u01F4-\u02AF\u0388-\u03CE\u0400-\u0482\u048A-\u0586\u05D0-\u05EA\u0620-\u064A\u0904-\u0939\u0E01-\u0E30'
    || '\u0E40-\u0E46\u10D0-\u10FA\u2190-\u2193\u2500-\u27BF\u3001\u3002\u3008-\u3020\u3041-\u3096\u30A1-\u30FA\u30FC\u3400-\u9FFF'
    || '\uAC00-\uD7A3\U0001F300-\U0001FAFF';

-- Returns a short text in lower case without characters of no width, in compatibility form (NFKC), with straight
-- quotes and hyphens. The last steps make one character of a letter and its mark that only lower case has as one.
CREATE FUNCTION normal_form(lowered text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN normalize(
    lower(translate(
        normalize(
            regexp_replace(
                lowered,
                '[\u00AD\u034F\u061C\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF'
                    || '\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]+',
                '', 'g'
            ),
            NFKC
        ),
        '‘’‚‛‹›ʼ“”„‟«»‐–—‒―−', '''''''''''''''""""""------'
    )),
    NFC
);

-- Does the same for a text of any length. Normalizing is slow, so it gets only runs of characters that are
-- neither plain nor the most common ones, each with the character before it, which may have a mark.
CREATE FUNCTION equal_forms(lowered text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    straight text := replace(replace(replace(replace(replace(replace(replace(
        lowered, '’', ''''), '‘', ''''), '“', '"'), '”', '"'), '–', '-'), '—', '-'), '…', '...');
BEGIN
    IF straight !~ ('[^' || plain_ranges() || ']') THEN
        RETURN straight;
    END IF;
    RETURN (
        SELECT string_agg(left(m.runs[1], -1) || normal_form(right(m.runs[1], 1) || m.runs[2]), '' ORDER BY m.number)
        FROM regexp_matches(straight, '([' || plain_ranges() || ']*)([^' || plain_ranges() || ']*)', 'g')
            WITH ORDINALITY AS m (runs, number)
    );
END
$$;

-- One space for each run of white space. Most runs are one line break, and replace() is the fastest way to
-- replace those.
CREATE FUNCTION collapsed(original text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace(
    replace(original, E'\n', ' '),
    ' [\u0009-\u000D \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+'
        || '|[\u0009-\u000D\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]'
        || '[\u0009-\u000D \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]*',
    ' ', 'g'
);

-- Folds a text or term for a search. Not STRICT, so that PostgreSQL can inline it.
CREATE FUNCTION fold_text(original text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN octet_length(original) = length(original) THEN collapsed(lower(original))
    ELSE regexp_replace(
        collapsed(equal_forms(lower(original))), '(' || cjk_class() || ') (?=' || cjk_class() || ')', '\1', 'g'
    )
END;

-- Returns which character of a text became the folded one at a place, both counted from 1. Bisects, and folds only
-- from the last place between two plain characters, where folding the parts gives the whole.
CREATE FUNCTION original_position(original text, folded text, place integer) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    boundary text := '(?!\s)[' || plain_ranges() || '](?!\s)[' || plain_ranges() || ']';
    low integer := 0;
    high integer := length(original);
    middle integer;
    shift integer;
    start integer := 0;
    start_place integer := 0;
    folded_count integer;
BEGIN
    IF octet_length(original) = high AND length(folded) = high THEN
        RETURN place;
    END IF;
    WHILE high - low > 1 LOOP
        middle := (low + high) / 2;
        -- The next boundary, if there is one near.
        shift := regexp_instr(substr(original, middle, least(40, high - middle)), boundary);
        middle := middle + greatest(0, shift - 1);
        folded_count := start_place + length(fold_text(substr(original, start + 1, middle - start)));
        IF folded_count >= place THEN
            high := middle;
        ELSE
            low := middle;
            IF shift > 0 THEN
                start := middle;
                start_place := folded_count;
            END IF;
        END IF;
    END LOOP;
    -- White space between Chinese or Japanese characters became none.
    WHILE high < length(original) AND substr(folded, place, 1) <> ' '
        AND btrim(fold_text(substr(original, high, 1))) = '' LOOP
        high := high + 1;
    END LOOP;
    RETURN high;
END
$$;

-- Returns the first match of a folded term at or after a character of a text, counted from 1, or 0. A match that
-- begins inside of what a character became begins with that character. PL/pgSQL, because an SQL function starts
-- more slowly.
CREATE FUNCTION match_position(original text, folded text, term text, first integer) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    place integer := CASE WHEN first > 1 THEN length(fold_text(left(original, first - 1))) ELSE 1 END;
    position integer := 0;
    distance integer;
BEGIN
    WHILE position < first LOOP
        distance := strpos(substr(folded, greatest(1, place)), term);
        IF distance = 0 THEN
            RETURN 0;
        END IF;
        place := greatest(1, place) + distance - 1;
        position := original_position(original, folded, place);
        place := place + 1;
    END LOOP;
    RETURN position;
END
$$;
