"""Structure learning of HMMs by state merging (Seymore, McCallum & Rosenfeld 1999).

A training sequence is the labels of its words. The maximally specific model has a state for
every word. Merging two states with the same label gives a model that allows more sequences
than the training set has:

* **neighbour merging**: states with the same label that follow each other;
* **V-merging**: states with the same label that come from one state (forward)
  or lead to one state (backward), until there are none;
* **manual merging**: a list of merges written by a person;
* **Bayesian merging** (Stolcke & Omohundro 1994, `bayesian_merging`): the merge
  that makes the model most probable, given the training sequences, until none does.

A `Structure` holds the states of a model and the path of each training sequence through them;
transition counts follow from the paths.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from lycosa.errors import UsageError


@dataclass(frozen=True, slots=True)
class Structure:
    """The states of a hidden Markov model, and the paths of its training sequences.

    `labels` has the label of each state; `paths` has for each training sequence the states
    of its words.

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
        """Number of states, the start and the end included."""
        return len(self.labels) + 2

    @property
    def transitions(self) -> int:
        """Number of pairs of states that follow each other in a path."""
        begin, end = -1, len(self.labels)
        return len(
            {pair for path in self.paths for pair in zip((begin, *path), (*path, end), strict=True)}
        )


def one_state_per_class(sequences: Iterable[Sequence[str]]) -> Structure:
    """Return the model with one state for each label."""
    known = [tuple(labels) for labels in sequences]
    labels = tuple(sorted({label for path in known for label in path}))
    number = {label: n for n, label in enumerate(labels)}
    return Structure(labels, tuple(tuple(number[label] for label in path) for path in known))


def maximally_specific(sequences: Iterable[Sequence[str]]) -> Structure:
    """Return the model with one state for each word of each sequence."""
    labels: list[str] = []
    paths = []
    for sequence in sequences:
        paths.append(tuple(range(len(labels), len(labels) + len(sequence))))
        labels.extend(sequence)
    return Structure(tuple(labels), tuple(paths))


def merge_neighbours(structure: Structure) -> Structure:
    """Merge adjacent states with the same label into one that may follow itself.

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
    """Merge forward until no state has two followers of one label, then backward likewise.

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
    """Merge the states of each group into one."""
    partition = _Partition(structure)
    for first, *rest in groups:
        for state in rest:
            partition.merge(first, state)
    return partition.structure()


@dataclass(frozen=True, slots=True)
class Merge:
    """A manual merge: all states of a label in a context that no earlier merge takes.

    The state before must have a label in `after`, the state after it one in `before` ("" is
    the start or the end), and `past` must occur anywhere earlier; None allows any.
    """

    label: str
    after: Collection[str] | None = None
    before: Collection[str] | None = None
    past: str | None = None

    def takes(self, earlier: Sequence[str], label: str, following: str) -> bool:
        """Return whether the merge takes a state with these labels before and after it."""
        return (
            label == self.label
            and (self.after is None or (earlier[-1] if earlier else "") in self.after)
            and (self.before is None or following in self.before)
            and (self.past is None or self.past in earlier)
        )


def merge_manually(structure: Structure, merges: Sequence[Merge]) -> Structure:
    """Merge the states of a neighbour-merged model; the first merge of the list that fits counts.

    The list must end with a merge for every label: a state that no merge takes raises
    `UsageError`, because only one sequence would use it.

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
    """Union-find over the states of a structure."""

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
        """Merge two states under the lower number; return False if they were merged before."""
        low, high = sorted((self.find(one), self.find(other)))
        self._parent[high] = low
        return low != high

    def merge_v(self, *, forward: bool) -> bool:
        """Merge all states that share a predecessor (or follower); return whether any did."""
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
