-- What the service may read, and all that it may: run after every migration, also where none
-- was pending, for a dump that is restored into a new cluster comes without the reading role.
-- Keys and members it sees through find_key only.
-- Parameters: none.
-- Rows: none.
GRANT USAGE ON SCHEMA public TO orgctx_reader;
GRANT SELECT ON
    organizations, sources,
    knowledge, knowledge_chunks, knowledge_suppressions,
    assets,
    telegram_chats, telegram_messages, telegram_search,
    x_mentions, tokens, people, people_counts,
    _yoyo_migration
TO orgctx_reader;
REVOKE ALL ON FUNCTION find_key(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_key(bytea) TO orgctx_reader;
