-- Organizations, who may act for them, their sources and their keys.
--
-- organization_id leads every primary key, foreign key and index, so that every
-- table can be sharded by it. The one exception is api_keys_by_hash: a key is all
-- that a request brings, so it is what tells the organization.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE organizations (
    organization_id uuid PRIMARY KEY,
    display_name text NOT NULL,
    slug text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    plan text NOT NULL CHECK (plan IN ('standard', 'pro')),
    verified_holding numeric NOT NULL CHECK (verified_holding >= 0),
    preview boolean NOT NULL
);

CREATE TABLE members (
    organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    user_id uuid NOT NULL,
    display_name text,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'removed')),
    PRIMARY KEY (organization_id, user_id)
);

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
    -- Set by operators alone.
    included boolean NOT NULL DEFAULT true,
    external boolean NOT NULL DEFAULT false,
    decided_by uuid,
    decided_at timestamptz,
    -- Derived by every load.
    record_count bigint NOT NULL DEFAULT 0,
    chat_id uuid,
    PRIMARY KEY (organization_id, id)
);

CREATE UNIQUE INDEX sources_one_of_a_kind ON sources (organization_id, kind)
    WHERE kind IN ('profile', 'token', 'x');

-- The order of kinds in every list of sources.
CREATE FUNCTION source_kind_rank(kind text) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_position(
    ARRAY['docs', 'notes', 'assets', 'profile', 'token', 'x', 'telegram'], kind
);

CREATE TABLE api_keys (
    organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    id uuid NOT NULL,
    key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
    hint text NOT NULL,
    issued_by uuid NOT NULL,
    access text NOT NULL CHECK (access IN ('api', 'mcp', 'both')),
    scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    revoked_by uuid,
    changed_by uuid,
    changed_at timestamptz,
    PRIMARY KEY (organization_id, id)
);

CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (key_hash);

-- The only way by which the service sees a key: it must already hold it.
CREATE FUNCTION find_key(wanted bytea)
RETURNS TABLE (
    key_id uuid, access text, scopes text[], plan text, verified_holding numeric,
    organization_id uuid, display_name text, slug text,
    created_at timestamptz, updated_at timestamptz, preview boolean
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    RETURN QUERY
    SELECT
        k.id, k.access, k.scopes, o.plan, o.verified_holding,
        o.organization_id, o.display_name, o.slug, o.created_at, o.updated_at, o.preview
    FROM api_keys AS k
    JOIN members AS m
        ON m.organization_id = k.organization_id
        AND m.user_id = k.issued_by
        AND m.role IN ('owner', 'admin')
    JOIN organizations AS o ON o.organization_id = k.organization_id
    WHERE k.key_hash = wanted AND k.revoked_at IS NULL AND k.expires_at > now();
END
$$;

REVOKE ALL ON FUNCTION find_key(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_key(bytea) TO orgctx_reader;
GRANT SELECT ON organizations, sources TO orgctx_reader;
