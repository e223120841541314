-- Finds the people of some sources by their exact name, ignoring case.
-- Parameters: organization_id uuid, source_ids text[]; person_name text: a username without @;
--   display_name text: the name as a display name, or null for usernames alone.
-- Rows: (person_id text), at most six, ordered.
-- Index: people_tokens.
SELECT p.person_id
FROM (
    SELECT * FROM people AS p
    WHERE p.organization_id = %(organization_id)s
        AND p.source_id = ANY(%(source_ids)s::text[])
        AND keyed_text_tokens(
            p.organization_id, p.source_id, p.display_name_lower || E'\n' || coalesce(p.username_lower, '')
        ) @@ ANY(
            keyed_term_tokens(%(organization_id)s, %(source_ids)s::text[], fold_text(%(person_name)s::text))
        )
    OFFSET 0
) AS p
WHERE p.username_lower = fold_text(%(person_name)s::text)
    OR p.display_name_lower = fold_text(%(display_name)s::text)
GROUP BY p.person_id
ORDER BY p.person_id
LIMIT 6;
