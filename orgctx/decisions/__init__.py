"""Decisions of owners and admins, and their audit records. Nothing else writes either.

A function changes what a member decides, inside the transaction of a `Decision`. It raises
`DecisionRejected` if the change is not allowed; then nothing is stored.
"""

from orgctx.decisions.decision import (
    AUTHORITIES,
    Connection,
    Decision,
    DecisionRejected,
    NotAuthorized,
    deciding,
    run,
)

__all__ = [
    "AUTHORITIES", "Connection", "Decision", "DecisionRejected", "NotAuthorized", "deciding", "run",
]  # fmt: skip
