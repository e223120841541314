-- Keys that are limited to some sources, and how the author of a decision was authenticated.

-- The ids of the only sources that a key may read; null for all. A source may vanish; then the key
-- still reads no other one. An id may appear again with a source of that name, once it is approved.
ALTER TABLE api_keys
    ADD COLUMN source_ids text[] COLLATE "C" CHECK (cardinality(source_ids) > 0);

-- The administrator's database login made every earlier record.
ALTER TABLE audit ADD COLUMN authentication text NOT NULL DEFAULT 'admin login';

-- Finds a key. For a key that is not usable, `access` is the reason instead, for the service's log:
-- revoked, expired or ineligible issuer.
CREATE FUNCTION find_caller(wanted bytea)
RETURNS TABLE (
    key_id uuid, access text, scopes text[], source_ids text[], plan text,
    verified_holding numeric, organization_id uuid, display_name text, slug text,
    created_at timestamptz, updated_at timestamptz, preview boolean
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
        o.organization_id, o.display_name, o.slug, o.created_at, o.updated_at, o.preview
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

-- Releases that call this function would read all sources with a limited key, so they do not find
-- it: during an upgrade and after a rollback, such a key does not work.
CREATE OR REPLACE FUNCTION find_key(wanted bytea)
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
        k.key_id, k.access, k.scopes, k.plan, k.verified_holding,
        k.organization_id, k.display_name, k.slug, k.created_at, k.updated_at, k.preview
    FROM find_caller(wanted) AS k
    WHERE k.source_ids IS NULL AND k.access IN ('api', 'mcp', 'both');
END
$$;
