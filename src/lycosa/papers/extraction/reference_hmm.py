"""Hidden Markov models for references.

Synthetic references (`papers.synthetic`) come with labels and can be used for
training alone or with hand-labelled ones.

>>> from lycosa.papers.synthetic import generate_references
>>> from lycosa.papers.extraction.tokens import tokenise
>>> labeller = train_reference_hmm(generate_references(300, seed=1))
>>> tags = labeller.tag(tokenise("J. Smith. On the learning of models. 1999."))
>>> [tag.label for tag in tags][1:5], tags[-1].label
(['author', 'title', 'title', 'title'], 'date')
"""

from __future__ import annotations

from collections.abc import Sequence

from lycosa.errors import UnknownName
from lycosa.papers.extraction.hmm_labeller import AUTOMATIC, HmmLabeller
from lycosa.papers.extraction.tagged import Token


def train_reference_hmm(
    references: Sequence[Sequence[Token]],
    structure: str = "one-state",
    reading: str = "printed",
    **metadata: str,
) -> HmmLabeller:
    """Train a labeller on labelled references; `metadata` is stored in its file."""
    if structure not in AUTOMATIC:
        raise UnknownName("structure", structure, AUTOMATIC)
    return HmmLabeller.trained("references", references, AUTOMATIC[structure], reading, **metadata)
