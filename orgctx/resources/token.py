"""Arguments and payloads of the token summary."""

from orgctx.schemas.fields import (
    MAX_DESCRIPTION,
    MAX_NAME,
    MAX_URL,
    Boolean,
    Enum,
    Integer,
    IntegerEnum,
    Nested,
    Number,
    Text,
)
from orgctx.schemas.formats import DateTime
from orgctx.schemas.payload import STATUSES, Payload


class Token(Payload):
    """The token itself."""

    address = Text(100)
    chain_id = IntegerEnum(
        4663, 1, 31337, 31338, doc="Isolated development forks use 31337, 31338."
    )
    protocol = Enum("pons", "stockereum", "programmable")
    name = Text(MAX_NAME)
    symbol = Text(MAX_NAME)
    pool = Text(100, doc="V3 pool address; the zero address for V4 launches.")
    pool_id = Text(100, nullable=True, doc="A V4 pool ID, not a contract address.")
    paired_token = Text(MAX_NAME, nullable=True)
    deployer = Text(100)
    logo_url = Text(MAX_URL, nullable=True)


class TokenIndex(Payload):
    """The progress of indexing transfers."""

    indexed_to = Integer()
    indexed_at = DateTime()
    next_sync_at = DateTime()
    state = Enum("ready", "collecting", "error")


class TokenHolders(Payload):
    """Positive tracked balances, without pool, factory, custody, zero and burn addresses."""

    count = Integer(0)
    tracked_balance_raw = Text(
        100, pattern=r"[0-9]+", rule="a string of digits", doc="In the smallest unit of the token."
    )


class TokenFees(Payload):
    """The fees at the last snapshot."""

    taken_at = DateTime()
    price_usd = Number()
    eth_usd = Number()
    unclaimed_eth = Number()
    unclaimed_token = Number()


class TokenSourceFreshness(Payload):
    """The freshness of one part of the summary."""

    updated_at = DateTime(nullable=True)
    status = Enum(*STATUSES)
    note = Text(MAX_DESCRIPTION, optional=True)


class TokenSources(Payload):
    """The freshness of each part of the summary."""

    transfers = Nested(TokenSourceFreshness)
    fees = Nested(TokenSourceFreshness)


class TokenSummary(Payload):
    """The stored summary of the linked token."""

    connected = Boolean(doc="Whether a snapshot of the linked address is stored.")
    token = Nested(Token, nullable=True)
    index = Nested(TokenIndex, nullable=True)
    holders = Nested(TokenHolders, nullable=True)
    latest_fees = Nested(TokenFees, nullable=True)
    latest_trade_at = DateTime(nullable=True)
    sources = Nested(TokenSources)
