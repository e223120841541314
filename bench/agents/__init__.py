"""Replay recorded questions as an agent would answer them, and count what each costs."""
