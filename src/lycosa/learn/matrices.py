"""Training links as a sparse feature matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.learn.examples import LinkBags, TrainingLinks


def feature_matrix(examples: TrainingLinks) -> sparse.csr_matrix:
    """Return a matrix with a row for each link and a column for each word of each channel.

    An entry is the count of the word, divided by the square root of the number of words in
    the channel, in the vocabulary or not: the scale that `LinearModel` with `root` applies.
    """
    return sparse.vstack([site_matrix(examples, links) for links in examples.sites], format="csr")


def site_matrix(examples: TrainingLinks, links: LinkBags) -> sparse.csr_matrix:
    """Return the rows of one site's links."""
    blocks = []
    channels = examples.neighbourhood.channels
    for k, (channel, vocabulary) in enumerate(zip(channels, examples.vocabularies, strict=True)):
        numbers = vocabulary.numbers(links.table(channel))
        total = sparse.csr_matrix((len(links), len(vocabulary)))
        lengths = np.zeros(len(links))
        for bag in links.bags[k]:
            offsets, tokens = bag.rows()
            columns = numbers[tokens]
            known = columns >= 0
            kept = np.concatenate(([0], np.cumsum(known)))[offsets]
            data = (np.ones(int(known.sum())), columns[known], kept)
            total = total + sparse.csr_matrix(data, shape=total.shape)
            lengths += bag.lengths
        scale = 1 / np.sqrt(np.maximum(lengths, 1.0))
        blocks.append(sparse.diags(scale) @ total)
    return sparse.hstack(blocks, format="csr")


def split_channels(
    examples: TrainingLinks, columns: NDArray[np.float64]
) -> tuple[NDArray[np.float64], ...]:
    """Split weights, a row for each column of the matrix, into channels."""
    sizes = [len(vocabulary) for vocabulary in examples.vocabularies]
    return tuple(np.split(columns, np.cumsum(sizes)[:-1]))
