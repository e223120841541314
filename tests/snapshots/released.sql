--
-- PostgreSQL database dump
--


-- Dumped from database version 18.6
-- Dumped by pg_dump version 18.6

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: utf16_length(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.utf16_length(original text) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ((2 * length(original)) - length(regexp_replace(original, '[\U00010000-\U0010FFFF]+'::text, ''::text, 'g'::text)));


--
-- Name: character_count(text, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.character_count(original text, unit_offset integer) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN (public.utf16_length(original) = length(original)) THEN LEAST(unit_offset, length(original)) ELSE (SELECT (count(*))::integer AS count FROM (SELECT (sum(public.utf16_length(c.letter)) OVER (ORDER BY c.number) - public.utf16_length(c.letter)) AS first_unit FROM unnest(string_to_array(character_count.original, NULL::text)) WITH ORDINALITY c(letter, number)) u WHERE (u.first_unit < character_count.unit_offset)) END;


--
-- Name: cjk_class(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.cjk_class() RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (('[\u2E80-\u2FD5\u3005\u3007\u3021-\u3029\u3038-\u303B\u3041-\u3096\u309D-\u309F\u30A1-\u30FA\u30FC-\u30FF\u31F0-\u31FF'::text || '\u32D0-\u32FE\u3300-\u3357\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAD9\U00016FE2-\U00016FF6\U0001AFF0-\U0001B167\U0001F200'::text) || '\U00020000-\U000323AF]'::text);


--
-- Name: collapsed(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.collapsed(original text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN regexp_replace(replace(original, '
'::text, ' '::text), ((' [\u0009-\u000D \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+'::text || '|[\u0009-\u000D\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]'::text) || '[\u0009-\u000D \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]*'::text), ' '::text, 'g'::text);


--
-- Name: count_expiring_keys(interval); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.count_expiring_keys(within interval) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT count(*)
    FROM api_keys
    WHERE revoked_at IS NULL AND expires_at > now()
        AND expires_at <= now() + least(within, (expires_at - created_at) / 3)
$$;


--
-- Name: mark_ranges(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.mark_ranges() RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((((((((((((((((((((('\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1-\u05C2\u05C4-\u05C5\u05C7\u0610-\u061A\u064B-\u065F'::text || '\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7-\u06E8\u06EA-\u06ED\u0711\u0730-\u074A\u07EB-\u07F3\u07FD'::text) || '\u0816-\u0819\u081B-\u0823\u0825-\u0827\u0829-\u082D\u0859-\u085B\u0897-\u089F\u08CA-\u08E1\u08E3-\u08FF'::text) || '\u093C\u094D\u0951-\u0954\u09BC\u09CD\u09FE\u0A3C\u0A4D\u0ABC\u0ACD\u0B3C\u0B4D\u0BCD\u0C3C\u0C4D-\u0C56'::text) || '\u0CBC\u0CCD\u0D3B-\u0D3C\u0D4D\u0DCA\u0E38-\u0E3A\u0E48-\u0E4B\u0EB8-\u0EBA\u0EC8-\u0ECB\u0F18-\u0F19'::text) || '\u0F35\u0F37\u0F39\u0F71-\u0F7D\u0F80-\u0F84\u0F86-\u0F87\u0FC6\u1037\u1039-\u103A\u108D\u135D-\u135F'::text) || '\u1714-\u1715\u1734\u17D2\u17DD\u18A9\u1939-\u193B\u1A17-\u1A18\u1A60\u1A75-\u1A7F\u1AB0-\u1ACE\u1B34'::text) || '\u1B44\u1B6B-\u1B73\u1BAA-\u1BAB\u1BE6\u1BF2-\u1BF3\u1C37\u1CD0-\u1CD2\u1CD4-\u1CE0\u1CE2-\u1CE8\u1CED'::text) || '\u1CF4\u1CF8-\u1CF9\u1DC0-\u1DFF\u20D0-\u20F0\u2CEF-\u2CF1\u2D7F\u2DE0-\u2DFF\u302A-\u302F\u3099-\u309A'::text) || '\uA66F\uA674-\uA67D\uA69E-\uA69F\uA6F0-\uA6F1\uA806\uA82C\uA8C4\uA8E0-\uA8F1\uA92B-\uA92D\uA953\uA9B3'::text) || '\uA9C0\uAAB0\uAAB2-\uAAB4\uAAB7-\uAAB8\uAABE-\uAABF\uAAC1\uAAF6\uABED\uFB1E\uFE20-\uFE2F\uFF9E-\uFF9F'::text) || '\U000101FD\U000102E0\U00010376-\U0001037A\U00010A0D-\U00010A0F\U00010A38-\U00010A3F\U00010AE5-\U00010AE6'::text) || '\U00010D24-\U00010D27\U00010D69-\U00010D6D\U00010EAB-\U00010EAC\U00010EFD-\U00010EFF\U00010F46-\U00010F50'::text) || '\U00010F82-\U00010F85\U00011046\U00011070\U0001107F\U000110B9-\U000110BA\U00011100-\U00011102'::text) || '\U00011133-\U00011134\U00011173\U000111C0\U000111CA\U00011235-\U00011236\U000112E9-\U000112EA'::text) || '\U0001133B-\U0001133C\U0001134D\U00011366-\U000113E2\U00011442\U00011446\U0001145E\U000114C2-\U000114C3'::text) || '\U000115BF-\U000115C0\U0001163F\U000116B6-\U000116B7\U0001172B\U00011839-\U0001183A\U0001193D-\U0001193E'::text) || '\U00011943\U000119E0\U00011A34\U00011A47\U00011A99\U00011C3F\U00011D42-\U00011D45\U00011D97\U0001612F'::text) || '\U00016AF0-\U00016AF4\U00016B30-\U00016B36\U00016FF0-\U00016FF1\U0001BC9E\U0001D165-\U0001D169'::text) || '\U0001D16D-\U0001D172\U0001D17B-\U0001D182\U0001D185-\U0001D18B\U0001D1AA-\U0001D1AD\U0001D242-\U0001D244'::text) || '\U0001E000-\U0001E02A\U0001E130-\U0001E136\U0001E2AE\U0001E2EC-\U0001E2EF\U0001E4EC-\U0001E5EF'::text) || '\U0001E8D0-\U0001E8D6\U0001E944-\U0001E94A'::text);


--
-- Name: normal_form(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.normal_form(lowered text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN NORMALIZE(lower(translate(NORMALIZE(regexp_replace(regexp_replace(lowered, ('[\u00AD\u034F\u061C\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF'::text || '\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]+'::text), ''::text, 'g'::text), (((('(['::text || public.mark_ranges()) || ']{30})['::text) || public.mark_ranges()) || ']+'::text), '\1'::text, 'g'::text), NFKC), '‘’‚‛‹›ʼ“”„‟«»‐–—‒―−'::text, '''''''''''''''""""""------'::text)), NFC);


--
-- Name: plain_ranges(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.plain_ranges() RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((('\u0001-\u00A7\u00A9\u00AC\u00AE\u00B0\u00B1\u00B6\u00B7\u00BF-\u0131\u0134-\u013E\u0141-\u0148\u014A-\u017E\u0180-\u01C3'::text || '\u01CD-\u01F0\u01F4-\u02AF\u0388-\u03CE\u0400-\u0482\u048A-\u0586\u05D0-\u05EA\u0620-\u064A\u0904-\u0939\u0E01-\u0E30'::text) || '\u0E40-\u0E46\u10D0-\u10FA\u2190-\u2193\u2500-\u27BF\u3001\u3002\u3008-\u3020\u3041-\u3096\u30A1-\u30FA\u30FC\u3400-\u9FFF'::text) || '\uAC00-\uD7A3\U0001F300-\U0001FAFF'::text);


--
-- Name: equal_forms(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.equal_forms(lowered text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (SELECT CASE WHEN (s.straight !~ (('[^'::text || public.plain_ranges()) || ']'::text)) THEN s.straight ELSE (SELECT string_agg(("left"(m.runs[1], '-1'::integer) || public.normal_form(("right"(m.runs[1], 1) || m.runs[2]))), ''::text ORDER BY m.number) AS string_agg FROM regexp_matches(s.straight, (((('(['::text || public.plain_ranges()) || ']*)([^'::text) || public.plain_ranges()) || ']*)'::text), 'g'::text) WITH ORDINALITY m(runs, number)) END AS string_agg FROM (SELECT replace(replace(replace(replace(replace(replace(replace(equal_forms.lowered, '’'::text, ''''::text), '‘'::text, ''''::text), '“'::text, '"'::text), '”'::text, '"'::text), '–'::text, '-'::text), '—'::text, '-'::text), '…'::text, '...'::text) AS straight OFFSET 0) s);


--
-- Name: find_caller(bytea); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.find_caller(wanted bytea) RETURNS TABLE(key_id uuid, access text, scopes text[], source_ids text[], plan text, verified_holding numeric, organization_id uuid, display_name text, slug text, created_at timestamp with time zone, updated_at timestamp with time zone, preview boolean, version uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
    RETURN QUERY
    SELECT
        k.id,
        CASE
            WHEN k.revoked_at IS NOT NULL THEN 'revoked'
            WHEN k.expires_at <= now() THEN 'expired'
            WHEN m.user_id IS NULL THEN 'ineligible issuer'
            ELSE k.access
        END,
        k.scopes, k.source_ids, o.plan, o.verified_holding,
        o.organization_id, o.display_name, o.slug, o.created_at, o.updated_at, o.preview,
        o.version
    FROM api_keys AS k
    LEFT JOIN members AS m
        ON m.organization_id = k.organization_id
        AND m.user_id = k.issued_by
        AND m.role IN ('owner', 'admin')
    JOIN organizations AS o ON o.organization_id = k.organization_id
    WHERE k.key_hash = wanted;
END
$$;


--
-- Name: find_identity(text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.find_identity(wanted_subject text, wanted_email text) RETURNS TABLE(organization_id uuid, organization_name text, slug text, user_id uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
    RETURN QUERY
    SELECT DISTINCT ON (o.organization_id) o.organization_id, o.display_name, o.slug, i.user_id
    FROM member_identities AS i
    JOIN members AS m
        ON m.organization_id = i.organization_id
        AND m.user_id = i.user_id
        AND m.role IN ('owner', 'admin')
    JOIN organizations AS o ON o.organization_id = i.organization_id
    WHERE (i.kind = 'subject' AND i.value = wanted_subject)
        OR (i.kind = 'email' AND i.value = wanted_email)
    ORDER BY o.organization_id, i.kind = 'subject' DESC
    LIMIT 100;
END
$$;


--
-- Name: fold_text(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.fold_text(original text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (octet_length(original) = length(original)) THEN public.collapsed(lower(original)) ELSE regexp_replace(public.collapsed(public.equal_forms(lower(original))), (((('('::text || public.cjk_class()) || ') (?='::text) || public.cjk_class()) || ')'::text), '\1'::text, 'g'::text) END;


--
-- Name: indexed_tokens(tsvector); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.indexed_tokens(tokens tsvector) RETURNS tsvector
    LANGUAGE sql IMMUTABLE STRICT COST 1e+06 PARALLEL SAFE
    RETURN (SELECT tokens AS tokens);


--
-- Name: keyed_term_tokens(uuid, text[], text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keyed_term_tokens(organization_id uuid, source_ids text[], folded text) RETURNS tsquery[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
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


--
-- Name: search_key(uuid, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.search_key(organization_id uuid, source_id text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN "left"(encode(sha256(convert_to(((organization_id)::text || source_id), 'UTF8'::name)), 'base64'::text), 4);


--
-- Name: keyed_text_tokens(uuid, text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keyed_text_tokens(organization_id uuid, source_id text, folded text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE STRICT COST 10000 PARALLEL SAFE
    RETURN (SELECT CASE WHEN (length(keyed_text_tokens.folded) > 50000) THEN array_to_tsvector(ARRAY['too long'::text]) ELSE (SELECT array_to_tsvector(array_agg((((k.key || p.first) || COALESCE(p.second, ''::text)) || COALESCE(p.third, ''::text)))) AS array_to_tsvector FROM ((SELECT string_to_array(keyed_text_tokens.folded, NULL::text) AS characters OFFSET 0) t CROSS JOIN LATERAL UNNEST(t.characters, t.characters[2:], t.characters[3:]) p(first, second, third))) END AS array_to_tsvector FROM (SELECT public.search_key(keyed_text_tokens.organization_id, keyed_text_tokens.source_id) AS key OFFSET 0) k);


--
-- Name: keyed_title_words(text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keyed_title_words(key text, folded text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN array_to_tsvector(ARRAY(SELECT DISTINCT ((keyed_title_words.key || '
7'::text) || "left"(w.word, 40)) FROM regexp_split_to_table(keyed_title_words.folded, '[^[:alnum:]_]+'::text) w(word) WHERE (length(w.word) > 1)));


--
-- Name: lock_member(uuid, uuid); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.lock_member(wanted_organization_id uuid, wanted_user_id uuid) RETURNS TABLE(role text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
    RETURN QUERY
    SELECT m.role
    FROM members AS m
    WHERE m.organization_id = wanted_organization_id AND m.user_id = wanted_user_id
    FOR SHARE;
END
$$;


--
-- Name: match_position(text, text, text, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.match_position(original text, folded text, term text, first integer) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
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


--
-- Name: original_position(text, text, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.original_position(original text, folded text, place integer) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
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


--
-- Name: person_digest(uuid, text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.person_digest(organization_id uuid, platform text, person_id text) RETURNS bytea
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    RETURN sha256(convert_to((((((organization_id)::text || ':'::text) || platform) || ':'::text) || person_id), 'UTF8'::name));


--
-- Name: refuse_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'records of the audit are never changed';
END
$$;


--
-- Name: rekeyed_tokens(text, tsvector); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.rekeyed_tokens(key text, tokens tsvector) RETURNS tsvector
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN array_to_tsvector(ARRAY(SELECT (rekeyed_tokens.key || substr(t.token, (length(rekeyed_tokens.key) + 1))) FROM unnest(tsvector_to_array(rekeyed_tokens.tokens)) t(token)));


--
-- Name: text_version(text, bytea); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.text_version(title text, content_digest bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN sha256((content_digest || convert_to(title, 'UTF8'::name)));


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: api_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_keys (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    key_hash bytea NOT NULL,
    hint text NOT NULL,
    name text,
    issued_by uuid NOT NULL,
    access text NOT NULL,
    scopes text[] NOT NULL,
    source_ids text[] COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT api_keys_access_check CHECK ((access = ANY (ARRAY['api'::text, 'mcp'::text, 'both'::text]))),
    CONSTRAINT api_keys_key_hash_check CHECK ((octet_length(key_hash) = 32)),
    CONSTRAINT api_keys_scopes_check CHECK ((cardinality(scopes) > 0)),
    CONSTRAINT api_keys_source_ids_check CHECK ((cardinality(source_ids) > 0))
);


--
-- Name: assets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.assets (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    source_id text NOT NULL COLLATE pg_catalog."C",
    parent_id uuid,
    kind text NOT NULL,
    name text NOT NULL,
    name_lower text GENERATED ALWAYS AS (lower(name)) STORED NOT NULL,
    name_folded text GENERATED ALWAYS AS (public.fold_text(name)) STORED NOT NULL,
    mime text,
    bytes bigint NOT NULL,
    public boolean NOT NULL,
    public_url text,
    uploaded_by_id uuid,
    uploaded_by_name text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT assets_bytes_check CHECK ((bytes >= 0)),
    CONSTRAINT assets_kind_check CHECK ((kind = ANY (ARRAY['folder'::text, 'file'::text])))
);


--
-- Name: audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit (
    organization_id uuid NOT NULL,
    sequence bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    decided_by uuid,
    login text DEFAULT SESSION_USER NOT NULL,
    authentication text DEFAULT 'admin login'::text NOT NULL,
    command text NOT NULL,
    before jsonb NOT NULL,
    after jsonb NOT NULL
);


--
-- Name: audit_sequence_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.audit ALTER COLUMN sequence ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: desk_signing_secret; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.desk_signing_secret (
    is_only boolean DEFAULT true NOT NULL,
    secret text DEFAULT concat(gen_random_uuid(), gen_random_uuid()) NOT NULL,
    CONSTRAINT desk_signing_secret_is_only_check CHECK (is_only)
);


--
-- Name: erased_people; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.erased_people (
    organization_id uuid NOT NULL,
    digest bytea NOT NULL
);


--
-- Name: knowledge; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.knowledge (
    organization_id uuid NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    source_id text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL,
    title text NOT NULL,
    title_lower text GENERATED ALWAYS AS (public.fold_text(title)) STORED NOT NULL,
    content_format text NOT NULL,
    visibility text NOT NULL,
    archived boolean NOT NULL,
    source_status text NOT NULL,
    source_label text NOT NULL,
    source_href text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    kind text GENERATED ALWAYS AS (
CASE
    WHEN (id ~~ 'note:%'::text) THEN 'note'::text
    ELSE 'source'::text
END) STORED NOT NULL,
    preview text NOT NULL,
    content_units integer NOT NULL,
    content_digest bytea NOT NULL,
    text_digest bytea,
    CONSTRAINT knowledge_content_format_check CHECK ((content_format = ANY (ARRAY['markdown'::text, 'plain_text'::text]))),
    CONSTRAINT knowledge_source_check CHECK ((source = ANY (ARRAY['docs'::text, 'assets'::text, 'chain'::text, 'profile'::text, 'team'::text, 'answer'::text]))),
    CONSTRAINT knowledge_source_status_check CHECK ((source_status = ANY (ARRAY['current'::text, 'draft'::text, 'removed'::text, 'unavailable'::text, 'reference'::text]))),
    CONSTRAINT knowledge_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'team'::text])))
);


--
-- Name: knowledge_chunks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.knowledge_chunks (
    organization_id uuid NOT NULL,
    knowledge_id text NOT NULL COLLATE pg_catalog."C",
    first_unit integer NOT NULL,
    unit_count integer NOT NULL,
    content text NOT NULL,
    overlap text NOT NULL,
    search_text text GENERATED ALWAYS AS (public.fold_text((content || overlap))) STORED NOT NULL
);


--
-- Name: knowledge_releases; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.knowledge_releases (
    organization_id uuid NOT NULL,
    knowledge_id text NOT NULL COLLATE pg_catalog."C",
    version bytea NOT NULL,
    released_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: knowledge_search; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.knowledge_search (
    organization_id uuid NOT NULL,
    knowledge_id text NOT NULL COLLATE pg_catalog."C",
    first_unit integer NOT NULL,
    source_id text NOT NULL COLLATE pg_catalog."C",
    tokens tsvector NOT NULL,
    updated_at timestamp with time zone
);
ALTER TABLE ONLY public.knowledge_search ALTER COLUMN tokens SET STATISTICS 0;
ALTER TABLE ONLY public.knowledge_search ALTER COLUMN tokens SET STORAGE EXTERNAL;


--
-- Name: knowledge_suppressions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.knowledge_suppressions (
    organization_id uuid NOT NULL,
    knowledge_id text NOT NULL COLLATE pg_catalog."C",
    reason text NOT NULL,
    suppressed_at timestamp with time zone DEFAULT now() NOT NULL,
    first_digest bytea,
    last_digest bytea,
    detail text,
    detail_offset integer,
    held_id text GENERATED ALWAYS AS (
CASE
    WHEN (reason <> 'suppressed'::text) THEN knowledge_id
    ELSE NULL::text
END) STORED COLLATE pg_catalog."C",
    CONSTRAINT knowledge_suppressions_reason_check CHECK ((reason = ANY (ARRAY['suppressed'::text, 'new'::text, 'secret'::text, 'same text'::text])))
);


--
-- Name: member_identities; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.member_identities (
    organization_id uuid NOT NULL,
    kind text NOT NULL,
    value text NOT NULL COLLATE pg_catalog."C",
    user_id uuid NOT NULL,
    CONSTRAINT member_identities_kind_check CHECK ((kind = ANY (ARRAY['email'::text, 'subject'::text])))
);


--
-- Name: members; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.members (
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    display_name text,
    role text NOT NULL,
    signed_out_at timestamp with time zone,
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'removed'::text])))
);


--
-- Name: migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migrations (
    migration_id text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: organization_locks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.organization_locks (
    organization_id uuid NOT NULL
);


--
-- Name: organizations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.organizations (
    organization_id uuid NOT NULL,
    display_name text NOT NULL,
    slug text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    plan text NOT NULL,
    verified_holding numeric NOT NULL,
    preview boolean NOT NULL,
    version uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT organizations_plan_check CHECK ((plan = ANY (ARRAY['standard'::text, 'pro'::text]))),
    CONSTRAINT organizations_verified_holding_check CHECK ((verified_holding >= (0)::numeric))
);


--
-- Name: people; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.people (
    organization_id uuid NOT NULL,
    source_id text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL,
    person_id text NOT NULL COLLATE pg_catalog."C",
    display_name text NOT NULL,
    username text,
    verified boolean,
    display_name_lower text GENERATED ALWAYS AS (public.fold_text(display_name)) STORED NOT NULL,
    username_lower text GENERATED ALWAYS AS (public.fold_text(username)) STORED,
    activity_count bigint NOT NULL,
    first_active_at timestamp with time zone NOT NULL,
    last_active_at timestamp with time zone NOT NULL,
    newer_source_ids text[] DEFAULT '{}'::text[] NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT people_platform_check CHECK ((platform = ANY (ARRAY['telegram'::text, 'x'::text])))
);


--
-- Name: people_counts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.people_counts (
    organization_id uuid NOT NULL,
    source_id text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    newer_source_ids text[] NOT NULL COLLATE pg_catalog."C",
    people_count bigint NOT NULL
);


--
-- Name: readable_knowledge; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.readable_knowledge AS
 SELECT organization_id,
    id,
    source_id,
    source,
    title,
    title_lower,
    content_format,
    visibility,
    archived,
    source_status,
    source_label,
    source_href,
    created_at,
    updated_at,
    kind,
    preview,
    content_units,
    content_digest,
    text_digest
   FROM public.knowledge k
  WHERE (NOT (EXISTS ( SELECT
           FROM public.knowledge_suppressions s
          WHERE ((s.organization_id = k.organization_id) AND (s.knowledge_id = k.id)))));


--
-- Name: source_syncs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.source_syncs (
    organization_id uuid NOT NULL,
    source_id text NOT NULL COLLATE pg_catalog."C",
    synced_at timestamp with time zone NOT NULL,
    state text NOT NULL,
    refused_count integer NOT NULL,
    message text
);


--
-- Name: sources; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sources (
    organization_id uuid NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    label text NOT NULL,
    description text NOT NULL,
    href text,
    status text NOT NULL,
    updated_at timestamp with time zone,
    stale_after_seconds integer,
    account text,
    included boolean DEFAULT true NOT NULL,
    external boolean DEFAULT false NOT NULL,
    decided_by uuid,
    decided_at timestamp with time zone,
    holds_new boolean DEFAULT false NOT NULL,
    record_count bigint DEFAULT 0 NOT NULL,
    chat_id uuid,
    loaded_at timestamp with time zone,
    CONSTRAINT sources_kind_check CHECK ((kind = ANY (ARRAY['docs'::text, 'notes'::text, 'assets'::text, 'profile'::text, 'token'::text, 'x'::text, 'telegram'::text])))
);


--
-- Name: telegram_chats; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.telegram_chats (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    source_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    title text NOT NULL,
    username text,
    member_count bigint NOT NULL,
    linked_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    tracked_message_count bigint DEFAULT 0 NOT NULL,
    last_message_at timestamp with time zone,
    CONSTRAINT telegram_chats_member_count_check CHECK ((member_count >= 0)),
    CONSTRAINT telegram_chats_type_check CHECK ((type = ANY (ARRAY['group'::text, 'supergroup'::text, 'channel'::text])))
);


--
-- Name: telegram_messages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.telegram_messages (
    organization_id uuid NOT NULL,
    chat_id uuid NOT NULL,
    id integer NOT NULL,
    sender_id text COLLATE pg_catalog."C",
    sender_name text NOT NULL,
    sender_username text,
    kind text NOT NULL,
    text text,
    detail text,
    file jsonb,
    reply_to_message_id bigint,
    sent_at timestamp with time zone NOT NULL,
    edited_at timestamp with time zone,
    CONSTRAINT telegram_messages_id_check CHECK ((id >= 1))
);


--
-- Name: telegram_search; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.telegram_search (
    organization_id uuid NOT NULL,
    chat_id uuid NOT NULL,
    id integer NOT NULL,
    sender_id text COLLATE pg_catalog."C",
    sent_at timestamp with time zone NOT NULL,
    text_lower text,
    file_name_lower text
);


--
-- Name: tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.tokens (
    organization_id uuid NOT NULL,
    source_id text NOT NULL COLLATE pg_catalog."C",
    address text GENERATED ALWAYS AS ((token ->> 'address'::text)) STORED,
    name text GENERATED ALWAYS AS ((token ->> 'name'::text)) STORED,
    symbol text GENERATED ALWAYS AS ((token ->> 'symbol'::text)) STORED,
    token jsonb,
    index jsonb,
    holders jsonb,
    latest_fees jsonb,
    latest_trade_at timestamp with time zone,
    sources jsonb NOT NULL
);


--
-- Name: x_mentions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.x_mentions (
    organization_id uuid NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    source_id text NOT NULL COLLATE pg_catalog."C",
    account text NOT NULL,
    url text NOT NULL,
    text text NOT NULL,
    text_lower text GENERATED ALWAYS AS (public.fold_text(text)) STORED NOT NULL,
    created_at timestamp with time zone NOT NULL,
    metrics jsonb NOT NULL,
    is_reply boolean NOT NULL,
    is_repost boolean NOT NULL,
    author_id text NOT NULL COLLATE pg_catalog."C",
    author_username text NOT NULL,
    author_name text NOT NULL,
    author_verified boolean NOT NULL,
    media jsonb NOT NULL,
    quoted jsonb
);


--
-- Data for Name: api_keys; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: assets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.assets VALUES
	('11111111-1111-4111-8111-111111111111', '015a37c5-036c-54ef-bf87-70f0a3db3e6e', 'assets:main', NULL, 'folder', 'Brand', DEFAULT, DEFAULT, NULL, 0, false, NULL, NULL, NULL, '2026-01-31 08:00:00+00', '2026-01-31 08:00:00+00'),
	('11111111-1111-4111-8111-111111111111', '49edcaf3-82fd-5478-a0df-e54c297b62e6', 'assets:main', '015a37c5-036c-54ef-bf87-70f0a3db3e6e', 'file', 'logo.png', DEFAULT, DEFAULT, 'image/png', 1024, false, NULL, NULL, NULL, '2026-01-31 08:00:00+00', '2026-01-31 08:00:00+00');


--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit OVERRIDING SYSTEM VALUE VALUES
	('11111111-1111-4111-8111-111111111111', 1, '2026-11-29 01:05:25.577219+00', 'aaaaaaaa-0000-4000-8000-000000000001', 'orgctx', 'admin login', 'sources approve', '{"x:main": {"kind": "x", "label": "Acme x", "external": false, "included": true, "holds_new": false}, "notes:team": {"kind": "notes", "label": "Acme notes", "external": false, "included": true, "holds_new": false}, "token:main": {"kind": "token", "label": "Acme token", "external": false, "included": true, "holds_new": false}, "assets:main": {"kind": "assets", "label": "Acme assets", "external": false, "included": true, "holds_new": false}, "profile:main": {"kind": "profile", "label": "Acme profile", "external": false, "included": true, "holds_new": false}, "docs:handbook": {"kind": "docs", "label": "Acme docs", "external": false, "included": true, "holds_new": false}, "telegram:main": {"kind": "telegram", "label": "Acme telegram", "external": false, "included": true, "holds_new": false}}', '{"x:main": {"keys": 0, "kind": "x", "label": "Acme x", "external": true, "included": true, "holds_new": false}, "notes:team": {"keys": 0, "kind": "notes", "label": "Acme notes", "external": true, "included": true, "holds_new": false}, "token:main": {"keys": 0, "kind": "token", "label": "Acme token", "external": true, "included": true, "holds_new": false}, "assets:main": {"keys": 0, "kind": "assets", "label": "Acme assets", "external": true, "included": true, "holds_new": false}, "profile:main": {"keys": 0, "kind": "profile", "label": "Acme profile", "external": true, "included": true, "holds_new": false}, "docs:handbook": {"keys": 0, "kind": "docs", "label": "Acme docs", "external": true, "included": true, "holds_new": false}, "telegram:main": {"keys": 0, "kind": "telegram", "label": "Acme telegram", "external": true, "included": true, "holds_new": false}}'),
	('11111111-1111-4111-8111-111111111111', 2, '2026-11-29 01:05:25.678951+00', 'aaaaaaaa-0000-4000-8000-000000000001', 'orgctx', 'admin login', 'knowledge suppress', '{"docs:6b7b06c7-8ec3-53bb-8a82-e04a9405a8a4": {"held": {}, "suppressed": false}}', '{"docs:6b7b06c7-8ec3-53bb-8a82-e04a9405a8a4": {"held": {}, "suppressed": true}}');


--
-- Data for Name: desk_signing_secret; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.desk_signing_secret VALUES
	(true, '01021336-41ea-42b5-94cb-876d02310c00d982eea3-dc56-4e1d-928d-684c0aaac29c');


--
-- Data for Name: erased_people; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: knowledge; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.knowledge VALUES
	('11111111-1111-4111-8111-111111111111', 'assets:b80c8fef-a677-5340-85fb-2c162d75df03', 'assets:main', 'assets', 'Document 1', DEFAULT, 'markdown', 'public', false, 'current', 'Handbook', NULL, '2026-01-31 08:00:00+00', '2026-01-31 08:00:00+00', DEFAULT, 'Content of document 1.', 22, '\x29141e59c09b6e2a0aa42a0541ca7cc3f98e7b888252552a573a9382b3724620', NULL),
	('11111111-1111-4111-8111-111111111111', 'chain:0xabababababababababababababababababababab', 'token:main', 'chain', 'Document 1', DEFAULT, 'markdown', 'public', false, 'current', 'Handbook', NULL, '2026-01-31 08:00:00+00', '2026-01-31 08:00:00+00', DEFAULT, 'Content of document 1.', 22, '\x29141e59c09b6e2a0aa42a0541ca7cc3f98e7b888252552a573a9382b3724620', NULL),
	('11111111-1111-4111-8111-111111111111', 'docs:b80c8fef-a677-5340-85fb-2c162d75df03', 'docs:handbook', 'docs', 'Document 1', DEFAULT, 'markdown', 'public', false, 'current', 'Handbook', NULL, '2026-01-31 08:00:00+00', '2026-01-31 08:00:00+00', DEFAULT, 'Content of document 1.', 22, '\x29141e59c09b6e2a0aa42a0541ca7cc3f98e7b888252552a573a9382b3724620', NULL),
	('11111111-1111-4111-8111-111111111111', 'note:b80c8fef-a677-5340-85fb-2c162d75df03', 'notes:team', 'team', 'Document 1', DEFAULT, 'markdown', 'public', false, 'current', 'Handbook', NULL, '2026-01-31 08:00:00+00', '2026-01-31 08:00:00+00', DEFAULT, 'Content of document 1.', 22, '\x29141e59c09b6e2a0aa42a0541ca7cc3f98e7b888252552a573a9382b3724620', NULL),
	('11111111-1111-4111-8111-111111111111', 'profile:b80c8fef-a677-5340-85fb-2c162d75df03', 'profile:main', 'profile', 'Document 1', DEFAULT, 'markdown', 'public', false, 'current', 'Handbook', NULL, '2026-01-31 08:00:00+00', '2026-01-31 08:00:00+00', DEFAULT, 'Content of document 1.', 22, '\x29141e59c09b6e2a0aa42a0541ca7cc3f98e7b888252552a573a9382b3724620', NULL),
	('11111111-1111-4111-8111-111111111111', 'docs:6b7b06c7-8ec3-53bb-8a82-e04a9405a8a4', 'docs:handbook', 'docs', 'Document suppressed', DEFAULT, 'markdown', 'public', false, 'current', 'Handbook', NULL, '2026-01-31 08:00:00+00', '2026-01-31 08:00:00+00', DEFAULT, 'Content of document suppressed.', 31, '\x21565843fa7effadc96343507f19a4447b2e5bb131c2db1b2995c9b12f238ddd', NULL);


--
-- Data for Name: knowledge_chunks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.knowledge_chunks VALUES
	('11111111-1111-4111-8111-111111111111', 'assets:b80c8fef-a677-5340-85fb-2c162d75df03', 0, 22, 'Content of document 1.', '', DEFAULT),
	('11111111-1111-4111-8111-111111111111', 'chain:0xabababababababababababababababababababab', 0, 22, 'Content of document 1.', '', DEFAULT),
	('11111111-1111-4111-8111-111111111111', 'docs:b80c8fef-a677-5340-85fb-2c162d75df03', 0, 22, 'Content of document 1.', '', DEFAULT),
	('11111111-1111-4111-8111-111111111111', 'note:b80c8fef-a677-5340-85fb-2c162d75df03', 0, 22, 'Content of document 1.', '', DEFAULT),
	('11111111-1111-4111-8111-111111111111', 'profile:b80c8fef-a677-5340-85fb-2c162d75df03', 0, 22, 'Content of document 1.', '', DEFAULT),
	('11111111-1111-4111-8111-111111111111', 'docs:6b7b06c7-8ec3-53bb-8a82-e04a9405a8a4', 0, 31, 'Content of document suppressed.', '', DEFAULT);


--
-- Data for Name: knowledge_releases; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: knowledge_search; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.knowledge_search VALUES
	('11111111-1111-4111-8111-111111111111', 'assets:b80c8fef-a677-5340-85fb-2c162d75df03', -1, 'assets:main', '''QtM7
7document'' ''QtM7 1'' ''QtM71'' ''QtM7cum'' ''QtM7doc'' ''QtM7ent'' ''QtM7men'' ''QtM7nt '' ''QtM7ocu'' ''QtM7t 1'' ''QtM7ume''', '2026-01-31 08:00:00+00'),
	('11111111-1111-4111-8111-111111111111', 'chain:0xabababababababababababababababababababab', -1, 'token:main', '''Jn4a
7document'' ''Jn4a 1'' ''Jn4a1'' ''Jn4acum'' ''Jn4adoc'' ''Jn4aent'' ''Jn4amen'' ''Jn4ant '' ''Jn4aocu'' ''Jn4at 1'' ''Jn4aume''', '2026-01-31 08:00:00+00'),
	('11111111-1111-4111-8111-111111111111', 'docs:b80c8fef-a677-5340-85fb-2c162d75df03', -1, 'docs:handbook', '''sutD
7document'' ''sutD 1'' ''sutD1'' ''sutDcum'' ''sutDdoc'' ''sutDent'' ''sutDmen'' ''sutDnt '' ''sutDocu'' ''sutDt 1'' ''sutDume''', '2026-01-31 08:00:00+00'),
	('11111111-1111-4111-8111-111111111111', 'note:b80c8fef-a677-5340-85fb-2c162d75df03', -1, 'notes:team', '''sCx7
7document'' ''sCx7 1'' ''sCx71'' ''sCx7cum'' ''sCx7doc'' ''sCx7ent'' ''sCx7men'' ''sCx7nt '' ''sCx7ocu'' ''sCx7t 1'' ''sCx7ume''', '2026-01-31 08:00:00+00'),
	('11111111-1111-4111-8111-111111111111', 'profile:b80c8fef-a677-5340-85fb-2c162d75df03', -1, 'profile:main', '''GV9d
7document'' ''GV9d 1'' ''GV9d1'' ''GV9dcum'' ''GV9ddoc'' ''GV9dent'' ''GV9dmen'' ''GV9dnt '' ''GV9docu'' ''GV9dt 1'' ''GV9dume''', '2026-01-31 08:00:00+00'),
	('11111111-1111-4111-8111-111111111111', 'assets:b80c8fef-a677-5340-85fb-2c162d75df03', 0, 'assets:main', '''QtM7 1.'' ''QtM7 do'' ''QtM7 of'' ''QtM7.'' ''QtM71.'' ''QtM7con'' ''QtM7cum'' ''QtM7doc'' ''QtM7ent'' ''QtM7f d'' ''QtM7men'' ''QtM7nt '' ''QtM7nte'' ''QtM7ocu'' ''QtM7of '' ''QtM7ont'' ''QtM7t 1'' ''QtM7t o'' ''QtM7ten'' ''QtM7ume''', NULL),
	('11111111-1111-4111-8111-111111111111', 'assets:b80c8fef-a677-5340-85fb-2c162d75df03', -2, 'assets:main', '''QtM7
6content'' ''QtM7
6document'' ''QtM7
6of''', '2026-01-31 08:00:00+00'),
	('11111111-1111-4111-8111-111111111111', 'chain:0xabababababababababababababababababababab', 0, 'token:main', '''Jn4a 1.'' ''Jn4a do'' ''Jn4a of'' ''Jn4a.'' ''Jn4a1.'' ''Jn4acon'' ''Jn4acum'' ''Jn4adoc'' ''Jn4aent'' ''Jn4af d'' ''Jn4amen'' ''Jn4ant '' ''Jn4ante'' ''Jn4aocu'' ''Jn4aof '' ''Jn4aont'' ''Jn4at 1'' ''Jn4at o'' ''Jn4aten'' ''Jn4aume''', NULL),
	('11111111-1111-4111-8111-111111111111', 'chain:0xabababababababababababababababababababab', -2, 'token:main', '''Jn4a
6content'' ''Jn4a
6document'' ''Jn4a
6of''', '2026-01-31 08:00:00+00'),
	('11111111-1111-4111-8111-111111111111', 'docs:b80c8fef-a677-5340-85fb-2c162d75df03', 0, 'docs:handbook', '''sutD 1.'' ''sutD do'' ''sutD of'' ''sutD.'' ''sutD1.'' ''sutDcon'' ''sutDcum'' ''sutDdoc'' ''sutDent'' ''sutDf d'' ''sutDmen'' ''sutDnt '' ''sutDnte'' ''sutDocu'' ''sutDof '' ''sutDont'' ''sutDt 1'' ''sutDt o'' ''sutDten'' ''sutDume''', NULL),
	('11111111-1111-4111-8111-111111111111', 'docs:b80c8fef-a677-5340-85fb-2c162d75df03', -2, 'docs:handbook', '''sutD
6content'' ''sutD
6document'' ''sutD
6of''', '2026-01-31 08:00:00+00'),
	('11111111-1111-4111-8111-111111111111', 'note:b80c8fef-a677-5340-85fb-2c162d75df03', 0, 'notes:team', '''sCx7 1.'' ''sCx7 do'' ''sCx7 of'' ''sCx7.'' ''sCx71.'' ''sCx7con'' ''sCx7cum'' ''sCx7doc'' ''sCx7ent'' ''sCx7f d'' ''sCx7men'' ''sCx7nt '' ''sCx7nte'' ''sCx7ocu'' ''sCx7of '' ''sCx7ont'' ''sCx7t 1'' ''sCx7t o'' ''sCx7ten'' ''sCx7ume''', NULL),
	('11111111-1111-4111-8111-111111111111', 'note:b80c8fef-a677-5340-85fb-2c162d75df03', -2, 'notes:team', '''sCx7
6content'' ''sCx7
6document'' ''sCx7
6of''', '2026-01-31 08:00:00+00'),
	('11111111-1111-4111-8111-111111111111', 'profile:b80c8fef-a677-5340-85fb-2c162d75df03', 0, 'profile:main', '''GV9d 1.'' ''GV9d do'' ''GV9d of'' ''GV9d.'' ''GV9d1.'' ''GV9dcon'' ''GV9dcum'' ''GV9ddoc'' ''GV9dent'' ''GV9df d'' ''GV9dmen'' ''GV9dnt '' ''GV9dnte'' ''GV9docu'' ''GV9dof '' ''GV9dont'' ''GV9dt 1'' ''GV9dt o'' ''GV9dten'' ''GV9dume''', NULL),
	('11111111-1111-4111-8111-111111111111', 'profile:b80c8fef-a677-5340-85fb-2c162d75df03', -2, 'profile:main', '''GV9d
6content'' ''GV9d
6document'' ''GV9d
6of''', '2026-01-31 08:00:00+00'),
	('11111111-1111-4111-8111-111111111111', 'docs:6b7b06c7-8ec3-53bb-8a82-e04a9405a8a4', -1, '', '''vXZi
7document'' ''vXZi
7suppressed'' ''vXZi su'' ''vXZicum'' ''vXZid'' ''vXZidoc'' ''vXZied'' ''vXZient'' ''vXZiess'' ''vXZimen'' ''vXZint '' ''vXZiocu'' ''vXZippr'' ''vXZipre'' ''vXZires'' ''vXZised'' ''vXZisse'' ''vXZisup'' ''vXZit s'' ''vXZiume'' ''vXZiupp''', '2026-01-31 08:00:00+00'),
	('11111111-1111-4111-8111-111111111111', 'docs:6b7b06c7-8ec3-53bb-8a82-e04a9405a8a4', 0, '', '''vXZi do'' ''vXZi of'' ''vXZi su'' ''vXZi.'' ''vXZicon'' ''vXZicum'' ''vXZid.'' ''vXZidoc'' ''vXZied.'' ''vXZient'' ''vXZiess'' ''vXZif d'' ''vXZimen'' ''vXZint '' ''vXZinte'' ''vXZiocu'' ''vXZiof '' ''vXZiont'' ''vXZippr'' ''vXZipre'' ''vXZires'' ''vXZised'' ''vXZisse'' ''vXZisup'' ''vXZit o'' ''vXZit s'' ''vXZiten'' ''vXZiume'' ''vXZiupp''', NULL),
	('11111111-1111-4111-8111-111111111111', 'docs:6b7b06c7-8ec3-53bb-8a82-e04a9405a8a4', -2, '', '''vXZi
6content'' ''vXZi
6document'' ''vXZi
6of'' ''vXZi
6suppressed''', '2026-01-31 08:00:00+00');


--
-- Data for Name: knowledge_suppressions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.knowledge_suppressions VALUES
	('11111111-1111-4111-8111-111111111111', 'docs:6b7b06c7-8ec3-53bb-8a82-e04a9405a8a4', 'suppressed', '2026-11-29 01:05:25.664788+00', NULL, NULL, NULL, NULL, DEFAULT);


--
-- Data for Name: member_identities; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: members; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.members VALUES
	('11111111-1111-4111-8111-111111111111', 'aaaaaaaa-0000-4000-8000-000000000001', 'Owner', 'owner', NULL),
	('11111111-1111-4111-8111-111111111111', 'aaaaaaaa-0000-4000-8000-000000000002', 'Admin', 'admin', NULL),
	('11111111-1111-4111-8111-111111111111', 'aaaaaaaa-0000-4000-8000-000000000003', 'Member', 'member', NULL);


--
-- Data for Name: migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migrations VALUES
	('001_organizations', '408652be2b8ee09bd8a94a809d5b915b5847d07315f9e2c0a61a06d3f8e12d14', '2026-11-29 01:05:25.176132+00'),
	('002_sources', 'b5812cda3b54b790db0d1f9e886e87e84c18340c8dd42702b155847c1e69b4b2', '2026-11-29 01:05:25.176132+00'),
	('003_keys', '4e853919ecb7b1c58775b870fe111c7231fda134d0256ea4ba56b945515eba6f', '2026-11-29 01:05:25.176132+00'),
	('004_folded_text', '841d5db496a3e1fdec94561870b2f154043881d391cc2a99b2db0b3edfb12b38', '2026-11-29 01:05:25.176132+00'),
	('005_search_tokens', '3ba3a6bf1da172c550f4e5178a076ee5c7732dc8b4d139f7d59e0d1036d99364', '2026-11-29 01:05:25.176132+00'),
	('006_knowledge', '1d8b122ce0073888efc6b91affd672c16cf5d9f943d3ef51a0a21457fd0955c9', '2026-11-29 01:05:25.176132+00'),
	('007_assets', 'dfc5878bc96f435ff6fe5642a9dc22ca9f137ab08c711b0b66a4d5cadbf7ef83', '2026-11-29 01:05:25.176132+00'),
	('008_telegram', '557ba498680cd2312b5b5a1ae9889fe12348f86e0a39c021541b7f2db77afb31', '2026-11-29 01:05:25.176132+00'),
	('009_x', 'cce406cff4b6d2e2c95fc2746b79efa4247ee9555c7b813e2760a09e66ae68bb', '2026-11-29 01:05:25.176132+00'),
	('010_token', '13e2a4014b6c563577977f9da18f8cb09b1c193c508105f0d4a943da97f5e461', '2026-11-29 01:05:25.176132+00'),
	('011_people', '6324f62588416c355105be562501784ac2391f46258d57720373d04590ac5aad', '2026-11-29 01:05:25.176132+00'),
	('012_audit', '55f16f334ff40a73ab29442065f84ab735c529e6449353ef738619cfefd72c1b', '2026-11-29 01:05:25.176132+00'),
	('013_metrics', '3807e0cb460f9b81340d9414375227b271d4cd0773d952fc0cfa62c9bd03d183', '2026-11-29 01:05:25.176132+00'),
	('014_sync', '450366409ee2cc0535061886bc322e1bc81fd36db7ad456fec5eef0ca48ecc22', '2026-11-29 01:05:25.176132+00'),
	('015_decisions', '18ccc14ccab7f8e63677b5f061a14da6defc9c23d82e4b117140e0dd1abc2eaf', '2026-11-29 01:05:25.176132+00'),
	('016_member_identities', 'afd8e15e2559576de1caf2ce0189b5334b810b0e3ff46032ad4ff141b7305c74', '2026-11-29 01:05:25.176132+00');


--
-- Data for Name: organization_locks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.organization_locks VALUES
	('00000000-0000-0000-0000-000000000000'),
	('11111111-1111-4111-8111-111111111111');


--
-- Data for Name: organizations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.organizations VALUES
	('11111111-1111-4111-8111-111111111111', 'Acme', 'acme', '2026-01-31 08:00:00+00', '2026-01-31 08:00:00+00', 'standard', 0, false, '6dfbf46a-f4ea-4be9-b63d-291a71c66e16');


--
-- Data for Name: people; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.people VALUES
	('11111111-1111-4111-8111-111111111111', 'telegram:main', 'telegram', 'user1', 'Ada', 'ada', NULL, DEFAULT, DEFAULT, 1, '2026-01-31 08:00:00+00', '2026-01-31 08:00:00+00', '{}'),
	('11111111-1111-4111-8111-111111111111', 'x:main', 'x', '7', 'Bob', 'bob', true, DEFAULT, DEFAULT, 1, '2026-01-31 08:00:00+00', '2026-01-31 08:00:00+00', '{}');


--
-- Data for Name: people_counts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.people_counts VALUES
	('11111111-1111-4111-8111-111111111111', 'telegram:main', 1, '{}', 1),
	('11111111-1111-4111-8111-111111111111', 'x:main', 1, '{}', 1);


--
-- Data for Name: source_syncs; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sources; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sources VALUES
	('11111111-1111-4111-8111-111111111111', 'assets:main', 'assets', 'Acme assets', 'The assets of Acme.', NULL, 'current', '2026-01-31 08:00:00+00', NULL, NULL, true, true, 'aaaaaaaa-0000-4000-8000-000000000001', '2026-11-29 01:05:25.564534+00', false, 2, NULL, '2026-11-29 01:05:25.540801+00'),
	('11111111-1111-4111-8111-111111111111', 'notes:team', 'notes', 'Acme notes', 'The notes of Acme.', NULL, 'current', '2026-01-31 08:00:00+00', NULL, NULL, true, true, 'aaaaaaaa-0000-4000-8000-000000000001', '2026-11-29 01:05:25.564534+00', false, 1, NULL, '2026-11-29 01:05:25.540801+00'),
	('11111111-1111-4111-8111-111111111111', 'profile:main', 'profile', 'Acme profile', 'The profile of Acme.', NULL, 'current', '2026-01-31 08:00:00+00', NULL, NULL, true, true, 'aaaaaaaa-0000-4000-8000-000000000001', '2026-11-29 01:05:25.564534+00', false, 0, NULL, '2026-11-29 01:05:25.540801+00'),
	('11111111-1111-4111-8111-111111111111', 'telegram:main', 'telegram', 'Acme telegram', 'The telegram of Acme.', NULL, 'current', '2026-01-31 08:00:00+00', NULL, NULL, true, true, 'aaaaaaaa-0000-4000-8000-000000000001', '2026-11-29 01:05:25.564534+00', false, 1, 'cccccccc-0000-4000-8000-000000000001', '2026-11-29 01:05:25.540801+00'),
	('11111111-1111-4111-8111-111111111111', 'token:main', 'token', 'Acme token', 'The token of Acme.', NULL, 'current', '2026-01-31 08:00:00+00', NULL, '0xabababababababababababababababababababab', true, true, 'aaaaaaaa-0000-4000-8000-000000000001', '2026-11-29 01:05:25.564534+00', false, 1, NULL, '2026-11-29 01:05:25.540801+00'),
	('11111111-1111-4111-8111-111111111111', 'x:main', 'x', 'Acme x', 'The x of Acme.', NULL, 'current', '2026-01-31 08:00:00+00', NULL, 'acme', true, true, 'aaaaaaaa-0000-4000-8000-000000000001', '2026-11-29 01:05:25.564534+00', false, 1, NULL, '2026-11-29 01:05:25.540801+00'),
	('11111111-1111-4111-8111-111111111111', 'docs:handbook', 'docs', 'Acme docs', 'The docs of Acme.', NULL, 'current', '2026-01-31 08:00:00+00', NULL, NULL, true, true, 'aaaaaaaa-0000-4000-8000-000000000001', '2026-11-29 01:05:25.564534+00', false, 1, NULL, '2026-11-29 01:05:25.652826+00');


--
-- Data for Name: telegram_chats; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.telegram_chats VALUES
	('11111111-1111-4111-8111-111111111111', 'cccccccc-0000-4000-8000-000000000001', 'telegram:main', 'supergroup', 'Acme chat', 'acmechat', 12, '2026-01-31 08:00:00+00', '2026-01-31 08:00:00+00', 1, '2026-01-31 08:00:00+00');


--
-- Data for Name: telegram_messages; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.telegram_messages VALUES
	('11111111-1111-4111-8111-111111111111', 'cccccccc-0000-4000-8000-000000000001', 1, 'user1', 'Ada', 'ada', 'text', 'Message 1', NULL, NULL, NULL, '2026-01-31 08:00:00+00', NULL);


--
-- Data for Name: telegram_search; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.telegram_search VALUES
	('11111111-1111-4111-8111-111111111111', 'cccccccc-0000-4000-8000-000000000001', 1, 'user1', '2026-01-31 08:00:00+00', 'message 1', NULL);


--
-- Data for Name: tokens; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.tokens VALUES
	('11111111-1111-4111-8111-111111111111', 'token:main', DEFAULT, DEFAULT, DEFAULT, '{"name": "Acme Token", "pool": "0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd", "poolId": null, "symbol": "ACME", "address": "0xabababababababababababababababababababab", "chainId": 4663, "logoUrl": null, "deployer": "0xefefefefefefefefefefefefefefefefefefefef", "protocol": "pons", "pairedToken": null}', '{"state": "ready", "indexedAt": "2026-01-31T08:00:00Z", "indexedTo": 100, "nextSyncAt": "2026-01-31T08:00:00Z"}', '{"count": 42, "trackedBalanceRaw": "1000000000000000000000"}', '{"ethUsd": 3000.0, "takenAt": "2026-01-31T08:00:00Z", "priceUsd": 0.5, "unclaimedEth": 0.25, "unclaimedToken": 10.0}', '2026-01-31 08:00:00+00', '{"fees": {"status": "current", "updatedAt": "2026-01-31T08:00:00Z"}, "transfers": {"status": "current", "updatedAt": "2026-01-31T08:00:00Z"}}');


--
-- Data for Name: x_mentions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.x_mentions VALUES
	('11111111-1111-4111-8111-111111111111', '1', 'x:main', 'acme', 'https://x.com/bob/status/1', 'Mention 1 of @acme', DEFAULT, '2026-01-31 08:00:00+00', '{"likes": 3, "views": 100, "quotes": 0, "replies": 0, "reposts": 1}', false, false, '7', 'bob', 'Bob', true, '[]', NULL);


--
-- Name: audit_sequence_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.audit_sequence_seq', 2, true);


--
-- Name: api_keys api_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (organization_id, id);


--
-- Name: assets assets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_pkey PRIMARY KEY (organization_id, id);


--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (organization_id, sequence);


--
-- Name: desk_signing_secret desk_signing_secret_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.desk_signing_secret
    ADD CONSTRAINT desk_signing_secret_pkey PRIMARY KEY (is_only);


--
-- Name: erased_people erased_people_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.erased_people
    ADD CONSTRAINT erased_people_pkey PRIMARY KEY (organization_id, digest);


--
-- Name: knowledge_chunks knowledge_chunks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_chunks
    ADD CONSTRAINT knowledge_chunks_pkey PRIMARY KEY (organization_id, knowledge_id, first_unit);


--
-- Name: knowledge knowledge_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge
    ADD CONSTRAINT knowledge_pkey PRIMARY KEY (organization_id, id);


--
-- Name: knowledge_releases knowledge_releases_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_releases
    ADD CONSTRAINT knowledge_releases_pkey PRIMARY KEY (organization_id, knowledge_id, version);


--
-- Name: knowledge_search knowledge_search_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_search
    ADD CONSTRAINT knowledge_search_pkey PRIMARY KEY (organization_id, knowledge_id, first_unit);


--
-- Name: knowledge_suppressions knowledge_suppressions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_suppressions
    ADD CONSTRAINT knowledge_suppressions_pkey PRIMARY KEY (organization_id, knowledge_id, reason);


--
-- Name: member_identities member_identities_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.member_identities
    ADD CONSTRAINT member_identities_pkey PRIMARY KEY (organization_id, kind, value);


--
-- Name: members members_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (organization_id, user_id);


--
-- Name: migrations migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (migration_id);


--
-- Name: organization_locks organization_locks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.organization_locks
    ADD CONSTRAINT organization_locks_pkey PRIMARY KEY (organization_id);


--
-- Name: organizations organizations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (organization_id);


--
-- Name: people_counts people_counts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.people_counts
    ADD CONSTRAINT people_counts_pkey PRIMARY KEY (organization_id, source_id, number);


--
-- Name: people people_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (organization_id, source_id, person_id);


--
-- Name: source_syncs source_syncs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.source_syncs
    ADD CONSTRAINT source_syncs_pkey PRIMARY KEY (organization_id, source_id);


--
-- Name: sources sources_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sources
    ADD CONSTRAINT sources_pkey PRIMARY KEY (organization_id, id);


--
-- Name: telegram_chats telegram_chats_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.telegram_chats
    ADD CONSTRAINT telegram_chats_pkey PRIMARY KEY (organization_id, id);


--
-- Name: telegram_messages telegram_messages_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.telegram_messages
    ADD CONSTRAINT telegram_messages_pkey PRIMARY KEY (organization_id, chat_id, id);


--
-- Name: telegram_search telegram_search_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.telegram_search
    ADD CONSTRAINT telegram_search_pkey PRIMARY KEY (organization_id, chat_id, id);


--
-- Name: tokens tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (organization_id, source_id);


--
-- Name: x_mentions x_mentions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.x_mentions
    ADD CONSTRAINT x_mentions_pkey PRIMARY KEY (organization_id, id);


--
-- Name: api_keys_by_hash; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX api_keys_by_hash ON public.api_keys USING btree (key_hash);


--
-- Name: assets_by_folder; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX assets_by_folder ON public.assets USING btree (organization_id, COALESCE(parent_id, '00000000-0000-0000-0000-000000000000'::uuid), kind DESC, name_lower COLLATE "C", id) INCLUDE (source_id, parent_id);


--
-- Name: assets_by_source_and_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX assets_by_source_and_time ON public.assets USING btree (organization_id, source_id, updated_at DESC);


--
-- Name: assets_tokens; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX assets_tokens ON public.assets USING gin (public.keyed_text_tokens(organization_id, source_id, name_folded)) WITH (gin_pending_list_limit='256');
ALTER INDEX public.assets_tokens ALTER COLUMN 1 SET STATISTICS 0;


--
-- Name: audit_by_sequence; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_by_sequence ON public.audit USING btree (sequence);


--
-- Name: knowledge_by_source_and_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX knowledge_by_source_and_time ON public.knowledge USING btree (organization_id, source_id, updated_at DESC, id) INCLUDE (archived, kind, visibility);


--
-- Name: knowledge_by_text; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX knowledge_by_text ON public.knowledge USING btree (organization_id, text_digest) WHERE (text_digest IS NOT NULL);


--
-- Name: knowledge_search_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX knowledge_search_by_time ON public.knowledge_search USING btree (organization_id, source_id, updated_at DESC) INCLUDE (knowledge_id) WHERE ((first_unit = '-1'::integer) AND (updated_at IS NOT NULL));


--
-- Name: knowledge_search_tokens; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX knowledge_search_tokens ON public.knowledge_search USING gin (public.indexed_tokens(tokens)) WITH (gin_pending_list_limit='16384');
ALTER INDEX public.knowledge_search_tokens ALTER COLUMN 1 SET STATISTICS 0;


--
-- Name: people_by_person; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX people_by_person ON public.people USING btree (organization_id, platform, person_id);


--
-- Name: people_by_source; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX people_by_source ON public.people USING btree (organization_id, source_id, last_active_at DESC);


--
-- Name: people_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX people_by_time ON public.people USING btree (organization_id, last_active_at DESC);


--
-- Name: people_tokens; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX people_tokens ON public.people USING gin (public.keyed_text_tokens(organization_id, source_id, ((display_name_lower || '
'::text) || COALESCE(username_lower, ''::text)))) WITH (gin_pending_list_limit='256');
ALTER INDEX public.people_tokens ALTER COLUMN 1 SET STATISTICS 0;


--
-- Name: sources_one_of_a_kind; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX sources_one_of_a_kind ON public.sources USING btree (organization_id, kind) WHERE (kind = ANY (ARRAY['profile'::text, 'token'::text, 'x'::text]));


--
-- Name: telegram_chats_one_of_a_source; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX telegram_chats_one_of_a_source ON public.telegram_chats USING btree (organization_id, source_id);


--
-- Name: telegram_messages_by_sender; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX telegram_messages_by_sender ON public.telegram_messages USING btree (organization_id, chat_id, sender_id, sent_at DESC, id DESC) WHERE (sender_id IS NOT NULL);


--
-- Name: telegram_messages_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX telegram_messages_by_time ON public.telegram_messages USING btree (organization_id, chat_id, sent_at, id);


--
-- Name: telegram_search_by_chat; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX telegram_search_by_chat ON public.telegram_search USING btree (organization_id, chat_id, sent_at DESC);


--
-- Name: telegram_search_tokens; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX telegram_search_tokens ON public.telegram_search USING gin (public.keyed_text_tokens(organization_id, (chat_id)::text, ((COALESCE(text_lower, ''::text) || '
'::text) || COALESCE(file_name_lower, ''::text)))) WITH (gin_pending_list_limit='256');
ALTER INDEX public.telegram_search_tokens ALTER COLUMN 1 SET STATISTICS 0;


--
-- Name: x_mentions_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX x_mentions_by_account ON public.x_mentions USING btree (organization_id, source_id, lower(account), created_at DESC, id) INCLUDE (account);


--
-- Name: x_mentions_by_account_and_author; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX x_mentions_by_account_and_author ON public.x_mentions USING btree (organization_id, source_id, lower(account), author_id, created_at DESC);


--
-- Name: x_mentions_tokens; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX x_mentions_tokens ON public.x_mentions USING gin (public.keyed_text_tokens(organization_id, ((source_id || ' '::text) || lower(account)), text_lower)) WITH (gin_pending_list_limit='256');
ALTER INDEX public.x_mentions_tokens ALTER COLUMN 1 SET STATISTICS 0;


--
-- Name: audit audit_is_append_only; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER audit_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();


--
-- Name: api_keys api_keys_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(organization_id) ON DELETE CASCADE;


--
-- Name: assets assets_organization_id_parent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_organization_id_parent_id_fkey FOREIGN KEY (organization_id, parent_id) REFERENCES public.assets(organization_id, id) ON DELETE CASCADE;


--
-- Name: assets assets_organization_id_source_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_organization_id_source_id_fkey FOREIGN KEY (organization_id, source_id) REFERENCES public.sources(organization_id, id) ON DELETE CASCADE;


--
-- Name: knowledge_chunks knowledge_chunks_organization_id_knowledge_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_chunks
    ADD CONSTRAINT knowledge_chunks_organization_id_knowledge_id_fkey FOREIGN KEY (organization_id, knowledge_id) REFERENCES public.knowledge(organization_id, id) ON DELETE CASCADE;


--
-- Name: knowledge knowledge_organization_id_source_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge
    ADD CONSTRAINT knowledge_organization_id_source_id_fkey FOREIGN KEY (organization_id, source_id) REFERENCES public.sources(organization_id, id) ON DELETE CASCADE;


--
-- Name: knowledge_releases knowledge_releases_organization_id_knowledge_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_releases
    ADD CONSTRAINT knowledge_releases_organization_id_knowledge_id_fkey FOREIGN KEY (organization_id, knowledge_id) REFERENCES public.knowledge(organization_id, id) ON DELETE CASCADE;


--
-- Name: knowledge_search knowledge_search_organization_id_knowledge_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_search
    ADD CONSTRAINT knowledge_search_organization_id_knowledge_id_fkey FOREIGN KEY (organization_id, knowledge_id) REFERENCES public.knowledge(organization_id, id) ON DELETE CASCADE;


--
-- Name: knowledge_suppressions knowledge_suppressions_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_suppressions
    ADD CONSTRAINT knowledge_suppressions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(organization_id) ON DELETE CASCADE;


--
-- Name: knowledge_suppressions knowledge_suppressions_organization_id_held_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_suppressions
    ADD CONSTRAINT knowledge_suppressions_organization_id_held_id_fkey FOREIGN KEY (organization_id, held_id) REFERENCES public.knowledge(organization_id, id) ON DELETE CASCADE;


--
-- Name: member_identities member_identities_organization_id_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.member_identities
    ADD CONSTRAINT member_identities_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.members(organization_id, user_id) ON DELETE CASCADE;


--
-- Name: members members_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(organization_id) ON DELETE CASCADE;


--
-- Name: people_counts people_counts_organization_id_source_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.people_counts
    ADD CONSTRAINT people_counts_organization_id_source_id_fkey FOREIGN KEY (organization_id, source_id) REFERENCES public.sources(organization_id, id) ON DELETE CASCADE;


--
-- Name: people people_organization_id_source_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_organization_id_source_id_fkey FOREIGN KEY (organization_id, source_id) REFERENCES public.sources(organization_id, id) ON DELETE CASCADE;


--
-- Name: source_syncs source_syncs_organization_id_source_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.source_syncs
    ADD CONSTRAINT source_syncs_organization_id_source_id_fkey FOREIGN KEY (organization_id, source_id) REFERENCES public.sources(organization_id, id) ON DELETE CASCADE;


--
-- Name: sources sources_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sources
    ADD CONSTRAINT sources_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(organization_id) ON DELETE CASCADE;


--
-- Name: telegram_chats telegram_chats_organization_id_source_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.telegram_chats
    ADD CONSTRAINT telegram_chats_organization_id_source_id_fkey FOREIGN KEY (organization_id, source_id) REFERENCES public.sources(organization_id, id) ON DELETE CASCADE;


--
-- Name: telegram_messages telegram_messages_organization_id_chat_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.telegram_messages
    ADD CONSTRAINT telegram_messages_organization_id_chat_id_fkey FOREIGN KEY (organization_id, chat_id) REFERENCES public.telegram_chats(organization_id, id) ON DELETE CASCADE;


--
-- Name: telegram_search telegram_search_organization_id_chat_id_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.telegram_search
    ADD CONSTRAINT telegram_search_organization_id_chat_id_id_fkey FOREIGN KEY (organization_id, chat_id, id) REFERENCES public.telegram_messages(organization_id, chat_id, id) ON DELETE CASCADE;


--
-- Name: tokens tokens_organization_id_source_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_organization_id_source_id_fkey FOREIGN KEY (organization_id, source_id) REFERENCES public.sources(organization_id, id) ON DELETE CASCADE;


--
-- Name: x_mentions x_mentions_organization_id_source_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.x_mentions
    ADD CONSTRAINT x_mentions_organization_id_source_id_fkey FOREIGN KEY (organization_id, source_id) REFERENCES public.sources(organization_id, id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


