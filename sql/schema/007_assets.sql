-- Metadata of files and folders.

CREATE TABLE assets (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    parent_id uuid,
    kind text NOT NULL CHECK (kind IN ('folder', 'file')),
    name text NOT NULL,
    name_lower text NOT NULL GENERATED ALWAYS AS (lower(name)) STORED,
    name_folded text NOT NULL GENERATED ALWAYS AS (fold_text(name)) STORED,
    mime text,
    bytes bigint NOT NULL CHECK (bytes >= 0),
    public boolean NOT NULL,
    public_url text,
    uploaded_by_id uuid,
    uploaded_by_name text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources ON DELETE CASCADE,
    FOREIGN KEY (organization_id, parent_id) REFERENCES assets ON DELETE CASCADE
);

-- The nil UUID represents the root, so that one condition finds the children of the root and of
-- folders. assets/list_assets counts and paginates with this index, then reads only the rows of a
-- page.
CREATE INDEX assets_by_folder ON assets (
    organization_id,
    coalesce(parent_id, '00000000-0000-0000-0000-000000000000'),
    kind DESC, name_lower COLLATE "C", id
) INCLUDE (source_id, parent_id);
CREATE INDEX assets_by_source_and_time ON assets (organization_id, source_id, updated_at DESC);
CREATE INDEX assets_tokens ON assets
    USING gin (keyed_text_tokens(organization_id, source_id, name_folded))
    WITH (gin_pending_list_limit = 256);
ALTER INDEX assets_tokens ALTER COLUMN 1 SET STATISTICS 0;

GRANT SELECT ON assets TO orgctx_reader;
