"""The tables of section 2, word for word, and what their words mean as JSON Schema."""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.contract import shapes
from tests.contract.shapes import Shape

TABLES = {
    ("2.1", "Envelope"): """
| data | array or object | The payload of the endpoint |
| meta | object | Required. Members: organizationId (string, uuid), freshness (Freshness) |
| pagination | object | Only on paginated lists (see 2.2) |
""",
    ("2.1", "Freshness"): """
| source | string | yes | database, collector, provider, local_preview |
| updatedAt | string (date-time) or null | yes | null when nothing has been collected |
| status | string | yes | current, stale, unavailable, synthetic |
| note | string | no | Explains important gaps |
""",
    ("2.4", "ContextSource"): """
| id | string | yes | Stable source ID, usable as the `source` filter of search |
| label | string | yes | |
| kind | string | yes | docs, notes, assets, profile, token, x, telegram |
| included | boolean | yes | |
| external | boolean | yes | |
| status | string | yes | current, stale, unavailable, synthetic, not_connected |
| updatedAt | string (date-time) or null | yes | |
| description | string | yes | |
| href | string | yes | |
| count | integer >=0 | no | |
""",
    ("2.5", "Context"): """
| organization | object | yes | id (uuid, required); optional displayName (string), slug (string), createdAt (date-time), updatedAt (date-time). Identity fields may be absent when their sources are filtered |
| grantedScopes | array of Scope, unique items | yes | |
| sources | array of ContextSource | yes | |
| connections | object | yes | Only explicitly approved sources matching the credential's scopes are present; each block below is optional |
""",  # noqa: E501
    ("2.6", "ContextSearchResult"): """
| items | array | Bounded previews, each with the members below |
| sources | array of ContextSource | Describes the permitted sources |
| hasMore | boolean | More matching records within indexed coverage exist, or a bounded source pool was hit; it does not mean the provider history is complete |
""",  # noqa: E501
    ("2.8", "KnowledgeSummary"): """
| id | string | Kind-prefixed stable ID (see 4.6) |
| title | string | |
| kind | string | source, note |
| source | string | docs, assets, chain, profile, team, answer |
| preview | string | |
| visibility | string | public, team |
| archived | boolean | |
| sourceStatus | string | current, draft, removed, unavailable, reference |
| sourceLabel | string | |
| sourceHref | string or null | |
| createdAt | date-time | |
| updatedAt | date-time | |
""",
    ("2.10", "Asset"): """
| id | string uuid | |
| parentId | string uuid or null | null at the root |
| kind | string | folder, file |
| name | string | |
| mime | string or null | |
| bytes | integer >=0 | |
| public | boolean | |
| publicUrl | string or null | Only for deliberately public files |
| uploadedBy | null or object | object has id (uuid) and displayName (string or null) |
| createdAt | date-time | |
| updatedAt | date-time | |
""",
    ("2.12", "TelegramMessage"): """
| id | integer >=1 | Message ID |
| sender | object | id (string or null), name (string), username (string or null) |
| kind | string | text, photo, video, animation, sticker, document, voice, audio, poll, other |
| text | string or null | |
| detail | string or null | |
| file | null or object | Members (all required): width (integer or null), height (integer or null), duration (integer or null), mimeType (string or null), fileName (string or null), fileSize (integer or null), sticker (static, animated, video, or null) |
| replyToMessageId | integer or null | |
| sentAt | date-time | |
| editedAt | date-time or null | |
""",  # noqa: E501
    ("2.14", "TokenSummary"): """
| connected | boolean | |
| token | null or object | address (string), chainId (integer), protocol (pons, stockereum, programmable), name (string), symbol (string), pool (string; V3 pool address for the retained v1 protocol, zero address for V4 launches), poolId (string or null; a V4 pool ID, not a contract address), pairedToken (string or null), deployer (string), logoUrl (string or null). chainId values: 4663, 1; isolated development forks use 31337 and 31338 |
| index | null or object | indexedTo (integer), indexedAt (date-time), nextSyncAt (date-time), state (ready, collecting, error) |
| holders | null or object | count (integer >=0); trackedBalanceRaw (string matching ^[0-9]+$, smallest unit of the token). Counts positive tracked balances, excluding pool, factory, launchpad custody, zero and burn addresses |
| latestFees | null or object | takenAt (date-time), priceUsd (number), ethUsd (number), unclaimedEth (number), unclaimedToken (number) |
| latestTradeAt | date-time or null | |
| sources | object | transfers and fees, each a TokenSourceFreshness: updatedAt (date-time or null), status (current, stale, unavailable, synthetic), optional note (string) |
""",  # noqa: E501
}

# In these tables a member may be absent only where the column says so.
WITH_REQUIRED_COLUMN = ("Freshness", "ContextSource", "Context")

TYPES: dict[str, Shape] = {
    "string": shapes.STRING,
    "string or null": shapes.nullable(shapes.STRING),
    "string uuid": shapes.UUID,
    "string uuid or null": shapes.nullable(shapes.UUID),
    "boolean": shapes.BOOLEAN,
    "integer >=0": shapes.COUNT,
    "integer >=1": shapes.POSITIVE,
    "integer or null": shapes.nullable(shapes.INTEGER),
    "date-time": shapes.DATE_TIME,
    "date-time or null": shapes.nullable(shapes.DATE_TIME),
    "string (date-time) or null": shapes.nullable(shapes.DATE_TIME),
    "array of Scope, unique items": shapes.array(shapes.SCOPE, uniqueItems=True),
    "array of ContextSource": shapes.array(shapes.CONTEXT_SOURCE),
}
ENUMERATION = re.compile(r"[a-z_]+(, [a-z_]+)+|public, team")
NAMED_MEMBER = re.compile(r"(\w+) \((?:[^()]|\([^()]*\))*\)")


class Row(NamedTuple):
    """One row: the member that it is about and what it says of it."""

    section: str
    table: str
    member: str
    type: str
    is_required: bool
    notes: str

    @property
    def sentence(self) -> str:
        flag = "yes | " if self.is_required else "no | "
        column = flag if self.table in WITH_REQUIRED_COLUMN else ""
        return f"{self.member} | {self.type} | {column}{self.notes}".strip(" |")


def rows() -> list[Row]:
    """All rows of all tables, in order."""
    return [_row(section, table, line) for (section, table), text in TABLES.items()
            for line in text.strip().splitlines()]  # fmt: skip


def _row(section: str, table: str, line: str) -> Row:
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    is_required = table != "Envelope" or cells[0] != "pagination"
    if table in WITH_REQUIRED_COLUMN:
        is_required = cells.pop(2) == "yes"
    return Row(section, table, cells[0], cells[1], is_required, cells[2])
