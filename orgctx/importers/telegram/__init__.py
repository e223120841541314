"""Convert JSON exports of Telegram Desktop."""
