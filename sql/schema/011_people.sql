-- The people behind messages and mentions.

-- One row per person and source, because what a key may see of a person depends on the sources that
-- it may read. Every load updates this table.
CREATE TABLE people (
    organization_id uuid NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    platform text NOT NULL CHECK (platform IN ('telegram', 'x')),
    person_id text COLLATE "C" NOT NULL,
    -- From the newest record of this source.
    display_name text NOT NULL,
    username text,
    verified boolean,
    display_name_lower text NOT NULL GENERATED ALWAYS AS (fold_text(display_name)) STORED,
    username_lower text GENERATED ALWAYS AS (fold_text(username)) STORED,
    activity_count bigint NOT NULL,
    first_active_at timestamptz NOT NULL,
    last_active_at timestamptz NOT NULL,
    -- The other sources in which the person was active later, or equally late with a smaller id, in
    -- order. For any set of sources, exactly one row of each person in them lists none of the set
    -- here, which selects the newest row of each person.
    newer_source_ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
    PRIMARY KEY (organization_id, source_id, person_id),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources ON DELETE CASCADE
);

CREATE INDEX people_by_person ON people (organization_id, platform, person_id);
CREATE INDEX people_by_time ON people (organization_id, last_active_at DESC);
CREATE INDEX people_by_source ON people (organization_id, source_id, last_active_at DESC);
CREATE INDEX people_tokens ON people USING gin (
    keyed_text_tokens(
        organization_id, source_id, display_name_lower || E'\n' || coalesce(username_lower, '')
    )
) WITH (gin_pending_list_limit = 256);
ALTER INDEX people_tokens ALTER COLUMN 1 SET STATISTICS 0;

-- For each source, how many people have the same newer_source_ids. Every load updates this table.
CREATE TABLE people_counts (
    organization_id uuid NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    newer_source_ids text[] COLLATE "C" NOT NULL,
    people_count bigint NOT NULL,
    PRIMARY KEY (organization_id, source_id, number),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources ON DELETE CASCADE
);

GRANT SELECT ON people, people_counts TO orgctx_reader;

-- Returns the digest of a person of an organization. An id has few possible values, so the digest
-- hides it from readers of a backup, not from somebody who tries all ids.
CREATE FUNCTION person_digest(organization_id uuid, platform text, person_id text) RETURNS bytea
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN sha256(convert_to(organization_id::text || ':' || platform || ':' || person_id, 'UTF8'));

-- The people who were erased. No load stores what they wrote again. The service does not read this.
-- No foreign key, so that people stay erased if their organization is deleted and loaded again.
CREATE TABLE erased_people (
    organization_id uuid NOT NULL,
    digest bytea NOT NULL,
    PRIMARY KEY (organization_id, digest)
);
