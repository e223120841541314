"""Find the slowest SQL statements for random input: python -m bench.statements [--scale full].

Sends requests with random terms (of any length and script; common, rare and absent), pages and
filters, drawn with a seed. Prints the median and the slowest time of each statement, and the ten
most expensive requests. A slow request is repeated and its faster time counts, because another
process may have used the processor. Then searches with the tool for several words that no record
contains together, and prints how long the help takes, as a multiple of the search in the same call.
Exits with 1 if a statement takes longer than TARGET_MS, or if more than one help in ten takes
longer than HELP_RATIO times its search.
"""

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random
from statistics import median
from time import perf_counter
from typing import Any
from unittest.mock import patch
from urllib.parse import quote

from bench.cases import rpc
from bench.dataset import ABSENT, COMMON, RARE, SCALES, Size, chat, document, identity
from bench.prepare import prepared
from orgctx.app import create_app
from orgctx.stores.db import Statement
from orgctx.stores.pool import Pool

TARGET_MS = 150
HELP_RATIO = 3
SEARCH, HELP = "search/find_messages", "search/rank_messages"
REPEAT_COUNT, EXPENSIVE_COUNT = 5, 10
ALPHABETS = (
    "aeiounrst",
    "qxzjwv",
    "0123456789",
    " .,:;!?",
    "%_\\'\"&|:*()<>",
    "éßİ日本語🚢",
    "\n\t\u00a0",
)

Query = dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--scale", choices=SCALES, default="small")
    parser.add_argument("--count", type=int, default=3_000, help="number of requests")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = Random(options.seed)
    size = SCALES[options.scale][1]
    samples: dict[str, list[tuple[float, str]]] = defaultdict(list)
    requests: list[tuple[float, str]] = []
    with prepared(options.scale) as data:
        os.environ.update(data.environment)
        client = create_app().test_client()
        headers = {"Authorization": f"Bearer {data.key}"}
        texts = [*_texts(client, headers)]
        for path, query in _requests(random, size, texts, options.count):
            request = {"path": f"/api/v1{path}", "query_string": query, "headers": headers}
            times = _times(client, request)
            if max(times.values(), default=0) > TARGET_MS / 2:
                repeated = _times(client, request)
                times = {name: min(ms, repeated.get(name, ms)) for name, ms in times.items()}
            requests.append((sum(times.values()), f"{path} {query}"))
            for name, ms in times.items():
                samples[name].append((ms, f"{path} {query}"))
        ratios = sorted(_ratios(random, client, headers, texts, options.count // 10))
    for name, measurements in sorted(samples.items()):
        slowest_ms, request_text = max(measurements)
        median_ms = median(ms for ms, _ in measurements)
        times_text = f"{len(measurements):6} {median_ms:7.1f} ms {slowest_ms:7.1f} ms"
        print(f"{name:36} {times_text}  {request_text[:120]!r}")
    print("the most expensive requests, all statements together:")
    for ms, request_text in sorted(requests, reverse=True)[:EXPENSIVE_COUNT]:
        print(f"{ms:7.1f} ms  {request_text[:120]!r}")
    median_ratio, high_ratio = (ratios[int(len(ratios) * share)] for share in (0.5, 0.9))
    print(f"help of {len(ratios)} searches, as a multiple of the search:")
    print(f"median {median_ratio[0]:.2f}, of nine of ten at most {high_ratio[0]:.2f}; slowest:")
    for ratio, search_ms, help_ms, q in ratios[-5:]:
        print(f"{ratio:.2f} = {help_ms:.1f} ms / {search_ms:.1f} ms  {q!r}")
    slowest_ms = max(ms for measurements in samples.values() for ms, _ in measurements)
    return int(slowest_ms > TARGET_MS or high_ratio[0] > HELP_RATIO)


def _ratios(
    random: Random, client: Any, headers: dict[str, str], texts: list[str], count: int
) -> Iterator[tuple[float, float, float, str]]:
    """Yield the multiple that the help takes, the milliseconds of search and help, and the term.

    Each counts with its fastest of REPEAT_COUNT calls.
    """
    for _ in range(count):
        q = _words(random, texts)
        request = {"path": "/api/mcp", "method": "POST", "headers": headers}
        request["json"] = rpc("tools/call", name="search_context", arguments={"q": q})
        calls = [_times(client, request) for _ in range(REPEAT_COUNT)]
        if all(HELP in call for call in calls):
            search_ms, help_ms = (min(call[name] for call in calls) for name in (SEARCH, HELP))
            yield help_ms / search_ms, search_ms, help_ms, q


def _words(random: Random, texts: list[str]) -> str:
    """Return words of texts in random order, some of them absent."""
    words = [word for text in random.choices(texts, k=3) for word in text.split()]
    chosen = random.choices(words, k=random.randint(2, 6))
    return " ".join(chosen + random.choices((ABSENT, RARE, COMMON), k=random.randint(0, 1)))[:200]


def _times(client: Any, request: dict[str, Any]) -> dict[str, float]:
    """Send a request and return the milliseconds of each of its round trips.

    The key is the first statement of the round trip, other than the key look-up.
    """
    times: dict[str, float] = defaultdict(float)
    original = Pool.query_all

    def timed(pool: Pool, statements: Sequence[Statement], *rest: Any) -> Any:
        began_at = perf_counter()
        rows = original(pool, statements, *rest)
        names = [name for name, _ in statements]
        name = next((name for name in names if name != "gate/find_key"), names[0])
        times[name] = max(times[name], (perf_counter() - began_at) * 1e3)
        return rows

    with patch.object(Pool, "query_all", timed):
        status = client.open(**request).status_code
    assert status in (200, 400, 404), (status, request)
    return times


def _texts(client: Any, headers: dict[str, str]) -> Iterator[str]:
    """Yield the title and preview of records that searches find, as material for terms."""
    for q in ("", COMMON, RARE, "a", "1"):
        response = client.get("/api/v1/search", query_string={"q": q, "limit": 50}, headers=headers)
        for item in response.json["data"]["items"]:
            yield f"{item['title']} {item['preview']}"


def _requests(
    random: Random, size: Size, texts: list[str], count: int
) -> Iterator[tuple[str, Query]]:
    builders = (_search, _search, _search, _messages, _knowledge, _people, _others)
    for number in range(count):
        path, query = builders[number % len(builders)](random, size, texts)
        yield path, {name: value for name, value in query.items() if value not in (None, "")}


def _term(random: Random, texts: list[str]) -> str | None:
    kind = random.randrange(6)
    if kind == 0:
        return random.choice((None, COMMON, RARE, ABSENT, COMMON[:3], f"{COMMON} {ABSENT}"))
    if kind == 1:
        return "".join(random.choices(random.choice(ALPHABETS), k=random.choice((1, 2, 3, 8))))
    text = random.choice(texts)
    begin = random.randrange(len(text))
    excerpt = text[begin : begin + random.choice((1, 2, 3, 4, 6, 12, 60, 200))]
    # A reversed excerpt shares most of its characters with stored texts but rarely matches.
    return excerpt if kind < 5 else excerpt[::-1]


def _date(random: Random) -> str | None:
    day = random.randrange(1, 28)
    year = random.choice((2023, 2024, 2024, 2025, 2026))
    return random.choice((None, None, f"{year}-{random.randrange(1, 13):02}-{day:02}T00:00:00Z"))


def _span(random: Random, since: str, until: str) -> Query:
    first, last = _date(random), _date(random)
    if first and last:
        first, last = sorted((first, last))
    return {since: first, until: last}


def _person(random: Random, size: Size, prefix: str) -> str | None:
    return random.choice((None, f"{prefix}{random.randint(1, size.people)}"))


def _page(random: Random, last: int) -> int:
    return random.choice((1, 1, 2, max(1, last // 2), max(1, last), last + 5))


def _search(random: Random, _: Size, texts: list[str]) -> tuple[str, Query]:
    sources = (None, None, "telegram:1", "docs:main", "notes:main", "assets:main", "x:main")
    query = {"q": _term(random, texts), "limit": random.choice((1, 20, 50))}
    span = _span(random, "after", "before")
    return "/search", query | span | {"source": random.choice(sources)}


def _messages(random: Random, size: Size, texts: list[str]) -> tuple[str, Query]:
    path = f"/telegram/chats/{chat(1, random.randint(1, size.chats))}/messages"
    before = random.choice((None, None, random.randint(1, size.messages // size.chats)))
    query = {"q": _term(random, texts), "before": before, "limit": random.choice((1, 50, 100))}
    return path, query | _span(random, "since", "until") | {
        "sender": _person(random, size, "telegram")
    }


def _knowledge(random: Random, size: Size, texts: list[str]) -> tuple[str, Query]:
    if random.random() < 0.3:
        path = f"/knowledge/{quote(document(1, random.randint(1, size.knowledge)), safe='')}"
        return path, {"offset": random.randrange(size.longest), "limit": 20_000}
    kind = random.choice((None, "source", "note"))
    page = _page(random, size.knowledge // 20)
    return "/knowledge", {"q": _term(random, texts), "kind": kind, "page": page}


def _people(random: Random, size: Size, texts: list[str]) -> tuple[str, Query]:
    page = _page(random, min(size.people // 50, 9_000))
    return "/people", {"q": _term(random, texts), "page": page}


def _others(random: Random, size: Size, texts: list[str]) -> tuple[str, Query]:
    folder = identity(1, 4, random.randint(1, size.assets))
    paths = ("/context", "/sources", "/token", "/x/mentions", "/assets", f"/assets/{folder}")
    path = random.choice((*paths, "/telegram/chats"))
    if path == "/assets":
        return path, {"folderId": random.choice((None, str(folder))), "page": _page(random, 99)}
    if path == "/x/mentions":
        query = {"page": _page(random, size.mentions // 20), "q": _term(random, texts)}
        query |= {"author": _person(random, size, "author"), "sort": random.choice((None, "views"))}
        return path, query | _span(random, "after", "before")
    return path, {}


if __name__ == "__main__":
    sys.exit(main())
