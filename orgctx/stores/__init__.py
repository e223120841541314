"""PostgreSQL and Redis, and how long anything may wait for them."""
