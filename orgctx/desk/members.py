"""Members: who may decide, and which keys end when somebody no longer may."""

from uuid import UUID

from flask import Blueprint, Response, render_template, request
from werkzeug.exceptions import BadRequest, NotFound

from orgctx.decisions import AUTHORITIES, DecisionRejected, keys, list_members, members
from orgctx.desk.audit import redirect_after
from orgctx.desk.current import deciding, member, reading

UNCHANGED = "Nothing was changed."

routes = Blueprint("members", __name__, url_prefix="/members")


@routes.get("")
def list_all() -> str:
    """List the members of the organization, including removed ones."""
    with reading() as tenant:
        rows = list_members(tenant)
    return render_template("members.html", rows=rows, removed=members.REMOVED, roles=_roles())


@routes.post("")
def add() -> Response:
    """Add a member."""
    name, role = request.form.get("name", "").strip(), request.form.get("role", "")
    if not keys.is_name(name):
        raise BadRequest(f"{keys.NAME_RULE} {UNCHANGED}")
    if role not in members.ROLES:
        raise BadRequest(f"There is no such role. {UNCHANGED}")
    with deciding("members add") as decision:
        members.add(decision, name=name, role=role)
    return redirect_after(decision, "members.list_all")


@routes.get("/<uuid:user_id>")
def show(user_id: UUID) -> str:
    """Show a member, and the keys that end or work again with another role."""
    with reading() as tenant:
        try:
            row = members.find(tenant, user_id)
        except DecisionRejected:
            raise NotFound("The organization has no such member.") from None
    is_above = row["role"] == "owner" != member().role
    return render_template(
        "member.html",
        row=row,
        state=members.state(row),
        may_decide=row["role"] in AUTHORITIES,
        roles=[] if is_above else _roles(),
        removed=members.REMOVED,
    )


@routes.post("/<uuid:user_id>")
def decide(user_id: UUID) -> Response:
    """Change the role of a member, or end the membership."""
    role = request.form.get("role", "")
    if role not in (*members.ROLES, members.REMOVED):
        raise BadRequest(f"There is no such role. {UNCHANGED}")
    command = "members remove" if role == members.REMOVED else "members role"
    with deciding(command) as decision:
        members.change_role(decision, user_id, role)
    return redirect_after(decision, "members.list_all")


def _roles() -> tuple[str, ...]:
    """Return the roles that the member may give."""
    return members.ROLES[members.ROLES.index(member().role) :]
