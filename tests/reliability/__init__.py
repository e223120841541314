"""Nothing leaks, nothing hangs, nothing is lost: docs/reliability.md says what stands here."""
