-- Stored mentions of the account of a source.

-- kind: post
-- index: x_mentions_by_account, x_mentions_tokens; x_mentions_pkey
-- table: x_mentions
-- key_of_source: s.id || ' ' || lower(s.account)
-- in_scope: f.source_id = s.source_id AND lower(f.account) = s.account
-- key: f.source_id || ' ' || lower(f.account)
-- folded: f.text_lower
-- id: f.id
-- at: f.created_at
-- record:
        SELECT m.source_id, '@' || m.author_username AS title, m.url AS href, ARRAY[m.text] AS texts
        FROM x_mentions AS m
        WHERE m.organization_id = %(organization_id)s AND m.id = f.id
