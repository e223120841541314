"""PostgreSQL and Redis, with a deadline for every wait."""
