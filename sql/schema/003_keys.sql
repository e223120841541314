-- API keys. Only their hashes are stored.

CREATE TABLE api_keys (
    organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    id uuid NOT NULL,
    key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
    hint text NOT NULL,
    -- The purpose of the key, as its issuer describes it.
    name text,
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

-- The service can look up a key only by its hash, so it cannot list keys.
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
