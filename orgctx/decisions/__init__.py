"""Decisions of owners and admins, and their audit records. Nothing else writes either.

A function changes what a member decides, inside the transaction of a `Decision`. It raises
`DecisionRejected` if the change is not allowed; then nothing is stored.
"""

from orgctx.decisions.audit_log import ADMIN_LOGIN
from orgctx.decisions.decision import (
    AUTHORITIES,
    Changed,
    Decision,
    DecisionRejected,
    NotAuthorized,
    deciding,
    list_members,
    lock_member,
)

__all__ = [
    "ADMIN_LOGIN", "AUTHORITIES", "Changed", "Decision", "DecisionRejected",
    "NotAuthorized", "deciding", "list_members", "lock_member",
]  # fmt: skip
