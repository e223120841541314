-- The last result of each import that `orgctx sync` repeats. The service does not read this table.

CREATE TABLE source_syncs (
    organization_id uuid NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    synced_at timestamptz NOT NULL,
    -- imported or failed
    state text NOT NULL,
    refused_count integer NOT NULL,
    -- Why it failed, or what it refused.
    message text,
    PRIMARY KEY (organization_id, source_id),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources ON DELETE CASCADE
);
