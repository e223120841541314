-- Lists one page of the knowledge library, newest first, and counts the items.
-- Parameters: organization_id uuid, source_ids text[], kind and visibility text ('all' for any),
--   archived boolean, page_size and page_offset bigint.
-- Rows: total bigint, then the columns of KnowledgeSummary. If the page is empty, one row whose
--   columns of KnowledgeSummary are null.
-- Index: knowledge_by_source_and_time; knowledge_pkey for the items of the page.
WITH matching AS NOT MATERIALIZED (
    SELECT k.id, k.updated_at
    FROM readable_knowledge AS k
    WHERE k.organization_id = %(organization_id)s
        AND {is_listed}
)
{page_of_matching}
