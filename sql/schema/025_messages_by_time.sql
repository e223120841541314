-- Finds and counts the messages of a chat that were sent in a span of time.
CREATE INDEX telegram_messages_by_time ON telegram_messages (organization_id, chat_id, sent_at, id);
