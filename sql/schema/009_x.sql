-- Stored mentions.

CREATE TABLE x_mentions (
    organization_id uuid NOT NULL,
    id text COLLATE "C" NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    -- The username whose mentions were collected.
    account text NOT NULL,
    url text NOT NULL,
    text text NOT NULL,
    text_lower text NOT NULL GENERATED ALWAYS AS (fold_text(text)) STORED,
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

CREATE INDEX x_mentions_by_account ON x_mentions
    (organization_id, source_id, lower(account), created_at DESC, id) INCLUDE (account);
CREATE INDEX x_mentions_by_account_and_author ON x_mentions
    (organization_id, source_id, lower(account), author_id, created_at DESC);
-- Only mentions of the account of the source are readable.
CREATE INDEX x_mentions_tokens ON x_mentions
    USING gin (keyed_text_tokens(organization_id, source_id || ' ' || lower(account), text_lower))
    WITH (gin_pending_list_limit = 256);
ALTER INDEX x_mentions_tokens ALTER COLUMN 1 SET STATISTICS 0;

GRANT SELECT ON x_mentions TO orgctx_reader;
