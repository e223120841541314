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
    -- The ids of the only sources that the key may read; null for all. A source may vanish; then the
    -- key still reads no other one. An id may appear again with a source of that name, once it is
    -- approved.
    source_ids text[] COLLATE "C" CHECK (cardinality(source_ids) > 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    PRIMARY KEY (organization_id, id)
);

CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (key_hash);

-- The service can look up a key only by its hash, so it cannot list keys. For a key that is not
-- usable, `access` is the reason, for the service's log: revoked, expired or ineligible issuer.
CREATE FUNCTION find_caller(wanted bytea)
RETURNS TABLE (
    key_id uuid, access text, scopes text[], source_ids text[], plan text,
    verified_holding numeric, organization_id uuid, display_name text, slug text,
    created_at timestamptz, updated_at timestamptz, preview boolean, version uuid
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    RETURN QUERY
    SELECT
        k.id,
        CASE
            WHEN k.revoked_at IS NOT NULL THEN 'revoked'
            WHEN k.expires_at <= now() THEN 'expired'
            WHEN m.user_id IS NULL THEN 'ineligible issuer'
            ELSE k.access
        END,
        k.scopes, k.source_ids, o.plan, o.verified_holding,
        o.organization_id, o.display_name, o.slug, o.created_at, o.updated_at, o.preview,
        o.version
    FROM api_keys AS k
    LEFT JOIN members AS m
        ON m.organization_id = k.organization_id
        AND m.user_id = k.issued_by
        AND m.role IN ('owner', 'admin')
    JOIN organizations AS o ON o.organization_id = k.organization_id
    WHERE k.key_hash = wanted;
END
$$;

REVOKE ALL ON FUNCTION find_caller(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_caller(bytea) TO orgctx_reader;
