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

-- Returns the ranges of marks of letters.
CREATE FUNCTION mark_ranges() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN '\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1-\u05C2\u05C4-\u05C5\u05C7\u0610-\u061A\u064B-\u065F'
    || '\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7-\u06E8\u06EA-\u06ED\u0711\u0730-\u074A\u07EB-\u07F3\u07FD'
    || '\u0816-\u0819\u081B-\u0823\u0825-\u0827\u0829-\u082D\u0859-\u085B\u0897-\u089F\u08CA-\u08E1\u08E3-\u08FF'
    || '\u093C\u094D\u0951-\u0954\u09BC\u09CD\u09FE\u0A3C\u0A4D\u0ABC\u0ACD\u0B3C\u0B4D\u0BCD\u0C3C\u0C4D-\u0C56'
    || '\u0CBC\u0CCD\u0D3B-\u0D3C\u0D4D\u0DCA\u0E38-\u0E3A\u0E48-\u0E4B\u0EB8-\u0EBA\u0EC8-\u0ECB\u0F18-\u0F19'
    || '\u0F35\u0F37\u0F39\u0F71-\u0F7D\u0F80-\u0F84\u0F86-\u0F87\u0FC6\u1037\u1039-\u103A\u108D\u135D-\u135F'
    || '\u1714-\u1715\u1734\u17D2\u17DD\u18A9\u1939-\u193B\u1A17-\u1A18\u1A60\u1A75-\u1A7F\u1AB0-\u1ACE\u1B34'
    || '\u1B44\u1B6B-\u1B73\u1BAA-\u1BAB\u1BE6\u1BF2-\u1BF3\u1C37\u1CD0-\u1CD2\u1CD4-\u1CE0\u1CE2-\u1CE8\u1CED'
    || '\u1CF4\u1CF8-\u1CF9\u1DC0-\u1DFF\u20D0-\u20F0\u2CEF-\u2CF1\u2D7F\u2DE0-\u2DFF\u302A-\u302F\u3099-\u309A'
    || '\uA66F\uA674-\uA67D\uA69E-\uA69F\uA6F0-\uA6F1\uA806\uA82C\uA8C4\uA8E0-\uA8F1\uA92B-\uA92D\uA953\uA9B3'
    || '\uA9C0\uAAB0\uAAB2-\uAAB4\uAAB7-\uAAB8\uAABE-\uAABF\uAAC1\uAAF6\uABED\uFB1E\uFE20-\uFE2F\uFF9E-\uFF9F'
    || '\U000101FD\U000102E0\U00010376-\U0001037A\U00010A0D-\U00010A0F\U00010A38-\U00010A3F\U00010AE5-\U00010AE6'
    || '\U00010D24-\U00010D27\U00010D69-\U00010D6D\U00010EAB-\U00010EAC\U00010EFD-\U00010EFF\U00010F46-\U00010F50'
    || '\U00010F82-\U00010F85\U00011046\U00011070\U0001107F\U000110B9-\U000110BA\U00011100-\U00011102'
    || '\U00011133-\U00011134\U00011173\U000111C0\U000111CA\U00011235-\U00011236\U000112E9-\U000112EA'
    || '\U0001133B-\U0001133C\U0001134D\U00011366-\U000113E2\U00011442\U00011446\U0001145E\U000114C2-\U000114C3'
    || '\U000115BF-\U000115C0\U0001163F\U000116B6-\U000116B7\U0001172B\U00011839-\U0001183A\U0001193D-\U0001193E'
    || '\U00011943\U000119E0\U00011A34\U00011A47\U00011A99\U00011C3F\U00011D42-\U00011D45\U00011D97\U0001612F'
    || '\U00016AF0-\U00016AF4\U00016B30-\U00016B36\U00016FF0-\U00016FF1\U0001BC9E\U0001D165-\U0001D169'
    || '\U0001D16D-\U0001D172\U0001D17B-\U0001D182\U0001D185-\U0001D18B\U0001D1AA-\U0001D1AD\U0001D242-\U0001D244'
    || '\U0001E000-\U0001E02A\U0001E130-\U0001E136\U0001E2AE\U0001E2EC-\U0001E2EF\U0001E4EC-\U0001E5EF'
    || '\U0001E8D0-\U0001E8D6\U0001E944-\U0001E94A';

-- Returns a short text in lower case without characters of no width, in compatibility form (NFKC), with straight
-- quotes and hyphens. Of more than 30 marks in a row, the others do not count, because sorting them takes quadratic
-- time. The last steps make one character of a letter and its mark that only lower case has as one.
CREATE FUNCTION normal_form(lowered text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN normalize(
    lower(translate(
        normalize(
            regexp_replace(regexp_replace(
                lowered,
                '[\u00AD\u034F\u061C\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF'
                    || '\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]+',
                '', 'g'
            ), '([' || mark_ranges() || ']{30})[' || mark_ranges() || ']+', '\1', 'g'),
            NFKC
        ),
        '‘’‚‛‹›ʼ“”„‟«»‐–—‒―−', '''''''''''''''""""""------'
    )),
    NFC
);

-- Does the same for a text of any length. Normalizing is slow, so it gets only runs of characters that are
-- neither plain nor the most common ones, each with the character before it, which may have a mark. Not PL/pgSQL,
-- which finds no function while a backup is restored.
CREATE FUNCTION equal_forms(lowered text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
    SELECT CASE
        WHEN s.straight !~ ('[^' || plain_ranges() || ']') THEN s.straight
        ELSE (
            SELECT string_agg(
                left(m.runs[1], -1) || normal_form(right(m.runs[1], 1) || m.runs[2]), '' ORDER BY m.number
            )
            FROM regexp_matches(s.straight, '([' || plain_ranges() || ']*)([^' || plain_ranges() || ']*)', 'g')
                WITH ORDINALITY AS m (runs, number)
        )
    END
    FROM (
        SELECT replace(replace(replace(replace(replace(replace(replace(
            lowered, '’', ''''), '‘', ''''), '“', '"'), '”', '"'), '–', '-'), '—', '-'), '…', '...') AS straight
        OFFSET 0
    ) AS s
);

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
