-- Lists the tables and functions that this connection's role may not use or that do not exist.
-- Parameters: tables text[]: names; functions text[]: names with the types of their arguments.
-- Rows: (name text).
SELECT t.name
FROM unnest(%(tables)s::text[]) AS t (name)
WHERE NOT coalesce(has_table_privilege(to_regclass(t.name), 'SELECT'), FALSE)
UNION ALL
SELECT f.name
FROM unnest(%(functions)s::text[]) AS f (name)
WHERE NOT coalesce(has_function_privilege(to_regprocedure(f.name), 'EXECUTE'), FALSE);
