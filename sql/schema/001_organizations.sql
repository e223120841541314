-- Organizations and their members.
--
-- organization_id leads every primary key, foreign key and index, so that every
-- table can be sharded by it. The one exception is api_keys_by_hash, because a request
-- contains only a key, from which the organization is looked up.

CREATE TABLE organizations (
    organization_id uuid PRIMARY KEY,
    display_name text NOT NULL,
    slug text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    plan text NOT NULL CHECK (plan IN ('standard', 'pro')),
    verified_holding numeric NOT NULL CHECK (verified_holding >= 0),
    preview boolean NOT NULL
);

CREATE TABLE members (
    organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    user_id uuid NOT NULL,
    display_name text,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'removed')),
    PRIMARY KEY (organization_id, user_id)
);

-- A transaction that changes an organization's records locks its row, which may exist before the
-- organization. Advisory locks would not do, because every login may take them; the reading role
-- cannot even see this table.
CREATE TABLE organization_locks (organization_id uuid PRIMARY KEY);

GRANT SELECT ON organizations TO orgctx_reader;
