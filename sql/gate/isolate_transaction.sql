-- Lets all statements of a transaction see one state of the data. It is the first statement of the
-- transaction, because a pooler would lose the connection's own setting. Uses no index.
-- Parameters: none.
-- Row: none.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
