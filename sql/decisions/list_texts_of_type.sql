-- The texts of one type of record in decisions/list_texts.
-- Parameters: organization_id uuid, source_id text, row_limit bigint.
-- Rows: as in decisions/list_texts.
UNION ALL
(
    SELECT '{item}', id, {title}, {time}, 0, 0, concat_ws(E'\n', {texts})
    FROM {table}
    WHERE organization_id = %(organization_id)s AND source_id = %(source_id)s
    ORDER BY {time} DESC, id
    LIMIT %(row_limit)s
)
