"""Made-up documents whose subjects are known: each subject has words of its own."""

import numpy as np

from lycosa.topics.corpus import Corpus

COMMON = [f"common{chr(97 + n)}" for n in range(12)]


def own_words(subject: int, size: int = 12) -> list[str]:
    """The words that only documents of a subject have."""
    return [f"{chr(97 + subject) * 3}{chr(97 + n)}o" for n in range(size)]


def documents(
    subjects: int = 6, each: int = 60, length: int = 8, seed: int = 0, ordered: bool = True
) -> tuple[Corpus, np.ndarray]:
    """Documents of half common words, half words of their subject, and the subjects."""
    chance = np.random.default_rng(seed)
    texts, truth = [], []
    for number in range(subjects * each):
        subject = number % subjects
        mine = chance.choice(own_words(subject), length // 2)
        rest = chance.choice(COMMON, length - length // 2)
        words = [*mine.tolist(), *rest.tolist()]
        chance.shuffle(words)
        texts.append(" ".join(words))
        truth.append(subject)
    return Corpus.of(texts, ordered=ordered), np.array(truth)
