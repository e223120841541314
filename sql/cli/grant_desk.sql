-- Sets the privileges of the desk's role, which is also a member of the service's role. A later version
-- of this file may contain fewer, so all are revoked first.
-- Citus sends no privileges on columns to other servers; cli/citus/grant_desk does so.
SELECT set_config('citus.enable_ddl_propagation', 'off', true);

REVOKE ALL ON ALL TABLES IN SCHEMA public FROM orgctx_desk;

-- Who may decide. The function locks the member; signing out sets a time.
GRANT SELECT, INSERT (organization_id, user_id, display_name, role), UPDATE (role, signed_out_at)
ON members TO orgctx_desk;
GRANT EXECUTE ON FUNCTION lock_member(uuid, uuid) TO orgctx_desk;

GRANT SELECT ON desk_signing_secret TO orgctx_desk;

-- Who signs in with an identity of OpenID Connect. The desk cannot list or change identities.
GRANT EXECUTE ON FUNCTION find_identity(text, text) TO orgctx_desk;

-- Decisions wait for loads of the organization, and loads for them.
GRANT SELECT, INSERT, UPDATE ON organization_locks TO orgctx_desk;

-- A decision about what keys read sets a new version.
GRANT UPDATE (version) ON organizations TO orgctx_desk;

-- Approvals. The last two columns are derived: a suppression changes the count of a source.
GRANT UPDATE (included, external, holds_new, decided_by, decided_at, record_count, chat_id)
ON sources TO orgctx_desk;

GRANT
    INSERT (
        organization_id, knowledge_id, reason, first_digest, last_digest, detail, detail_offset
    ),
    DELETE
ON knowledge_suppressions TO orgctx_desk;
GRANT
    SELECT, INSERT (organization_id, knowledge_id, version), UPDATE (released_at), DELETE
ON knowledge_releases TO orgctx_desk;
-- The key of the search tokens of hidden items differs.
GRANT UPDATE (source_id, tokens) ON knowledge_search TO orgctx_desk;

-- The page of a source names its last sync.
GRANT SELECT ON source_syncs TO orgctx_desk;

-- Keys. The view of what a key reads looks it up by its hash, which does not reveal its secret. The
-- secret and the issuer of a key never change.
GRANT
    SELECT,
    INSERT (
        organization_id, id, key_hash, hint, name, issued_by, access, scopes, source_ids, expires_at
    ),
    UPDATE (
        name, access, scopes, source_ids, expires_at, revoked_at
    )
ON api_keys TO orgctx_desk;

-- The database itself sets the time, the sequence and the login of a record.
GRANT
    SELECT,
    INSERT (organization_id, decided_by, command, before, after, authentication)
ON audit TO orgctx_desk;
