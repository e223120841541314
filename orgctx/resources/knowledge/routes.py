"""The operations of the knowledge library."""

from orgctx.operation import Operation
from orgctx.resources.knowledge import schemas, service
from orgctx.shapes.envelope import NumberedPagination
from orgctx.source_kinds import KNOWLEDGE_KINDS

OPERATIONS = (
    Operation(
        path="/knowledge",
        title="List knowledge",
        tag="knowledge",
        scopes=("knowledge:read",),
        kinds=KNOWLEDGE_KINDS,
        arguments=schemas.ListKnowledge,
        payload=schemas.KnowledgeSummary,
        is_list=True,
        pagination=NumberedPagination,
        service=service.list_knowledge,
    ),
    Operation(
        path="/knowledge/{id}",
        title="Read a knowledge item",
        tag="knowledge",
        scopes=("knowledge:read",),
        kinds=KNOWLEDGE_KINDS,
        arguments=schemas.ReadKnowledge,
        payload=schemas.KnowledgeItem,
        is_findable=True,
        service=service.read_knowledge,
    ),
)
