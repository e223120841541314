-- Documents, notes, and which of them are hidden.

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
    -- SHA-256 of the content without white space at line ends; null if it is short, or no document.
    text_digest bytea,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources ON DELETE CASCADE
);

-- knowledge/list_knowledge counts and paginates with this index, then reads only the rows of a page.
CREATE INDEX knowledge_by_source_and_time ON knowledge (organization_id, source_id, updated_at DESC, id)
    INCLUDE (archived, kind, visibility);
-- Finds the copies of suppressed texts.
CREATE INDEX knowledge_by_text ON knowledge (organization_id, text_digest) WHERE text_digest IS NOT NULL;

-- Contents, split into chunks, so that reading a segment costs the same at any offset, and a search
-- reads one chunk instead of a whole document.
CREATE TABLE knowledge_chunks (
    organization_id uuid NOT NULL,
    knowledge_id text COLLATE "C" NOT NULL,
    -- Offset in the content, in UTF-16 code units.
    first_unit integer NOT NULL,
    unit_count integer NOT NULL,
    content text NOT NULL,
    -- The 600 code points after the chunk, with white space collapsed. With them, every term of up to
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
    -- The chunk, or -1 for the title, or -2 for the words of the document.
    first_unit integer NOT NULL,
    -- The source whose key the tokens have. It is empty while the item is suppressed.
    source_id text COLLATE "C" NOT NULL,
    tokens tsvector NOT NULL,
    -- Of title and words: when the item was updated. Null if it is archived, because searches leave those
    -- out.
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
    INCLUDE (knowledge_id) WHERE first_unit = -1 AND updated_at IS NOT NULL;
ALTER TABLE knowledge_search ALTER COLUMN tokens SET STATISTICS 0;
-- Tokens hardly compress.
ALTER TABLE knowledge_search ALTER COLUMN tokens SET STORAGE EXTERNAL;

-- Why items are hidden. An item with a row is in no answer.
CREATE TABLE knowledge_suppressions (
    organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    knowledge_id text COLLATE "C" NOT NULL,
    -- A member suppressed it; or a load held it, because its source holds new documents, because of a
    -- secret in it, or because it has the text of a suppressed item.
    reason text NOT NULL CHECK (reason IN ('suppressed', 'new', 'secret', 'same text')),
    suppressed_at timestamptz NOT NULL DEFAULT now(),
    -- Of a suppressed item: text_digest when it was suppressed, and of its last text.
    first_digest bytea,
    last_digest bytea,
    -- The kind of the secret, or the id of the suppressed item.
    detail text,
    -- Where the secret is in the content, in UTF-16 code units; null in the title.
    detail_offset integer,
    -- A suppression remains if the item is deleted; a hold does not.
    held_id text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN reason <> 'suppressed' THEN knowledge_id END) STORED,
    PRIMARY KEY (organization_id, knowledge_id, reason),
    FOREIGN KEY (organization_id, held_id) REFERENCES knowledge ON DELETE CASCADE
);

-- The one rule for reads.
CREATE VIEW readable_knowledge AS
SELECT k.*
FROM knowledge AS k
WHERE NOT EXISTS (
    SELECT FROM knowledge_suppressions AS s
    WHERE s.organization_id = k.organization_id AND s.knowledge_id = k.id
);

-- Identifies a title and a content, which an owner releases together.
CREATE FUNCTION text_version(title text, content_digest bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN sha256(content_digest || convert_to(title, 'UTF8'));

-- The texts of items that members have released. Loads do not hold them again for what is in them.
CREATE TABLE knowledge_releases (
    organization_id uuid NOT NULL,
    knowledge_id text COLLATE "C" NOT NULL,
    version bytea NOT NULL,
    released_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, knowledge_id, version),
    FOREIGN KEY (organization_id, knowledge_id) REFERENCES knowledge ON DELETE CASCADE
);

GRANT SELECT ON knowledge, knowledge_chunks, knowledge_search, knowledge_suppressions TO orgctx_reader;
GRANT SELECT ON readable_knowledge TO orgctx_reader;
