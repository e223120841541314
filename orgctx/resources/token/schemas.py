"""Arguments and payloads of the token summary."""

from orgctx.schemas.arguments import Arguments
from orgctx.schemas.envelope import STATUSES
from orgctx.schemas.fields import (
    MAX_DESCRIPTION,
    MAX_NAME,
    MAX_URL,
    Choice,
    Flag,
    Object,
    OneOf,
    Real,
    Text,
    Whole,
)
from orgctx.schemas.formats import Instant
from orgctx.schemas.payload import Payload


class GetToken(Arguments):
    """None."""


class Token(Payload):
    """The token itself."""

    address = Text(100)
    chain_id = OneOf(4663, 1, 31337, 31338, doc="Isolated development forks use 31337, 31338.")
    protocol = Choice("pons", "stockereum", "programmable")
    name = Text(MAX_NAME)
    symbol = Text(MAX_NAME)
    pool = Text(100, doc="V3 pool address; the zero address for V4 launches.")
    pool_id = Text(100, nullable=True, doc="A V4 pool ID, not a contract address.")
    paired_token = Text(MAX_NAME, nullable=True)
    deployer = Text(100)
    logo_url = Text(MAX_URL, nullable=True)


class TokenIndex(Payload):
    """How far the transfers are indexed."""

    indexed_to = Whole()
    indexed_at = Instant()
    next_sync_at = Instant()
    state = Choice("ready", "collecting", "error")


class TokenHolders(Payload):
    """Positive tracked balances, without pool, factory, custody, zero and burn addresses."""

    count = Whole(0)
    tracked_balance_raw = Text(
        100, pattern=r"[0-9]+", rule="a string of digits", doc="In the smallest unit of the token."
    )


class TokenFees(Payload):
    """The fees as last taken."""

    taken_at = Instant()
    price_usd = Real()
    eth_usd = Real()
    unclaimed_eth = Real()
    unclaimed_token = Real()


class TokenSourceFreshness(Payload):
    """How fresh one part of the summary is."""

    updated_at = Instant(nullable=True)
    status = Choice(*STATUSES)
    note = Text(MAX_DESCRIPTION, optional=True)


class TokenSources(Payload):
    """How fresh the parts of the summary are."""

    transfers = Object(TokenSourceFreshness)
    fees = Object(TokenSourceFreshness)


class TokenSummary(Payload):
    """What is stored of the linked token."""

    connected = Flag(doc="Whether a snapshot of the linked address is stored.")
    token = Object(Token, nullable=True)
    index = Object(TokenIndex, nullable=True)
    holders = Object(TokenHolders, nullable=True)
    latest_fees = Object(TokenFees, nullable=True)
    latest_trade_at = Instant(nullable=True)
    sources = Object(TokenSources)
