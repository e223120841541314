-- The token snapshot.

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

GRANT SELECT ON tokens TO orgctx_reader;
