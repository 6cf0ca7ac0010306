"""Synthetic documents with known subjects: each subject has unique words."""

import numpy as np

from lycosa.topics.corpus import Corpus

COMMON = [f"common{chr(97 + n)}" for n in range(12)]


def subject_words(subject: int, size: int = 12) -> list[str]:
    """Return the words that occur only in documents of a subject."""
    return [f"{chr(97 + subject) * 3}{chr(97 + n)}o" for n in range(size)]


def documents(
    subjects: int = 6, each: int = 60, length: int = 8, seed: int = 0, ordered: bool = True
) -> tuple[Corpus, np.ndarray]:
    """Return documents of half common words, half words of their subject, and the subjects."""
    rng = np.random.default_rng(seed)
    texts, truth = [], []
    for number in range(subjects * each):
        subject = number % subjects
        unique = rng.choice(subject_words(subject), length // 2)
        common = rng.choice(COMMON, length - length // 2)
        words = [*unique.tolist(), *common.tolist()]
        rng.shuffle(words)
        texts.append(" ".join(words))
        truth.append(subject)
    return Corpus.of(texts, ordered=ordered), np.array(truth)
