"""Convert JSON exports of Telegram Desktop: one chat or a whole account."""
