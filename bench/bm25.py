"""BM25 over texts in memory, as a measure of what a search finds."""

import re
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
        self.postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = []
        for number, text in enumerate(texts.values()):
            words = tokens(text)
            lengths.append(len(words))
            for word, count in Counter(words).items():
                self.postings[word].append((number, count))
        average = mean(lengths)
        self.norms = [K1 * (1 - B + B * length / average) for length in lengths]

    def search(self, q: str, limit: int) -> list[str]:
        """Return the ids of the best texts, the best first."""
        scores: dict[int, float] = defaultdict(float)
        for word in tokens(q):
            found = self.postings.get(word, ())
            weight = log(1 + (len(self.ids) - len(found) + 0.5) / (len(found) + 0.5))
            for number, count in found:
                scores[number] += weight * count / (count + self.norms[number])
        best = nlargest(limit, scores.items(), key=lambda pair: (pair[1], -pair[0]))
        return [self.ids[number] for number, _ in best]
