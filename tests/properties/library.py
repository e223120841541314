"""Records whose texts are hard for a search. Every run creates the same ones."""

from collections.abc import Iterator
from random import Random

from tests.support import factories as make
from tests.support.factories import Record

CHUNK = 8_192
AWKWARD = (
    "%", "_", "\\", "'", '"', "%%", "\\%", "\\_", "\\\\", "--", ";", "$1", "%(q)s", "{}", "*", "?",
    " ", "  ", "\n", "\t", "\r\n", "\u00a0", "\u2003", "\u200b", "\x1c", "…", "\u0301",
    "É", "é", "ß", "ẞ", "İ", "ı", "i", "Σ", "σ", "ς", "Ω", "Ω", "K", "Å", "å", "Ǆ", "ǅ", "ǆ", "ﬀ",
    "Ж", "ж", "Ա", "ա", "𐐀", "𐐨", "🚢", "👩‍🚀", "日本", "ไทย", "عر",
    "’", "“", "«", "–", "−", "-", "\u00ad", "\u200d", "e\u0301", "ﬁ", "₂", "2", "f", "가", "가",
    "日 本", "ガ", "カ", "ﾞ", "ｶﾞ", "ﾊﾟ", "ー", "Ａ", "！",
    "ship", "Ship", "SHIP", "harbour", "a", "B", "0", "_a", "a%", "x_y", "END",
)  # fmt: skip
HARBOUR = "harbour "
# Enough records of each kind that an index pays; all other records are newer.
FILLERS = 1_200
FILLER_MESSAGES = 3_000
FILLER = "~"
LONG_AGO = "2025-01-01T00:00:00Z"


def texts(random: Random, length: int) -> str:
    """Return a text of at most `length` awkward parts."""
    return "".join(random.choice(AWKWARD) for _ in range(length)).strip("\0")


def at(number: int) -> str:
    """A time of the format that the API writes; some numbers give equal times."""
    return f"2026-01-{1 + number % 28:02}T{number % 24:02}:00:00Z"


def records() -> Iterator[Record]:
    random = Random(20260131)
    yield make.organization(displayName="Acme_100% İstanbul", slug="acme_100", updatedAt=at(3))
    yield from make.staff()
    for kind in make.KIND_SOURCES:
        yield make.source(kind, label=f"{kind} source")
    yield make.source("telegram", "telegram:second", label="second chat")
    yield from _knowledge(random)
    for number in range(25):
        yield make.asset(
            f"{texts(random, 3)}x", id=make.uuid(number), updatedAt=at(random.randrange(99))
        )
    yield from _messages(random)
    for number in range(30):
        author = make.author(number % 9, username=f"u_{number % 9}", name=texts(random, 4) + "n")
        text, created_at = texts(random, random.randrange(20)), at(random.randrange(99))
        yield make.mention(number, text=text, author=author, createdAt=created_at)
    yield make.token()
    yield from _fillers()


def _fillers() -> Iterator[Record]:
    chat_id, second = make.uuid("second"), "telegram:second"
    nobody = {"id": None, "name": FILLER, "username": None}
    for number in range(FILLERS):
        id_, name = 1_000 + number, f"filler {number}"
        yield make.knowledge(name, title=FILLER, content=FILLER, updatedAt=LONG_AGO)
        yield make.asset(FILLER, id=make.uuid(name), updatedAt=LONG_AGO)
        yield make.mention(id_, text=FILLER, author=make.author(0), createdAt=LONG_AGO)
    for id_ in range(1_000, 1_000 + FILLER_MESSAGES):
        yield make.message(
            id_, source_id=second, chatId=chat_id, text=FILLER, sender=nobody, sentAt=LONG_AGO
        )


def _knowledge(random: Random) -> Iterator[Record]:
    for number in range(30):
        yield make.knowledge(
            number,
            prefix=("docs", "note")[number % 2],
            title=texts(random, 3) + "t",
            content=texts(random, random.randrange(120)),
            visibility=("public", "team")[number % 3 % 2],
            archived=number % 10 == 9,
            updatedAt=at(random.randrange(99)),
        )
    for number, shift in enumerate((-200, -199, -100, -1, 0, 1)):
        # One word lies across the border of two chunks, and one across the next.
        border = f"bOrDeR{number}" + texts(random, 60)
        content = (HARBOUR * 2_000)[: CHUNK + shift] + border + "🚢" * CHUNK + border
        yield make.knowledge(f"long {number}", content=content, updatedAt=at(number))


def _messages(random: Random) -> Iterator[Record]:
    chats = {make.CHAT: "telegram:main", make.uuid("second"): "telegram:second"}
    for number, (chat_id, source_id) in enumerate(chats.items()):
        yield make.chat(chat_id, source_id=source_id, title=f"Chat {number}")
    for number in range(1, 41):
        for chat_id, source_id in chats.items():
            has_file, has_text = random.random() < 0.3, random.random() < 0.8
            sender = {
                "id": f"p{number % 11}" if number % 7 else None,
                "name": f"{texts(random, 3)}m",
                "username": random.choice((None, "ship_name", "Ж_имя")),
            }
            yield make.message(
                number,
                source_id=source_id,
                chatId=chat_id,
                text=texts(random, random.randrange(1, 90)) if has_text else None,
                file=make.file(fileName=texts(random, 4)) if has_file else None,
                detail="A poll" if number % 5 == 0 else None,
                sender=sender,
                sentAt=at(random.randrange(99)),
            )
