"""Arguments and payloads of the token summary."""

from orgctx.shapes.arguments import Arguments
from orgctx.shapes.envelope import STATUSES
from orgctx.shapes.fields import Choice, Flag, Instant, Object, Real, Text, Whole
from orgctx.shapes.payload import Payload


class GetToken(Arguments):
    """None."""


class Token(Payload):
    """The token itself."""

    address = Text()
    chain_id = Whole(0, doc="4663 or 1; isolated development forks use 31337 and 31338.")
    protocol = Choice("pons", "stockereum", "programmable")
    name = Text()
    symbol = Text()
    pool = Text(doc="V3 pool address; the zero address for V4 launches.")
    pool_id = Text(nullable=True, doc="A V4 pool ID, not a contract address.")
    paired_token = Text(nullable=True)
    deployer = Text()
    logo_url = Text(nullable=True)


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
        pattern=r"[0-9]+", rule="a string of digits", doc="In the smallest unit of the token."
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
    note = Text(optional=True)


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
