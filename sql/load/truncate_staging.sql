-- Empties what was merged; what was touched stays noted.
-- Parameters: none.
-- Rows: none.
TRUNCATE
    staged_organizations, staged_members, staged_sources, staged_knowledge, staged_chunks,
    staged_assets, staged_chats, staged_messages, staged_mentions, staged_tokens,
    changed_knowledge, message_counts;
