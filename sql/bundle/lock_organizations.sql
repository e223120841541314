-- Locks the organizations of all staged records until the transaction ends, so that each
-- organization has one load at a time. A load that changes a slug also locks the nil UUID, so that
-- two loads cannot store the same slug.
-- Parameters: none.
-- Rows: none.
INSERT INTO organization_locks (organization_id)
SELECT organization_id FROM staged_records
UNION
SELECT '00000000-0000-0000-0000-000000000000'
FROM staged_organizations AS s
WHERE NOT EXISTS (
    SELECT FROM organizations AS o WHERE o.organization_id = s.organization_id AND o.slug = s.slug
)
ORDER BY organization_id
ON CONFLICT (organization_id) DO UPDATE SET organization_id = excluded.organization_id;
