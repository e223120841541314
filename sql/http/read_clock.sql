-- Reads the server's clock.
-- Parameters: none.
-- Row: (now float: seconds of the Unix epoch).
SELECT extract(EPOCH FROM clock_timestamp())::float AS now;
