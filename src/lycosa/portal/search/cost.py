"""The cost of a query, estimated before it runs, and a limit on it.

tantivy cannot be interrupted, so a query that would take too long is narrowed
before: each star expands to fewer words, and the most expensive parts are left
out. A notice says so. The unit of cost is the time to read one entry of the
posting list of a word, about 13 ns with all that a search does. A star costs the
sum of the document frequencies of the words that it expands to. A phrase costs
the intersection of its words, and reading their positions in the works that
have all of them.

All parts are added up as if each were read completely. That is so for stars and
alternatives; an intersection skips most entries of its larger lists, so that the
cost of several required words is overestimated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from tantivy import Searcher

from lycosa.goals.syntax import And, Not, Or, Phrase, Tree
from lycosa.portal.message import Message
from lycosa.portal.search.analysis import Analysis
from lycosa.portal.search.expansion import MAX_EXPANSIONS, MAX_PHRASE_EXPANSIONS, Expansions
from lycosa.portal.search.layout import searched_field
from lycosa.portal.search.notices import list_parts

MAX_COST: Final = 7_500_000
"""The cost of the most expensive search, about 100 ms of a core."""
LOOKUP_COST: Final = 1_500
"""The cost of finding the posting list of a word, and of starting to read it."""
STEM_COST: Final = 3
"""The cost of an entry of a word in any form, which is scored in several fields."""
POSITION_COST: Final = 11
"""The cost of reading the positions of a word in one work."""
SEEK_COST: Final = 8
"""The cost of skipping entries of a posting list, up to the next work of another list."""
RANGE_COST: Final = 0.2
"""The cost of comparing the year of one work."""


class Narrowed(NamedTuple):
    """A query whose cost is limited."""

    tree: Tree | None
    expansions: int
    """Words that each star expands to at most."""
    notice: str
    """A sentence about the parts that were left out; empty if there are none."""


class CostModel:
    """Estimates the cost of queries on one snapshot of an index.

    The searcher and the expansions belong to that snapshot, the analysis is the one that the
    index was written with, and `languages` are those of its works.
    """

    def __init__(
        self,
        searcher: Searcher,
        analysis: Analysis,
        expansions: Expansions,
        languages: Sequence[str],
    ) -> None:
        self._searcher = searcher
        self._analysis = analysis
        self._expansions = expansions
        self._languages = languages
        self._works = max(searcher.num_docs, 1)

    def of(self, tree: Tree | None, expansions: int = MAX_EXPANSIONS, searches: int = 1) -> float:
        """Return the cost of a query.

        Its stars expand to at most so many words each, and it is searched so many
        times, always for other facets.
        """
        leaves = tree.phrases() if tree else ()
        return sum(self.of_leaf(leaf, expansions, searches) for leaf, _ in leaves)

    def of_leaf(self, leaf: Phrase, expansions: int = MAX_EXPANSIONS, searches: int = 1) -> float:
        """Return the cost of a word or a phrase."""
        if len(leaf.words) > 1 or leaf.words[0].endswith("*"):
            return searches * self._once(leaf, expansions)
        # Facets are counted on a sample, to which the posting list of a word skips.
        return self._once(leaf, expansions)

    def _once(self, leaf: Phrase, expansions: int) -> float:
        if leaf.field == "year":
            return RANGE_COST * self._works
        field = {"text": "any", "title": "title"}.get(leaf.field) or searched_field(leaf.field)
        if len(leaf.words) > 1:
            return self._phrase(field, leaf, expansions)
        (word,) = leaf.words
        term = self._analysis.term(word.removesuffix("*"))
        if word.endswith("*"):
            found = self._expansions.of(field, term).first(expansions)
            return int(found.frequencies.sum()) + LOOKUP_COST * max(len(found.words), 1)
        cost = self._frequency(field, term)
        if leaf.field == "text" and not leaf.quoted:
            forms = self._analysis.forms(word, self._languages)
            cost += STEM_COST * sum(self._frequency("any_stems", form) for form in forms)
        return cost + LOOKUP_COST

    def _phrase(self, field: str, leaf: Phrase, expansions: int) -> float:
        """Return the cost of a phrase: of each that its stars expand to."""
        cost = 0.0
        expansions = min(expansions, MAX_PHRASE_EXPANSIONS)
        rows: list[tuple[int, ...]] = [()]
        for word in leaf.words:
            term = self._analysis.term(word.removesuffix("*"))
            if word.endswith("*"):
                limit = max(expansions // len(rows), 1)
                found = self._expansions.of(field, term).frequencies[:limit].tolist() or [0]
            else:
                found = [self._frequency(field, term)]
            rows = [(*row, frequency) for row in rows for frequency in found]
        for row in rows:
            least = min(row)
            common = float(least)
            for frequency in sorted(row)[1:]:
                common *= frequency / self._works
            cost += sum(min(frequency, SEEK_COST * least) for frequency in row)
            cost += len(row) * (POSITION_COST * common + LOOKUP_COST)
        return cost

    def _frequency(self, field: str, term: str) -> int:
        return self._searcher.doc_freq(field, term)


def narrow(tree: Tree | None, costs: CostModel, limit: float, *, searches: int = 1) -> Narrowed:
    """Return a query that costs at most `limit` in so many searches; the same one if it does.

    First its stars expand to fewer words, all to the same number. If one word
    for each is still too expensive, the most expensive parts are left out: these
    are the frequent words, which tell least about what is wanted.
    """
    if tree is None or costs.of(tree, MAX_EXPANSIONS, searches) <= limit:
        return Narrowed(tree, MAX_EXPANSIONS, "")
    tree = _keep(tree, lambda _leaf, _wanted: True) or tree
    low, high = 1, MAX_EXPANSIONS
    while low < high:
        middle = (low + high + 1) // 2
        fits = costs.of(tree, middle, searches) <= limit
        low, high = (middle, high) if fits else (low, middle - 1)
    if costs.of(tree, low, searches) <= limit:
        return Narrowed(tree, low, "")
    return _drop(tree, costs, low, searches, limit)


def _drop(tree: Tree, costs: CostModel, expansions: int, searches: int, limit: float) -> Narrowed:
    """Leave out the most expensive leaves of a query; one that is wanted always stays."""
    leaves = Counter(tree.phrases())
    price = {
        each: times * costs.of_leaf(each[0], expansions, searches) for each, times in leaves.items()
    }
    cheapest = sorted(leaves, key=lambda each: price[each])
    first = next((each for each in cheapest if each[1]), cheapest[0])
    kept = {first}
    left = limit - price[first]
    # Excluded words come first: without them there would be wrong results.
    for each in sorted(cheapest, key=lambda each: each[1]):
        if each != first and price[each] <= left:
            kept.add(each)
            left -= price[each]
    narrowed = _keep(tree, lambda leaf, wanted: (leaf, wanted) in kept)
    dropped = [str(leaf) for leaf, wanted in leaves if (leaf, wanted) not in kept]
    if not dropped:
        return Narrowed(narrowed, expansions, "")
    notice = Message(
        "The query would take too long, so %(words)s was not searched.",
        "The query would take too long, so %(words)s were not searched.",
        words=list_parts(dropped),
        count=len(dropped),
    )
    return Narrowed(narrowed, expansions, notice)


def _keep(tree: Tree, kept: Callable[[Phrase, bool], bool], wanted: bool = True) -> Tree | None:
    """Return a query without the leaves that are not kept, and without repeated parts."""
    match tree:
        case Phrase():
            return tree if kept(tree, wanted) else None
        case Not():
            part = _keep(tree.part, kept, not wanted)
            return Not(part) if part else None
    parts = [_keep(part, kept, wanted) for part in tree.parts]
    left = tuple(dict.fromkeys(part for part in parts if part))
    if len(left) < 2:
        return left[0] if left else None
    return And(left) if isinstance(tree, And) else Or(left)
