-- One load of an organization at a time.
-- Parameters: none.
-- Rows: of no interest.
SELECT pg_advisory_xact_lock(hashtextextended(organization_id::text, 0))
FROM (
    SELECT organization_id FROM staged_organizations
    UNION SELECT organization_id FROM staged_members
    UNION SELECT organization_id FROM staged_sources
    UNION SELECT organization_id FROM staged_knowledge
    UNION SELECT organization_id FROM staged_assets
    UNION SELECT organization_id FROM staged_chats
    UNION SELECT organization_id FROM staged_messages
    UNION SELECT organization_id FROM staged_mentions
    UNION SELECT organization_id FROM staged_tokens
    ORDER BY organization_id
) AS organizations;
