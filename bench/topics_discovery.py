"""Topic discovery on real titles: the proposed tree, and its cost.

There is no score here: whether a tree is good, a reader says. The labels of the
corpus are not read.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from bench import page
from lycosa.topics.corpus import Corpus
from lycosa.topics.discovery import discover

CORA = page.SHARED / "corpora" / "cora-hierarchy"


def body() -> Iterator[str]:
    """Write the parts of the page."""
    corpus = Corpus.read(CORA / "papers.tsv")
    start, work = time.perf_counter(), time.process_time()
    tree = discover(corpus).hierarchy
    seconds, processor = time.perf_counter() - start, time.process_time() - work
    yield (
        f"`lycosa topics suggest` on the titles of {len(corpus):,} papers (Cora, words in no "
        f"order): {len(tree.leaves)} topics, {seconds:.1f} s by the clock, {processor:.1f} s of "
        "the processor. The names that it found:"
    )
    rows = [
        (tree[top].name, ", ".join(tree[leaf].name for leaf in tree.children(top)) or "-")
        for top in tree.children(0)
    ]
    yield page.table(("topic", "below it"), rows)


if __name__ == "__main__":
    page.write("topics-discovery", "A proposed tree", "\n\n".join(body()), "bench-topics")
