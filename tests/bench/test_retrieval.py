"""bench.retrieval asks for words of records that it can find again."""

from itertools import pairwise

from bench.bm25 import BM25
from bench.retrieval import Text, normal, queries

SENTENCES = {
    "tides": "The harbor master writes the tide table every morning before the first ferry leaves.",
    "lamps": "Nobody may extinguish a signal lamp without the written consent of its keeper.",
}
TEXTS = {
    id_: Text(id_.title(), f"# Top\n\n## Rules about {id_} of the coast\n\n{sentence}\n")
    for id_, sentence in SENTENCES.items()
}


def test_queries_have_words_of_one_sentence_and_its_proof() -> None:
    asked = [*queries(TEXTS, seed=1, count=3)]
    assert {query.kind for query in asked} == {
        "2 words",
        "3 words",
        "4 words",
        "6 words",
        "question",
    }
    for query in asked:
        (id_,) = (i for i, text in TEXTS.items() if query.proof[0] in normal(text.content))
        if query.kind != "question":
            words = normal(SENTENCES[id_]).split()
            places = [words.index(word) for word in query.q.split()]
            assert all(later - place > 1 for place, later in pairwise(places))
    assert asked == [*queries(TEXTS, seed=1, count=3)]


def test_bm25_prefers_rare_words() -> None:
    index = BM25({"a": "the ferry the ferry", "b": "the lamp", "c": "the ferry and the boat"})
    assert index.search("ferry lamp", 2) == ["b", "a"]
    assert index.search("quokka", 2) == []
