"""Logarithmic opinion pool of conditional random fields (Smith, Cohn & Osborne 2005).

The probability that a pool gives to a label sequence is the geometric mean of those of
its experts, normalised. Experts that err in different places correct each other. A pool
of linear-chain CRFs is itself one, whose weights are the means of theirs (section 3 of
the paper), so it labels as fast as a single expert.

The experts need not have the same labels: one that does not tell the first word of a
field from the others (`crf.mark_beginnings`) gives both the same score.

>>> from lycosa.papers.extraction.crf import mark_beginnings, train
>>> rows, labels = [["w=ann"], ["w=lee"], ["w=1999"]], ["author", "author", "date"]
>>> experts = [train([rows] * 3, [mark_beginnings(labels)] * 3), train([rows] * 3, [labels] * 3)]
>>> [prediction.label for prediction in pool(experts).tag(rows)]
['author', 'author', 'date']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lycosa.errors import UsageError
from lycosa.papers.extraction.crf import Crf, field_of
from lycosa.papers.extraction.crfsuite_file import Weights, read_weights, write_weights


def pool(experts: Sequence[Crf]) -> Crf:
    """Return the pool of CRFs of which each counts the same; it has the labels of the first.

    A label of the first must be one of each other expert, with or without its mark.
    """
    if not experts:
        raise UsageError("A pool needs at least one expert; give some.")
    read = [read_weights(expert.model) for expert in experts]
    labels = read[0].labels
    attributes = list(dict.fromkeys(name for one in read for name in one.attributes))
    positions = {name: n for n, name in enumerate(attributes)}
    states: dict[tuple[int, int], float] = {}
    transitions: dict[tuple[int, int], float] = {}
    for weights in read:
        targets = _targets(weights.labels, labels)
        for (attribute, label), weight in weights.states.items():
            position = positions[weights.attributes[attribute]]
            for target in targets[label]:
                pair = position, target
                states[pair] = states.get(pair, 0.0) + weight / len(read)
        for (before, label), weight in weights.transitions.items():
            for source in targets[before]:
                for target in targets[label]:
                    pair = source, target
                    transitions[pair] = transitions.get(pair, 0.0) + weight / len(read)
    return Crf(write_weights(Weights(labels, attributes, _sorted(states), _sorted(transitions))))


def _targets(own: Sequence[str], labels: Sequence[str]) -> list[list[int]]:
    """Return for each label of an expert the labels of the pool that it is the score of."""
    if set(own) == set(labels):
        return [[labels.index(label)] for label in own]
    targets = [[n for n, state in enumerate(labels) if field_of(state) == name] for name in own]
    if sum(map(len, targets)) != len(labels):
        raise UsageError("The experts of a pool have different labels; train them on the same.")
    return targets


def _sorted(weights: Mapping[tuple[int, int], float]) -> dict[tuple[int, int], float]:
    return {pair: weights[pair] for pair in sorted(weights)}
