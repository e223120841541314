-- What imports remember between runs. The service does not read these tables.

-- Records that an import deleted. Evidence that was not collected later does not restore them.
CREATE TABLE deleted_records (
    organization_id uuid NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    -- The record type of the load format, or x.author: the posts of a user who left.
    type text NOT NULL,
    id text COLLATE "C" NOT NULL,
    -- When the export or folder was collected that shows the deletion.
    collected_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, source_id, type, id),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources ON DELETE CASCADE
);

-- Which importer made a document. It deletes no document of another importer.
CREATE TABLE document_importers (
    organization_id uuid NOT NULL,
    knowledge_id text COLLATE "C" NOT NULL,
    importer text NOT NULL,
    PRIMARY KEY (organization_id, knowledge_id),
    FOREIGN KEY (organization_id, knowledge_id) REFERENCES knowledge ON DELETE CASCADE
);
