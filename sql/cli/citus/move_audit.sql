-- Moves the audit to the coordinator alone if an older version has distributed it. Copies its rows,
-- because Citus cannot undistribute a table with an identity column.
-- Parameters: none.
-- Rows: none.
SET LOCAL statement_timeout = 0;
SET LOCAL citus.multi_shard_modify_mode = 'sequential';

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'audit'::regclass) THEN
        RETURN;
    END IF;
    CREATE TABLE moved_audit (LIKE audit INCLUDING ALL EXCLUDING INDEXES);
    INSERT INTO moved_audit OVERRIDING SYSTEM VALUE SELECT * FROM audit;
    DROP TABLE audit;
    ALTER TABLE moved_audit RENAME TO audit;
    ALTER TABLE audit ADD CONSTRAINT audit_pkey PRIMARY KEY (organization_id, sequence);
    CREATE INDEX audit_by_sequence ON audit (sequence);
    CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    PERFORM setval(pg_get_serial_sequence('audit', 'sequence'), max(sequence)) FROM audit;
END
$$;
