-- Creates the tables of staged knowledge items, and those that their merge fills.
-- Parameters: none.
-- Rows: none.
{tables}
CREATE TEMPORARY TABLE staged_chunks (
    sequence bigint, first_unit integer, unit_count integer, content text, overlap text
) INHERITS (emptied) ON COMMIT DROP;
CREATE TEMPORARY TABLE staged_secrets (
    sequence bigint, kind text, content_offset integer
) INHERITS (emptied) ON COMMIT DROP;
CREATE TEMPORARY TABLE changed_knowledge (
    organization_id uuid, id text COLLATE "C", sequence bigint, has_new_content boolean,
    is_new_in_source boolean
) INHERITS (emptied) ON COMMIT DROP;
CREATE TEMPORARY TABLE stored_contents (
    organization_id uuid, id text COLLATE "C", source_id text COLLATE "C", content_digest bytea
) INHERITS (emptied) ON COMMIT DROP;
