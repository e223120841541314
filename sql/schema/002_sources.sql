-- The context sources of organizations.

CREATE TABLE sources (
    organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    kind text NOT NULL
        CHECK (kind IN ('docs', 'notes', 'assets', 'profile', 'token', 'x', 'telegram')),
    label text NOT NULL,
    description text NOT NULL,
    href text,
    status text NOT NULL,
    updated_at timestamptz,
    stale_after_seconds integer,
    account text,
    -- Set only by operators.
    included boolean NOT NULL DEFAULT true,
    external boolean NOT NULL DEFAULT false,
    decided_by uuid,
    decided_at timestamptz,
    -- Set only by operators: new documents wait for a release.
    holds_new boolean NOT NULL DEFAULT false,
    -- Derived by every load.
    record_count bigint NOT NULL DEFAULT 0,
    chat_id uuid,
    -- When a load last changed the source or a record of it; null before the first such load.
    -- An approval compares it, so that it approves what was previewed.
    loaded_at timestamptz,
    PRIMARY KEY (organization_id, id)
);

CREATE UNIQUE INDEX sources_one_of_a_kind ON sources (organization_id, kind)
    WHERE kind IN ('profile', 'token', 'x');

GRANT SELECT ON sources TO orgctx_reader;
