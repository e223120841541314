-- Makes all statements of a transaction see the same snapshot. Must be the first statement of each
-- transaction, because behind a pooler, settings of the connection do not last.
-- Parameters: none.
-- Rows: none.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
