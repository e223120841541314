-- Creates the tables of staged knowledge items, and those that their merge fills.
-- Parameters: none.
-- Rows: none.
{tables}
CREATE TEMPORARY TABLE staged_chunks (
    sequence bigint, first_unit integer, unit_count integer, content text, overlap text
) INHERITS (emptied) ON COMMIT DROP;
CREATE TEMPORARY TABLE changed_knowledge (
    organization_id uuid, id text COLLATE "C", has_new_content boolean
) INHERITS (emptied) ON COMMIT DROP;
CREATE TEMPORARY TABLE stored_contents (
    organization_id uuid, id text COLLATE "C", content_digest bytea
) INHERITS (emptied) ON COMMIT DROP;
