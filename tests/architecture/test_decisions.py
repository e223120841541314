"""Only the package `decisions` writes decisions."""

from collections.abc import Iterator
from typing import Any

from pglast import ast, parse_sql
from pglast.visitors import Visitor

from tests.architecture.test_sql import PLACEHOLDER, STATEMENTS, UTILITIES, texts

# Tables that hold decisions, and columns of `sources` that do.
TABLES = {
    "api_keys", "audit", "knowledge_releases", "knowledge_suppressions", "member_identities",
    "members", "organizations",
}  # fmt: skip
COLUMNS = {"included", "external", "holds_new", "decided_by", "decided_at"}
# Statements that other modules run, with the reason.
OTHERS = {
    "bundle/merge_organizations": "a bundle describes organizations, and members with roles that "
    "others decided; the audit names its files",
    "bundle/sign_out_promoted": "a role by a bundle begins without sessions, as by a decision",
    "bundle/delete_record": "a bundle may delete members",
    "bundle/hold_knowledge": "a load holds what nobody has seen",
    "bundle/hold_copies": "copies of suppressed texts follow from the suppressions",
    "stores/set_versions": "a version is no decision; it follows every change that keys read",
    "bundle/delete_source": "a limit of keys to a source ends with it, and opens no other",
    "bundle/delete_organization": "keys and members go with an organization; its audit remains",
}


class Written(Visitor):  # type: ignore[misc]
    """Collects what a statement writes: tables, and the columns of sources as `sources.name`."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def _note(self, node: Any, targets: Any) -> None:
        table = node.relation.relname
        self.names.add(table)
        if table == "sources":
            self.names |= {f"sources.{target.name}" for target in targets or ()}

    def visit_InsertStmt(self, _: object, node: ast.InsertStmt) -> None:  # noqa: N802
        self._note(node, node.cols)
        if node.onConflictClause and node.onConflictClause.targetList:
            self._note(node, node.onConflictClause.targetList)

    def visit_UpdateStmt(self, _: object, node: ast.UpdateStmt) -> None:  # noqa: N802
        self._note(node, node.targetList)

    def visit_MergeStmt(self, _: object, node: ast.MergeStmt) -> None:  # noqa: N802
        self._note(node, [t for when in node.mergeWhenClauses for t in when.targetList or ()])

    def visit_DeleteStmt(self, _: object, node: ast.DeleteStmt) -> None:  # noqa: N802
        self._note(node, ())


def written(text: str) -> set[str]:
    visitor = Written()
    visitor(parse_sql(PLACEHOLDER.sub("$1", text).replace("%%", "%")))
    return visitor.names


def deciding() -> Iterator[str]:
    """The statements that write decisions."""
    decided = TABLES | {f"sources.{column}" for column in COLUMNS}
    for name in STATEMENTS:
        if name not in UTILITIES and any(written(text) & decided for text in texts(name)):
            yield name


def test_only_decisions_run_statements_that_write_decisions() -> None:
    writing = {*deciding()}
    for name in writing - set(OTHERS):
        assert name.startswith("decisions/"), (
            f"sql/{name}.sql writes a decision: move it to sql/decisions, or give the reason in "
            "OTHERS"
        )
    assert set(OTHERS) < writing, "OTHERS lists a statement that writes no decision"
