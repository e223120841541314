"""Reads the service with the client that openapi-python-client made: `read.py FOLDER URL KEY`.

Runs in the client's own environment. Prints what it found as JSON.
"""

import json
import sys

folder, base_url, key = sys.argv[1:]
sys.path.insert(0, folder)

from generated import AuthenticatedClient  # type: ignore[import-not-found]  # noqa: E402
from generated.api.context import get_context, search_context  # type: ignore[import-not-found]  # noqa: E402
from generated.api.knowledge import list_knowledge, read_knowledge  # type: ignore[import-not-found]  # noqa: E402

with AuthenticatedClient(base_url, key, raise_on_unexpected_status=True) as client:
    context = get_context.sync(client=client)
    results = search_context.sync(client=client, q="document", limit=3)
    listed = list_knowledge.sync(client=client)
    read = read_knowledge.sync(listed.data[0].id, client=client)
    missing = read_knowledge.sync("note:00000000-0000-4000-8000-000000000000", client=client)
print(
    json.dumps(
        {
            "organization": context.data.organization.display_name,
            "found": [item.id for item in results.data.items],
            "listed": [item.id for item in listed.data],
            "read": read.data.id,
            "missing": missing.error.code,
        }
    )
)
