"""Linked Telegram chats and their stored messages."""
