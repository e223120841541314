-- Lists the authors of the mentions of one source.
-- Parameters: organization_id uuid, source_id text.
-- Rows: (id, author_id text).
-- Index: x_mentions_pkey; an organization has one source of mentions.
SELECT id, author_id
FROM x_mentions
WHERE organization_id = %(organization_id)s AND source_id = %(source_id)s;
