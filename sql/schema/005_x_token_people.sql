-- Stored mentions, the token snapshot, and the people behind messages and mentions.

CREATE TABLE x_mentions (
    organization_id uuid NOT NULL,
    id text COLLATE "C" NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    -- The username that it was collected for.
    account text NOT NULL,
    url text NOT NULL,
    text text NOT NULL,
    text_lower text NOT NULL GENERATED ALWAYS AS (lower(text)) STORED,
    created_at timestamptz NOT NULL,
    metrics jsonb NOT NULL,
    is_reply boolean NOT NULL,
    is_repost boolean NOT NULL,
    author_id text COLLATE "C" NOT NULL,
    author_username text NOT NULL,
    author_name text NOT NULL,
    author_verified boolean NOT NULL,
    media jsonb NOT NULL,
    quoted jsonb,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources ON DELETE CASCADE
);

CREATE INDEX x_mentions_by_time ON x_mentions (organization_id, created_at DESC, id);
CREATE INDEX x_mentions_by_source ON x_mentions (organization_id, source_id);
CREATE INDEX x_mentions_by_author ON x_mentions (organization_id, author_id, created_at DESC);
CREATE INDEX x_mentions_search ON x_mentions
    USING gin (organization_id, text_lower gin_trgm_ops);

CREATE TABLE tokens (
    organization_id uuid NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    address text GENERATED ALWAYS AS (token ->> 'address') STORED,
    name text GENERATED ALWAYS AS (token ->> 'name') STORED,
    symbol text GENERATED ALWAYS AS (token ->> 'symbol') STORED,
    token jsonb,
    index jsonb,
    holders jsonb,
    latest_fees jsonb,
    latest_trade_at timestamptz,
    sources jsonb NOT NULL,
    PRIMARY KEY (organization_id, source_id),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources ON DELETE CASCADE
);

-- One row for each person and source, derived by every load: what is known of a
-- person depends on the sources that a key may see.
CREATE TABLE people (
    organization_id uuid NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    platform text NOT NULL CHECK (platform IN ('telegram', 'x')),
    person_id text COLLATE "C" NOT NULL,
    -- As the newest record of this source says.
    display_name text NOT NULL,
    username text,
    verified boolean,
    display_name_lower text NOT NULL GENERATED ALWAYS AS (lower(display_name)) STORED,
    username_lower text GENERATED ALWAYS AS (lower(username)) STORED,
    activity_count bigint NOT NULL,
    first_active_at timestamptz NOT NULL,
    last_active_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, source_id, person_id),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources ON DELETE CASCADE
);

CREATE INDEX people_by_person ON people (organization_id, platform, person_id);
CREATE INDEX people_by_time ON people (organization_id, last_active_at DESC);

GRANT SELECT ON x_mentions, tokens, people TO orgctx_reader;
