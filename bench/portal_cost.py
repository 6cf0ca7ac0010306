"""The estimated cost of queries and the time that they take, on the index of a portal.

`python -m bench.portal_cost INDEX` prints, for queries of growing size of each
kind, how well both agree, and the most that a query takes after it was narrowed.
`bench.portal_attack` writes the result to docs/benchmarks.md.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import numpy as np

from bench import page
from lycosa.portal.search import Engine
from lycosa.portal.search.cost import MAX_COST, narrow
from lycosa.portal.search.query_repair import parse_query
from lycosa.portal.search.vocabulary import Vocabulary
from lycosa.portal.web.search_request import PAGE_SIZE

QUERIES = 30
"""Queries of each kind."""
SEED = 13


class Queries:
    """Expensive queries of several kinds; each takes the number of its parts.

    `words` are the words of the index, the most frequent first.
    """

    def __init__(self, words: Sequence[str], seed: int = SEED) -> None:
        self._words = words
        self._chance = Random(seed)
        some = words[:20_000]
        self._prefixes = sorted({word[:size] for word in some for size in (1, 2)})

    def starred(self, count: int) -> list[str]:
        """Return words of one or two letters with a star."""
        return [f"{prefix}*" for prefix in self._chance.choices(self._prefixes, k=count)]

    def frequent(self, count: int, most: int = 200) -> list[str]:
        """Return frequent words."""
        return self._chance.choices(self._words[:most], k=count)

    def stars(self, count: int) -> str:
        """Return words with a star."""
        return " ".join(self.starred(count))

    def alternatives(self, count: int) -> str:
        """Return frequent words joined by OR."""
        return " OR ".join(self.frequent(count))

    def question(self, count: int) -> str:
        """Return frequent words."""
        return " ".join(self.frequent(count))

    def phrases(self, count: int) -> str:
        """Return phrases of two frequent words joined by OR."""
        pairs = zip(self.frequent(count), self.frequent(count), strict=True)
        return " OR ".join(f'"{one} {other}"' for one, other in pairs)

    def starred_phrases(self, count: int) -> str:
        """Return phrases of a frequent word and one with a star, joined by OR."""
        pairs = zip(self.frequent(count), self.starred(count), strict=True)
        return " OR ".join(f'"{one} {other}"' for one, other in pairs)

    def fields(self, count: int) -> str:
        """Return words with a star in other fields, joined by OR."""
        names = self._chance.choices(["author", "cites", "venue", "site"], k=count)
        pairs = zip(names, self.starred(count), strict=True)
        return " OR ".join(f"{name}:{star}" for name, star in pairs)

    def kinds(self) -> Mapping[str, tuple[Callable[[int], str], int]]:
        """Return the maker of each kind, and the most parts that such a query can have."""
        return {
            "words with a star": (self.stars, 26),
            "frequent words with OR": (self.alternatives, 60),
            "frequent words": (self.question, 12),
            "phrases": (self.phrases, 20),
            "phrases with a star": (self.starred_phrases, 10),
            "fields with a star": (self.fields, 9),
        }


def frequent_words(index: Path) -> list[str]:
    """Return the words of an index, the most frequent first."""
    words = Vocabulary.load(index)
    found: list[str] = words.words[np.argsort(-words.counts, kind="stable")].tolist()
    return found


def measure(index: Path) -> Iterator[tuple[str, float, float, bool]]:
    """Yield kind, cost, CPU milliseconds of each query, and whether it was narrowed."""
    engine = Engine.open(index)
    costs = engine.costs
    queries = Queries(frequent_words(index))
    chance = Random(SEED)
    engine.search("")
    for _ in range(QUERIES):
        for kind, (make, most) in queries.kinds().items():
            text = make(chance.randint(1, most))
            tree = parse_query(text).tree
            narrowed = narrow(tree, costs, MAX_COST)
            # As a second reader finds it: the words of stars are known by then.
            began = time.thread_time()
            engine.search(text, size=PAGE_SIZE)
            milliseconds = 1000 * (time.thread_time() - began)
            cost = costs.of(narrowed.tree, narrowed.expansions)
            yield kind, cost, milliseconds, cost < costs.of(tree)


def ranks(values: Sequence[float]) -> Sequence[int]:
    """Return the rank of each value."""
    found: list[int] = np.argsort(np.argsort(values)).tolist()
    return found


def body(index: Path) -> Iterator[str]:
    """Yield the parts of the page."""
    found = list(measure(index))
    costs = [cost for _, cost, _, _ in found]
    times = [milliseconds for _, _, milliseconds, _ in found]
    linear = np.corrcoef(costs, times)[0, 1]
    by_rank = np.corrcoef(ranks(costs), ranks(times))[0, 1]
    yield (
        f"The estimated cost of {len(found)} queries, of one part up to the most that a query "
        f"can have, and the CPU time of the whole search with facets and snippets: correlation "
        f"{linear:.2f}, of ranks {by_rank:.2f}. Queries that would cost more than "
        f"{MAX_COST / 1e6:g} million postings are narrowed."
    )
    head = ("parts", "queries", "narrowed", "p50 ms", "maximum ms", "ns per posting")
    rows = []
    for kind in dict.fromkeys(kind for kind, *_ in found):
        own = [each for each in found if each[0] == kind]
        spent = [milliseconds for _, _, milliseconds, _ in own]
        rate = 1e6 * sum(spent) / sum(cost for _, cost, _, _ in own)
        figures = (f"{np.median(spent):.0f}", f"{max(spent):.0f}", f"{rate:.0f}")
        rows.append((kind, str(len(own)), str(sum(each[3] for each in own)), *figures))
    yield page.table(head, rows)


if __name__ == "__main__":
    print("\n\n".join(body(Path(sys.argv[1]))))
