"""BM25 over texts in memory, as a measure of what a search finds."""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping
from heapq import nlargest
from math import log
from statistics import mean

K1, B = 1.2, 0.75
TOKEN = re.compile(r"\w+")


def tokens(text: str) -> list[str]:
    return TOKEN.findall(text.lower())


class BM25:
    """An index of texts by id."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.ids = list(texts)
        # Of each word the texts that have it, each with how often. 100,000 documents take 0.5 GB.
        self.postings: dict[str, array[int]] = defaultdict(lambda: array("I"))
        lengths = []
        for number, text in enumerate(texts.values()):
            words = tokens(text)
            lengths.append(len(words))
            for word, count in Counter(words).items():
                self.postings[word].extend((number, count))
        average = mean(lengths)
        self.norms = [K1 * (1 - B + B * length / average) for length in lengths]

    def search(self, q: str, limit: int) -> list[str]:
        """Return the ids of the best texts, the best first."""
        scores: dict[int, float] = defaultdict(float)
        for word in tokens(q):
            found = self.postings.get(word, array("I"))
            text_count = len(found) // 2
            weight = log(1 + (len(self.ids) - text_count + 0.5) / (text_count + 0.5))
            for number, count in zip(found[::2], found[1::2], strict=True):
                scores[number] += weight * count / (count + self.norms[number])
        best = nlargest(limit, scores.items(), key=lambda pair: (pair[1], -pair[0]))
        return [self.ids[number] for number, _ in best]
