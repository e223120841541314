-- Documents, notes, and their suppressions by operators.

-- Returns the length of a text in UTF-16 code units: two for a character above U+FFFF.
CREATE FUNCTION utf16_length(original text) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN 2 * length(original)
    - length(regexp_replace(original, '[\U00010000-\U0010FFFF]+', '', 'g'));

-- Returns how many characters of a text begin before an offset in UTF-16 code units.
CREATE FUNCTION character_count(original text, unit_offset integer) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE
    WHEN utf16_length(original) = length(original) THEN least(unit_offset, length(original))
    ELSE (
        SELECT count(*)::integer FROM (
            SELECT
                sum(utf16_length(c.letter)) OVER (ORDER BY c.number) - utf16_length(c.letter)
                    AS first_unit
            FROM unnest(string_to_array(original, NULL)) WITH ORDINALITY AS c (letter, number)
        ) AS u
        WHERE u.first_unit < unit_offset
    )
END;

CREATE TABLE knowledge (
    organization_id uuid NOT NULL,
    id text COLLATE "C" NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    source text NOT NULL
        CHECK (source IN ('docs', 'assets', 'chain', 'profile', 'team', 'answer')),
    title text NOT NULL,
    title_lower text NOT NULL GENERATED ALWAYS AS (fold_text(title)) STORED,
    content_format text NOT NULL CHECK (content_format IN ('markdown', 'plain_text')),
    visibility text NOT NULL CHECK (visibility IN ('public', 'team')),
    archived boolean NOT NULL,
    source_status text NOT NULL
        CHECK (source_status IN ('current', 'draft', 'removed', 'unavailable', 'reference')),
    source_label text NOT NULL,
    source_href text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    kind text NOT NULL
        GENERATED ALWAYS AS (CASE WHEN id LIKE 'note:%' THEN 'note' ELSE 'source' END) STORED,
    -- Describe the content, which is stored in knowledge_chunks.
    preview text NOT NULL,
    content_units integer NOT NULL,
    content_digest bytea NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources ON DELETE CASCADE
);

-- knowledge/list_knowledge counts and paginates with this index, then reads only the rows of a page.
CREATE INDEX knowledge_by_source_and_time ON knowledge (organization_id, source_id, updated_at DESC, id)
    INCLUDE (archived, kind, visibility);

-- Contents, split into chunks, so that reading a segment costs the same at any offset, and a search
-- reads one chunk instead of a whole document.
CREATE TABLE knowledge_chunks (
    organization_id uuid NOT NULL,
    knowledge_id text COLLATE "C" NOT NULL,
    -- Offset in the content, in UTF-16 code units.
    first_unit integer NOT NULL,
    unit_count integer NOT NULL,
    content text NOT NULL,
    -- The 500 code points after the chunk, with white space collapsed. With them, every term of up to
    -- 200 code points that begins in this chunk is found here, and has a preview.
    overlap text NOT NULL,
    search_text text NOT NULL GENERATED ALWAYS AS (fold_text(content || overlap)) STORED,
    PRIMARY KEY (organization_id, knowledge_id, first_unit),
    FOREIGN KEY (organization_id, knowledge_id) REFERENCES knowledge ON DELETE CASCADE
);

-- The search tokens of titles and chunks. Each begins with a key of its source, so a search reads the
-- entries of the sources that it may read, and no others (docs/decisions.md, 24).
CREATE TABLE knowledge_search (
    organization_id uuid NOT NULL,
    knowledge_id text COLLATE "C" NOT NULL,
    -- The chunk, or -1 for the title.
    first_unit integer NOT NULL,
    -- The source whose key the tokens have. It is empty while the item is suppressed.
    source_id text COLLATE "C" NOT NULL,
    tokens tsvector NOT NULL,
    -- Of the title: when the item was updated. Null if it is archived, because searches leave those out.
    updated_at timestamptz,
    PRIMARY KEY (organization_id, knowledge_id, first_unit),
    FOREIGN KEY (organization_id, knowledge_id) REFERENCES knowledge ON DELETE CASCADE
);

CREATE INDEX knowledge_search_tokens ON knowledge_search
    USING gin (indexed_tokens(tokens)) WITH (gin_pending_list_limit = 16384);
ALTER INDEX knowledge_search_tokens ALTER COLUMN 1 SET STATISTICS 0;
-- Searches read the newest records of each source that a key may read. A suppressed item has no source
-- here.
CREATE INDEX knowledge_search_by_time ON knowledge_search (organization_id, source_id, updated_at DESC)
    INCLUDE (knowledge_id) WHERE updated_at IS NOT NULL;
ALTER TABLE knowledge_search ALTER COLUMN tokens SET STATISTICS 0;
-- Tokens hardly compress.
ALTER TABLE knowledge_search ALTER COLUMN tokens SET STORAGE EXTERNAL;

-- An operator's decision. It remains if the item is loaded again or deleted.
CREATE TABLE knowledge_suppressions (
    organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    knowledge_id text COLLATE "C" NOT NULL,
    suppressed_by uuid NOT NULL,
    suppressed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, knowledge_id)
);

GRANT SELECT ON knowledge, knowledge_chunks, knowledge_search, knowledge_suppressions TO orgctx_reader;
