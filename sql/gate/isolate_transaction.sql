-- Lets all statements of a transaction see one state of the data; the first of it, through a pooler
-- to which the connection's own setting would be lost. Relies on no index.
-- Parameters: none.
-- Row: none.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
