"""The operations of the knowledge library."""

from orgctx.operations.operation import MESSAGE, PERSON, Identifier, Operation, Resource, Tool, Use
from orgctx.operations.source_kinds import KNOWLEDGE_KINDS
from orgctx.resources.knowledge import schemas, service
from orgctx.resources.knowledge.tool import (
    LIMIT_FOR_Q,
    ListKnowledgeTool,
    ReadKnowledgeTool,
    with_outline,
    with_places,
)
from orgctx.schemas.formats import UUID_TEXT
from orgctx.schemas.payload import NumberedPagination

RESOURCE = Resource(
    place=5,
    tag="knowledge",
    about="Documents and notes.",
    operations=(
        Operation(
            path="/knowledge",
            title="List knowledge",
            scopes=("knowledge:read",),
            kinds=KNOWLEDGE_KINDS,
            arguments=schemas.ListKnowledge,
            payload=schemas.KnowledgeSummary,
            is_list=True,
            pagination=NumberedPagination,
            service=service.list_knowledge,
            use=Use("What do our docs say on refunds?", {"q": "refund", "kind": "source"}),
            tool=Tool(shape=with_places, payload=ListKnowledgeTool),
        ),
        Operation(
            path="/knowledge/{id}",
            title="Read a knowledge item",
            scopes=("knowledge:read",),
            kinds=KNOWLEDGE_KINDS,
            arguments=schemas.ReadKnowledge,
            payload=schemas.KnowledgeItem,
            is_findable=True,
            is_core=True,
            service=service.read_knowledge,
            use=Use(
                "What comes next?",
                {"id": "docs:123e4567-e89b-12d3-a456-426614174000", "offset": 20000},
            ),
            tool=Tool(shape=with_outline, payload=ReadKnowledgeTool, limit_for_q=LIMIT_FOR_Q),
            identifier=Identifier(
                "id",
                "list_knowledge and search_context return ids.",
                (
                    MESSAGE,
                    PERSON,
                    (
                        UUID_TEXT,
                        "An id has a prefix, such as docs: or note:. read_asset reads files.",
                    ),
                ),
            ),
        ),
    ),
)
