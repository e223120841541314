-- Finds staged records that name a parent that is neither stored nor earlier in the stream, or that
-- conflict with stored records. Rules that hold for every record type read staged_records, so they
-- also cover types that are added later.
-- Parameters: single_kinds text[]: the kinds that allow only one source per organization;
--   organization_ids uuid[]: all organizations of the stream; error_limit integer: the most rows
--   to return.
-- Rows: (sequence bigint: the record, error text), the first errors in the order of the stream.
WITH known_organizations AS MATERIALIZED (
    SELECT organization_id, min(sequence) AS sequence
    FROM (
        SELECT organization_id, 0 AS sequence FROM organizations
        WHERE organization_id = ANY(%(organization_ids)s)
        UNION ALL SELECT organization_id, sequence FROM staged_organizations
    ) AS every
    GROUP BY organization_id
),
known_sources AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id, id)
        organization_id, id, kind,
        -- If it had the name of the column, a Citus cluster would order the rows by it.
        min(sequence) OVER (PARTITION BY organization_id, id) AS first_sequence
    FROM (
        SELECT organization_id, id, kind, 0 AS sequence FROM sources
        WHERE organization_id = ANY(%(organization_ids)s)
        UNION ALL SELECT organization_id, source_id, kind, sequence FROM staged_sources
    ) AS every
    ORDER BY every.organization_id, every.id, every.sequence
),
new_slugs AS MATERIALIZED (
    SELECT s.slug
    FROM staged_organizations AS s
    WHERE NOT EXISTS (
        SELECT FROM organizations AS o
        WHERE o.organization_id = s.organization_id AND o.slug = s.slug
    )
),
-- The slug that each organization will have when the stream is stored. Sequence 0 means that the
-- slug is already stored. Stored organizations are read only if the stream uses their slugs.
slugs AS MATERIALIZED (
    SELECT DISTINCT ON (organization_id) organization_id, slug, sequence
    FROM (
        SELECT organization_id, slug, 0 AS sequence FROM organizations
        WHERE slug IN (SELECT slug FROM new_slugs)
        UNION ALL SELECT organization_id, slug, sequence FROM staged_organizations
    ) AS every
    ORDER BY every.organization_id, every.sequence DESC
),
errors AS (
    SELECT r.sequence, 1 AS rank,
        'organizationId names no organization that is stored or comes earlier in the stream'
            AS error
    FROM staged_records AS r
    LEFT JOIN known_organizations AS o
        ON o.organization_id = r.organization_id AND o.sequence <= r.sequence
    WHERE NOT r.deleted AND o.organization_id IS NULL
    UNION ALL
    SELECT r.sequence, 2, 'sourceId names no source that is stored or comes earlier in the stream'
    FROM staged_records AS r
    LEFT JOIN known_sources AS s
        ON s.organization_id = r.organization_id AND s.id = r.source_id
        AND s.first_sequence < r.sequence
    WHERE r.source_kind IS NOT NULL AND s.id IS NULL
    UNION ALL
    SELECT r.sequence, 3,
        format('sourceId names a source of kind %%s; this record needs one of kind %%s',
            s.kind, r.source_kind)
    FROM staged_records AS r
    JOIN known_sources AS s ON s.organization_id = r.organization_id AND s.id = r.source_id
    WHERE s.kind <> r.source_kind
    UNION ALL
    SELECT r.sequence, 4, format('data.kind cannot change: this source is of kind %%s', s.kind)
    FROM staged_sources AS r
    JOIN known_sources AS s ON s.organization_id = r.organization_id AND s.id = r.source_id
    WHERE s.kind <> r.kind
    UNION ALL
    SELECT r.sequence, 5,
        format('data.kind: the organization already has a source of kind %%s, %%s', r.kind, s.id)
    FROM staged_sources AS r
    JOIN known_sources AS s
        ON s.organization_id = r.organization_id AND s.kind = r.kind AND s.id <> r.source_id
        AND s.first_sequence < r.sequence
    WHERE r.kind = ANY(%(single_kinds)s)
    UNION ALL
    SELECT s.sequence, 6,
        format('data.slug %%s is taken by the organization %%s', quote_literal(s.slug),
            min(other.organization_id::text))
    FROM slugs AS s
    JOIN slugs AS other ON other.slug = s.slug AND other.sequence < s.sequence
    GROUP BY s.sequence, s.slug
)
{first_errors}
