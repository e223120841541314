-- Computes a digest of an organization's suppressions, which is equal on two servers if they have
-- the same suppressions.
-- Parameters: organization_id uuid.
-- Row: (digest text, or null if nothing is suppressed).
-- Index: knowledge_suppressions_pkey.
SELECT
    md5(
        string_agg(
            s.knowledge_id || ' ' || s.suppressed_at, chr(10) ORDER BY s.knowledge_id, s.reason
        )
    ) AS digest
FROM knowledge_suppressions AS s
WHERE s.organization_id = %(organization_id)s;
