"""Questions about documents of others: what a section says, and which sentence has some words."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from random import Random

from bench.agents.tasks import Task
from bench.bm25 import tokens
from bench.retrieval import HEADING, LINK, Text, chosen, sentences, words_of

COUNT = 50  # tasks of each kind
KIND, ORGANIZATION = "documentation", "folder"


def tasks_of(texts: Mapping[str, Text]) -> list[Task]:
    """Return tasks about documents, the same for the same texts. Each asks for one sentence."""
    random = Random(1)
    documents = [texts[id_] for id_ in random.sample(sorted(texts), len(texts))]
    kinds = (_about_sections(documents, random), _about_sentences(documents[::-1], random))
    return [task for kind in kinds for task in islice(kind, COUNT)]


def _about_sections(documents: Iterable[Text], random: Random) -> Iterator[Task]:
    """Yield a task for each document with headings: the first sentence of a section."""
    for title, content in documents:
        _, *parts = HEADING.split(content)
        sections = [
            (LINK.sub(r"\1", heading).strip(" :.?*_`"), answer)
            for heading, body in zip(parts[::2], parts[1::2], strict=True)
            for answer in islice(_verbatim(body), 1)
        ]
        if sections:
            heading, answer = random.choice(sections)
            question = f"What does {title} say about {heading}?"
            queries = [*dict.fromkeys((f"{title} {heading}", title, heading))]
            yield Task(KIND, ORGANIZATION, question, queries, [answer])


def _about_sentences(documents: list[Text], random: Random) -> Iterator[Task]:
    """Yield a task for each document with long sentences: the sentence that has four words."""
    frequencies = Counter(word for text in documents for word in {*tokens(text.whole())})
    for _, content in documents:
        options = [(words_of(sentence), sentence) for sentence in _verbatim(content)]
        random.shuffle(options)
        for words, answer in options:
            queries = [chosen(words, count, frequencies, random) for count in (4, 3, 2)]
            if all(queries):
                question = f"Where is something said about {queries[0]}?"
                yield Task(KIND, ORGANIZATION, question, queries, [answer])
                break


def _verbatim(text: str) -> Iterator[str]:
    """Yield the sentences of a text that have no markup inside."""
    folded = " ".join(text.split())
    return (sentence for sentence in sentences(text) if sentence in folded)
