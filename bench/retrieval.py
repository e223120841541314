"""Measure how often one search finds a known record: python -m bench.retrieval PATH [PATH ...].

PATH is a folder of Markdown or a bundle (*.jsonl) of documents or messages. A seeded generator
takes a sentence of a record and asks search_context for 2, 3, 4 or 6 of its words that are not
adjacent; a heading becomes a question. A record is right if it has the sentence, or title and
heading. Prints recall@10 and MRR@10 of items, then partialItems, beside BM25 on the same texts;
milliseconds of the call; and, when it loads, what that takes. --documents generates further ones
from sentences of the given records. --messages generates messages from them, and stores and asks
for these alone. The databases stay in --data-dir, for the next run with the same paths and schema.
"""

import argparse
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import md5
from math import log1p
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import orjson
import psycopg

from bench.bm25 import BM25, tokens
from bench.cases import rpc
from bench.dataset import AT, chat, document, identity, user
from bench.prepare import SCHEMA, Prepared, by, command, environment, issue_key
from orgctx.app import create_app
from orgctx.bundle.loader import load_records
from orgctx.cli.database.migrations import migrate
from orgctx.embedded import servers
from orgctx.resources.search.words import COMMON

TOP, CHATS = 10, 20
COUNTS = (2, 3, 4, 6)
SHORTEST, LONGEST = 60, 320  # characters of a sentence
MARKUP = re.compile(
    r"<!--.*?-->|^(```|~~~).*?^\1.*?$|^(?:#|\||:::|\s{4,}|\t|>|\[[^]]+\]:).*?$|https?://\S+|<[^>]+>|[*_`]",
    re.DOTALL | re.MULTILINE,
)
LINK = re.compile(r"!?\[([^]]*)\](?:\([^)]*\)|\[[^]]*\])")
HEADING = re.compile(r"^#{2,4}\s+(.+?)\s*#*$", re.MULTILINE)


class Text(NamedTuple):
    """A record that searches find."""

    title: str
    content: str

    def whole(self) -> str:
        return f"{self.title}\n{self.content}"


class Query(NamedTuple):
    kind: str
    q: str
    proof: tuple[str, ...]  # normal forms that the right record has


def normal(text: str) -> str:
    words = tokens(re.sub("[*_`]", "", LINK.sub(r"\1", text)))
    return f" {' '.join(words)} "


def sentences(text: str) -> Iterator[str]:
    for block in re.split(
        r"\n\s*\n|\n\s*(?:[-+]|\d+\.)\s+", LINK.sub(r"\1", MARKUP.sub(" ", text))
    ):
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z])", " ".join(block.split())):
            if SHORTEST <= len(sentence) <= LONGEST:
                yield sentence


def words_of(sentence: str) -> list[tuple[int, str]]:
    """Return the words that tell something, each with its place."""
    places = {word: place for place, word in reversed([*enumerate(tokens(sentence))])}
    return sorted(
        (place, word)
        for word, place in places.items()
        if len(word) > 2 and not word.isdigit() and word not in COMMON
    )


def chosen(
    words: Sequence[tuple[int, str]], count: int, frequencies: Mapping[str, int], random: Random
) -> str:
    """Choose words that are not adjacent, rarer ones likelier; "" if there are too few."""
    rest, picked = list(words), list[tuple[int, str]]()
    while rest and len(picked) < count:
        weights = [1 / (1 + log1p(frequencies[word])) for _, word in rest]
        (pick,) = random.choices(rest, weights)
        picked.append(pick)
        rest = [each for each in rest if abs(each[0] - pick[0]) > 1]
    return " ".join(word for _, word in sorted(picked)) if len(picked) == count else ""


def queries(texts: Mapping[str, Text], seed: int, count: int) -> Iterator[Query]:
    """Yield queries for sentences of so many records, and questions for a third as many."""
    random = Random(seed)
    ids = random.sample(sorted(texts), len(texts))
    frequencies = Counter(word for id_ in ids[:5_000] for word in {*tokens(texts[id_].whole())})
    remaining = count
    for id_ in ids:
        content = normal(texts[id_].content)
        options = [each for each in sentences(texts[id_].content) if normal(each) in content]
        for sentence in random.sample(options, min(20, len(options))):
            asked = [chosen(words_of(sentence), n, frequencies, random) for n in COUNTS]
            if remaining and all(asked):
                remaining -= 1
                for n, q in zip(COUNTS, asked, strict=True):
                    yield Query(f"{n} words", q, (normal(sentence),))
                break
        if not remaining:
            break
    remaining = count // 3
    for id_ in reversed(ids):
        title, content = texts[id_]
        headings = [LINK.sub(r"\1", each).strip(" :.?*_`") for each in HEADING.findall(content)]
        headings = [each for each in headings if 2 <= len(words_of(each)) <= 7]
        if headings and remaining:
            remaining -= 1
            heading = random.choice(headings)
            q = f"What does {title} say about {heading}?"[:190]
            yield Query("question", q, (normal(heading), normal(title)))


def records_of(paths: Sequence[Path], variables: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the records of folders and bundles, as ones of the organization that is measured."""
    for path in paths:
        source = f"docs:{re.sub('[^a-z0-9]+', '-', path.stem.lower())}"
        arguments = ("--source", source, "--as-bundle", "--source-files")
        is_bundle = path.suffix == ".jsonl"
        lines = (
            path.read_bytes()
            if is_bundle
            else command(variables, "import", "folder", *arguments, *by(1)[:2], str(path))
        )
        for line in lines.splitlines():
            yield orjson.loads(line) | {"organizationId": str(identity(1))}


def generated(
    texts: Mapping[str, Text], document_count: int, message_count: int
) -> Iterator[dict[str, Any]]:
    """Yield documents made of sentences of the texts, up to a number of all, and messages."""
    if not document_count and not message_count:
        return
    random = Random(1)
    pool = [each for text in texts.values() for each in sentences(text.content)]
    times = {"createdAt": AT, "updatedAt": AT}
    if document_count > len(texts):
        yield record("source", {"kind": "docs", **about("docs:made")}, "docs:made")
    for number in range(len(texts) + 1, document_count + 1):
        title = " ".join(tokens(random.choice(pool))[:5])
        content = " ".join(random.choices(pool, k=random.randint(5, 60)))
        yield record("knowledge", {
            "id": document(1, number), "source": "docs", "title": title, "content": content,
            "visibility": "public", "archived": False, "contentFormat": "markdown",
            "sourceStatus": "current", "sourceLabel": "Made", "sourceHref": None, **times,
        }, "docs:made")  # fmt: skip
    for index in range(1, CHATS * bool(message_count) + 1):
        source, chat_times = f"telegram:{index}", {"linkedAt": AT, "updatedAt": AT}
        members: dict[str, Any] = {"type": "supergroup", "title": source, "username": None}
        yield record("source", {"kind": "telegram", **about(source)}, source)
        members |= {"id": str(chat(1, index)), "memberCount": 9, **chat_times}
        yield record("telegram.chat", members, source)
    said = random.sample(pool, min(message_count, len(pool)))
    while len(said) < message_count:
        # Halves of two sentences make a further one.
        first, second = (each.split() for each in random.choices(pool, k=2))
        said.append(" ".join(first[: len(first) // 2] + second[len(second) // 2 :]))
    for number, text in enumerate(said):
        index = number % CHATS + 1
        yield record("telegram.message", {
            "chatId": str(chat(1, index)), "id": number // CHATS + 1, "kind": "text", "text": text,
            "sender": {"id": "1", "name": "Ada", "username": None}, "file": None, "detail": None,
            "replyToMessageId": None, "editedAt": None, "sentAt": f"{AT[:-1]}.{number:06}Z",
        }, f"telegram:{index}")  # fmt: skip


def about(source: str) -> dict[str, Any]:
    return {"label": source, "description": source, "status": "current", "updatedAt": AT}


def record(type_: str, data: dict[str, Any], source: str) -> dict[str, Any]:
    return {"type": type_, "organizationId": str(identity(1)), "sourceId": source, "data": data}


def create_organization(database_url: str) -> None:
    migrate(database_url, database_url)
    organization = {"displayName": "Bench", "slug": "bench", "createdAt": AT, "updatedAt": AT}
    owner = {"id": str(user(1)), "displayName": "Owner", "role": "owner"}
    parents = {"organization": organization, "member": owner}
    load_records(
        database_url,
        [
            {"type": type_, "organizationId": str(identity(1)), "data": data}
            for type_, data in parents.items()
        ],
    )


def load(database_url: str, stored: Sequence[dict[str, Any]], folder: Path) -> None:
    """Load records, and keep their texts in the folder."""
    megabytes = sum(len(each["data"].get("content", "").encode()) for each in stored) / 1e6
    began_at = perf_counter()
    load_records(database_url, stored)
    seconds = perf_counter() - began_at
    rate = megabytes / seconds
    print(f"load of {len(stored):,} records: {seconds:.1f} s, {rate:.2f} MB/s of documents")
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("VACUUM (ANALYZE)")
        for index in ("knowledge_search_tokens", "telegram_search_tokens"):
            row = connection.execute("SELECT pg_relation_size(%s) / 1e6", [index]).fetchone()
            print(f"{index}: {row[0] if row else 0:.0f} MB")
    with (folder / "records.jsonl").open("wb") as file:
        file.writelines(orjson.dumps(each) + b"\n" for each in stored)


def texts_of(records: Iterable[dict[str, Any]]) -> dict[str, Text]:
    """Return the documents and messages of records by the ids that a search returns."""
    texts = {}
    for each in records:
        data = each["data"]
        if each["type"] == "knowledge":
            texts[data["id"]] = Text(data["title"], data["content"])
        elif each["type"] == "telegram.message" and data["text"]:
            texts[f"{data['chatId']}:{data['id']}"] = Text("", data["text"])
    return texts


def searcher(key: str) -> Callable[[str], list[str]]:
    """Return a function that searches and returns the ids that are found."""
    client = create_app().test_client()

    def search(q: str) -> list[str]:
        message = rpc("tools/call", name="search_context", arguments={"q": q, "limit": TOP})
        response = client.post("/api/mcp", json=message, headers={"Authorization": f"Bearer {key}"})
        result = (response.json or {})["result"]
        data = orjson.loads(result["content"][0]["text"])["data"]
        return [each["id"] for each in (*data["items"], *data.get("partialItems", ()))][:TOP]

    return search


def measure(texts: Mapping[str, Text], asked: Sequence[Query], search: Any) -> str:
    """Return recall and MRR by kind of query, then milliseconds."""
    ranks, times = defaultdict(list), []
    for query in asked:
        began_at = perf_counter()
        ids = search(query.q)
        times.append((perf_counter() - began_at) * 1e3)
        right = (
            rank
            for rank, id_ in enumerate(ids, 1)
            if id_ in texts and all(part in normal(texts[id_].whole()) for part in query.proof)
        )
        rank = next(right, 0)
        for kind in (query.kind, "all"):
            ranks[kind].append(rank)
    cells = [
        f"{kind} {sum(map(bool, r)) / len(r):.3f} / {sum(1 / x for x in r if x) / len(r):.3f}"
        for kind, r in ranks.items()
    ]
    times.sort()
    return f"{'; '.join(cells)}; {median(times):.1f}, {times[int(len(times) * 0.95)]:.1f} ms"


@contextmanager
def prepared(
    paths: Sequence[Path], data_dir: Path, documents: int = 0, messages: int = 0
) -> Iterator[tuple[Prepared, dict[str, Text]]]:
    """Run PostgreSQL and Redis with the records of paths and generated ones. Yields also texts."""
    named = "\n".join(map(str, [SCHEMA, *paths, documents, messages])).encode()
    folder = data_dir / md5(named, usedforsecurity=False).hexdigest()[:12]
    with servers(folder, durable=False) as running:
        variables = environment(running.database_url, running.redis_url)
        key = folder / "key"
        if not key.exists():
            create_organization(running.database_url)
            given = [*records_of(paths, variables)]
            made = generated(texts_of(given), documents, messages)
            load(running.database_url, [*made] if messages else [*given, *made], folder)
            command(variables, "sources", "approve", "--all", "--yes", *by(1))
            key.write_text(issue_key(variables, by(1)))
        with (folder / "records.jsonl").open("rb") as lines:
            texts = texts_of(map(orjson.loads, lines))
        yield Prepared(running.database_url, running.redis_url, key.read_text(), variables), texts


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--data-dir", type=Path, default=Path(".orgctx/retrieval"))
    parser.add_argument("--seed", type=int, nargs="+", default=[1])
    parser.add_argument("--count", type=int, default=100, help="records to ask for")
    parser.add_argument("--documents", type=int, default=0, help="generate up to so many")
    parser.add_argument("--messages", type=int, default=0, help="generate so many instead")
    options = parser.parse_args()
    sizes = (options.documents, options.messages)
    with prepared(options.paths, options.data_dir, *sizes) as (data, texts):
        os.environ |= data.environment
        search, peer = searcher(data.key), BM25({i: t.whole() for i, t in texts.items()})
        for seed in options.seed:
            asked = [*queries(texts, seed, options.count)]
            about_all = f"{len(texts):,} records, {len(asked)} queries, seed {seed}"
            print(f"{about_all}: recall@10 / MRR@10")
            print("orgctx:", measure(texts, asked, search))
            print("BM25:  ", measure(texts, asked, lambda q: peer.search(q, TOP)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
