-- Organizations and their members.
--
-- organization_id is the first column of every primary key, foreign key and index, so that every
-- table can be sharded by it. The only exception is api_keys_by_hash, because a request contains
-- only a key, and the key determines the organization.

CREATE TABLE organizations (
    organization_id uuid PRIMARY KEY,
    display_name text NOT NULL,
    slug text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    plan text NOT NULL CHECK (plan IN ('standard', 'pro')),
    verified_holding numeric NOT NULL CHECK (verified_holding >= 0),
    preview boolean NOT NULL,
    -- Of all data that keys read. Two servers with the same version have the same data.
    version uuid NOT NULL DEFAULT gen_random_uuid()
);

CREATE TABLE members (
    organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    user_id uuid NOT NULL,
    display_name text,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'removed')),
    -- Sessions and links of the desk that began before have ended.
    signed_out_at timestamptz,
    PRIMARY KEY (organization_id, user_id)
);

-- A transaction that changes records of an organization locks the organization's row here. The row
-- may be inserted before the organization. Advisory locks are not used, because every login may
-- take them, but the reading role has no privilege on this table.
CREATE TABLE organization_locks (organization_id uuid PRIMARY KEY);

GRANT SELECT ON organizations TO orgctx_reader;
