-- Makes all statements of a transaction see the same snapshot. Must be the first statement of each
-- transaction, because a pooler loses settings of the connection. Uses no index.
-- Parameters: none.
-- Row: none.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
