"""What a search covers: its statements, and the kinds of item that they find."""

from orgctx.operations.source_kinds import KNOWLEDGE_KINDS, PEOPLE_KINDS

# The statements that find records, with the kinds of source that they search.
PARTS = {
    "search/find_messages": ("telegram",),
    "search/find_documents": KNOWLEDGE_KINDS,
    "search/find_posts": ("x",),
    "search/find_people": PEOPLE_KINDS,
    "search/find_assets": ("assets",),
    "search/find_profile": ("profile",),
    "search/find_token": ("token",),
}
# The kinds of item, each with the path that reads one; empty if the statement returns href.
ITEM_HREFS = {
    "document": "/api/v1/knowledge/{}",
    "note": "/api/v1/knowledge/{}",
    "message": "",
    "post": "",
    "person": "/api/v1/people/{}",
    "asset": "/api/v1/assets/{}",
    "profile": "/api/v1/context",
    "token": "/api/v1/token",
}
