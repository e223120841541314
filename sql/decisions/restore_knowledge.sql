-- Ends the suppression of knowledge items and their holds, and releases their present texts.
-- Parameters: organization_id uuid, ids text[], user_id uuid: the member who decides.
-- Rows: none.
-- Index: knowledge_suppressions_pkey, knowledge_pkey.
WITH restored AS (
    DELETE FROM knowledge_suppressions
    WHERE organization_id = %(organization_id)s AND knowledge_id = ANY(%(ids)s)
)
INSERT INTO knowledge_releases (organization_id, knowledge_id, version, released_by)
SELECT k.organization_id, k.id, text_version(k.title, k.content_digest), %(user_id)s
FROM knowledge AS k
WHERE k.organization_id = %(organization_id)s AND k.id = ANY(%(ids)s)
ON CONFLICT (organization_id, knowledge_id, version) DO UPDATE
SET released_by = excluded.released_by, released_at = now();
