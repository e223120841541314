-- Deletes what imports stored about an X user who left X, because it contains the user's id. The
-- record of the erasure replaces it.
-- Parameters: organization_id uuid, person_id text.
-- Rows: none.
DELETE FROM deleted_records AS d
WHERE d.organization_id = %(organization_id)s
    AND d.type = 'x.author'
    AND d.id = %(person_id)s;
