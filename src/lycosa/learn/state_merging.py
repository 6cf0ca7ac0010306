"""Learning the states of a hidden Markov model by merging (Seymore, McCallum & Rosenfeld 1999).

Training sequences are known by the labels of their words. In the maximally
specific model every word has a state of its own. Merging two states with the
same label makes a model that allows more sequences than it was shown:

* **neighbour merging**: states with the same label that follow each other;
* **V-merging**: states with the same label that come from one state (forward)
  or lead to one state (backward), until there are none;
* **manual merging**: merges that a person wrote down;
* **Bayesian merging** (Stolcke & Omohundro 1994): the merge that makes the
  model most probable, given the training sequences, until none does.

A `Structure` is a model's states and the path each training sequence takes
through them; counts are never lost, because they are the paths.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from lycosa.errors import UsageError


@dataclass(frozen=True, slots=True)
class Structure:
    """The label of each state, and for each training sequence a state for each of its words.

    >>> structure = one_state_per_class([["title", "title", "author"], ["title", "author"]])
    >>> structure.labels, structure.paths
    (('author', 'title'), ((1, 1, 0), (1, 0)))
    >>> structure.states, structure.transitions    # with a state to begin and one to end
    (4, 4)
    """

    labels: tuple[str, ...]
    paths: tuple[tuple[int, ...], ...]

    @property
    def states(self) -> int:
        """How many states there are, the first and the last included."""
        return len(self.labels) + 2

    @property
    def transitions(self) -> int:
        """How many pairs of states ever follow each other."""
        begin, end = -1, len(self.labels)
        return len(
            {pair for path in self.paths for pair in zip((begin, *path), (*path, end), strict=True)}
        )


def one_state_per_class(sequences: Iterable[Sequence[str]]) -> Structure:
    """The model that needs no learning: a state for each label."""
    known = [tuple(labels) for labels in sequences]
    labels = tuple(sorted({label for path in known for label in path}))
    number = {label: n for n, label in enumerate(labels)}
    return Structure(labels, tuple(tuple(number[label] for label in path) for path in known))


def maximally_specific(sequences: Iterable[Sequence[str]]) -> Structure:
    """The model that allows nothing new: a state for each word of each sequence."""
    labels: list[str] = []
    paths = []
    for sequence in sequences:
        paths.append(tuple(range(len(labels), len(labels) + len(sequence))))
        labels.extend(sequence)
    return Structure(tuple(labels), tuple(paths))


def merge_neighbours(structure: Structure) -> Structure:
    """All neighbours with one label as one state that may follow itself.

    >>> merge_neighbours(maximally_specific([["title", "title", "author"]])).paths
    ((0, 0, 1),)
    """
    partition = _Partition(structure)
    for path in structure.paths:
        for _, run in groupby(path, lambda state: structure.labels[state]):
            first, *rest = run
            for state in rest:
                partition.merge(first, state)
    return partition.structure()


def merge_v(structure: Structure) -> Structure:
    """Forward V-merging until no state has two followers of one label, then backward likewise.

    >>> three = [["title", "author"], ["title", "note", "author"], ["note", "author"]]
    >>> merged = merge_v(merge_neighbours(maximally_specific(three)))
    >>> merged.labels, merged.paths
    (('title', 'author', 'note'), ((0, 1), (0, 2, 1), (2, 1)))
    """
    partition = _Partition(structure)
    for forward in (True, False):
        while partition.merge_v(forward=forward):
            pass
    return partition.structure()


def merge_groups(structure: Structure, groups: Iterable[Iterable[int]]) -> Structure:
    """The states of each group as one."""
    partition = _Partition(structure)
    for first, *rest in groups:
        for state in rest:
            partition.merge(first, state)
    return partition.structure()


@dataclass(frozen=True, slots=True)
class Merge:
    """A merge by hand: all states of a label that stand so, and that no merge before took.

    `after` and `before` are the labels of the states just before and just after
    ("" is the beginning or the end); `past` has to come anywhere earlier. What
    is not said may be anything.
    """

    label: str
    after: Collection[str] | None = None
    before: Collection[str] | None = None
    past: str | None = None

    def takes(self, earlier: Sequence[str], label: str, following: str) -> bool:
        """Whether it takes a state with these labels before it and after it."""
        return (
            label == self.label
            and (self.after is None or (earlier[-1] if earlier else "") in self.after)
            and (self.before is None or following in self.before)
            and (self.past is None or self.past in earlier)
        )


def merge_manually(structure: Structure, merges: Sequence[Merge]) -> Structure:
    """Merge the states of a neighbour-merged model as the list says, the first that fits.

    The list has to end with something for every label: states that no merge
    takes are refused, because they would be known to one sequence only.

    >>> three = [["title", "author"], ["note", "title", "author", "note"]]
    >>> by_hand = [Merge("title"), Merge("author"), Merge("note", after={""}), Merge("note")]
    >>> merge_manually(merge_neighbours(maximally_specific(three)), by_hand).labels
    ('title', 'author', 'note', 'note')
    """
    partition = _Partition(structure)
    first: dict[int, int] = {}
    for path in structure.paths:
        states = [state for state, _ in groupby(path)]
        labels = [structure.labels[state] for state in states]
        for n, state in enumerate(states):
            following = labels[n + 1] if n + 1 < len(labels) else ""
            for k, merge in enumerate(merges):
                if merge.takes(labels[:n], labels[n], following):
                    partition.merge(first.setdefault(k, state), state)
                    break
            else:
                raise UsageError(f"No merge takes every {labels[n]!r}; add Merge({labels[n]!r}).")
    return partition.structure()


class _Partition:
    """Which states of a structure are one by now."""

    def __init__(self, structure: Structure) -> None:
        self._from = structure
        self._parent = list(range(len(structure.labels)))

    def find(self, state: int) -> int:
        parent = self._parent
        while parent[state] != state:
            parent[state] = parent[parent[state]]
            state = parent[state]
        return state

    def merge(self, one: int, other: int) -> bool:
        """Make two states one, known by the lower number; False if they were."""
        low, high = sorted((self.find(one), self.find(other)))
        self._parent[high] = low
        return low != high

    def merge_v(self, *, forward: bool) -> bool:
        """Merge all states that share a leader (or a follower) now; False if there were none."""
        labels = self._from.labels
        reached: dict[tuple[int, str], int] = {}
        changed = False
        pairs = sorted(self._pairs()) if forward else sorted((b, a) for a, b in self._pairs())
        for common, state in pairs:
            if 0 <= state < len(labels):
                first = reached.setdefault((common, labels[state]), state)
                changed |= self.merge(first, state)
        return changed

    def _pairs(self) -> set[tuple[int, int]]:
        end = len(self._from.labels)
        pairs: set[tuple[int, int]] = set()
        for path in self._from.paths:
            found = [self.find(state) for state in path]
            pairs.update(zip((-1, *found), (*found, end), strict=True))
        return pairs

    def structure(self) -> Structure:
        number: dict[int, int] = defaultdict(lambda: len(number))
        paths = tuple(
            tuple(number[self.find(state)] for state in path) for path in self._from.paths
        )
        return Structure(tuple(self._from.labels[state] for state in number), paths)
