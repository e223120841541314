-- What `orgctx sync` knows of the files of a source. The service does not read this table.

CREATE TABLE source_listings (
    organization_id uuid NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    -- SHA-256 of the import's options and of the names, sizes and times of its files; null if
    -- anything else has loaded into the source since.
    digest bytea,
    refused_count integer NOT NULL,
    imported_at timestamptz NOT NULL,
    -- What the last import refused, so that a sync of unchanged files names it too.
    message text,
    -- The loads into the source since the row was made.
    load_count bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (organization_id, source_id),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources ON DELETE CASCADE
);
