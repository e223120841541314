-- What `orgctx sync` knows of the files of a source. The service does not read this table.

CREATE TABLE source_listings (
    organization_id uuid NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    -- SHA-256 of the import's options and of the names, sizes and times of its files.
    digest bytea NOT NULL,
    refused_count integer NOT NULL,
    imported_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, source_id),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources ON DELETE CASCADE
);
