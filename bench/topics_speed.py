"""Time and memory of a fit to many documents; prints JSON for `bench.topics`."""

from __future__ import annotations

import json
import resource
import time

import numpy as np
from scipy import sparse

from lycosa.content import Table
from lycosa.topics.classifier import Classifier
from lycosa.topics.corpus import Corpus
from lycosa.topics.hierarchy import Hierarchy, Topic

DOCUMENTS, LENGTH, WORDS, ROUNDS = 100_000, 100, 30_000, 20
FIRST, SECOND = 10, 7
OWN = 20
"""Words of each topic; the first three of a leaf are its keywords."""


def tree() -> Hierarchy:
    """Return a tree of ten topics with seven leaves each."""
    topics = [Topic("")]
    for first in range(FIRST):
        topics.append(Topic(f"t{first}", parent=0, depth=1))
        above = len(topics) - 1
        for second in range(SECOND):
            own = OWN * (FIRST + first * SECOND + second)
            words = tuple(f"w{own + k}q" for k in range(3))
            topics.append(Topic(f"l{second}", words, parent=above, depth=2))
    return Hierarchy(topics)


def documents(count: int, length: int, seed: int = 0) -> tuple[Corpus, np.ndarray]:
    """Return documents with words of the leaf, of its parent, and of a common long tail."""
    chance = np.random.default_rng(seed)
    leaf = chance.integers(0, FIRST * SECOND, count)
    tail = 1 / np.arange(1, WORDS + 1)
    tokens = chance.choice(WORDS, (count, length), p=tail / tail.sum()).astype(np.int32)
    own = chance.integers(0, OWN, (count, length))
    kind = chance.random((count, length))
    at_leaf = OWN * (FIRST + leaf[:, None]) + own
    above = OWN * (leaf[:, None] // SECOND) + own
    tokens = np.where(kind < 0.05, at_leaf, np.where(kind < 0.15, above, tokens))
    names = [str(n) for n in range(count)]
    corpus = Corpus(
        names=names,
        titles=names,
        words=Table(f"w{n}q" for n in range(WORDS)),
        tokens=tokens.ravel().astype(np.int32),
        offsets=np.arange(0, count * length + 1, length),
        citations=sparse.csr_matrix((count, count), dtype=np.float32),
    )
    return corpus, leaf


def main() -> None:
    """Measure and print."""
    hierarchy = tree()
    corpus, leaf = documents(DOCUMENTS, LENGTH)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    began, busy = time.perf_counter(), time.process_time()
    model = Classifier(rounds=ROUNDS, calibrated=False, still=0.0).fit(hierarchy, corpus)
    seconds, busy = time.perf_counter() - began, time.process_time() - busy
    right = (model.documents.leaves() == hierarchy.leaves[leaf]).mean()
    facts = {
        "documents": DOCUMENTS,
        "words": LENGTH,
        "leaves": len(hierarchy.leaves),
        "rounds": len(model.history) - 1,
        "seconds": seconds,
        "processor": busy,
        "corpus": before,
        "right": float(right),
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
