-- The texts of one type of record in decisions/list_naming_records.
-- Parameters: organization_id uuid.
-- Rows: (type, source_id, id, text).
UNION ALL
SELECT '{name}', source_id, id::text, fold_text(concat_ws(E'\x01', {names}))
FROM {table}
WHERE organization_id = %(organization_id)s
