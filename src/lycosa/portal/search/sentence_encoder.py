"""Sentence encoder: the vectors of queries and works by MiniLM, with what was computed kept.

Encoding a work takes a tenth of a second or so, hours for hundreds of
thousands of them. Vectors of works are therefore computed by several processes
and kept in a file as soon as they are known (`encodings`), so that a build which
is killed continues where it was, and only works whose text has changed are
encoded again. A query takes a few milliseconds; recent ones are cached.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from xxhash import xxh3_64_intdigest

from lycosa.portal.search.encodings import Encodings
from lycosa.portal.search.minilm import MiniLM, find_folder
from lycosa.portal.search.vectors import Array, Rows, pack
from lycosa.portal.search.wordpiece import MAX_TOKENS
from lycosa.processes import in_batches, map_parallel, single_threaded_blas

MODEL: Final = "all-MiniLM-L6-v2"
DIMENSIONS: Final = 384
LANGUAGES: Final = frozenset({"", "en"})
"""Languages of works that the model reads; unknown counts as English, as in the analysis."""
MAX_TEXT_CHARACTERS: Final = 3_000
"""Of the text of a work; the tokens that the model reads take half of that."""
TEXTS_PER_TASK: Final = 128
"""Texts that a process encodes at once; their vectors are then on disk."""
MIN_PARALLEL_TEXTS: Final = 4 * TEXTS_PER_TASK
"""Fewer are not worth the start of other processes."""
MAX_CACHED_QUERIES: Final = 10_000

EncodeTexts = Callable[[Sequence[str]], Rows]


def is_installed() -> bool:
    """Whether the extra with the model is installed."""
    return find_folder() is not None


@lru_cache(maxsize=1)
def load_model() -> MiniLM:
    """Return the model, loaded once in a process; raise StoreError if it is not installed."""
    return MiniLM.installed()


def encode_texts(texts: Sequence[str]) -> Rows:
    """Return the vectors of texts, a byte for each component."""
    with single_threaded_blas():
        return pack(load_model().encode(texts))


def text_of_work(language: str, *parts: str) -> str:
    """Return the text that gives a work its vector; empty if the model does not read its language.

    A part that the next one begins with, as the text of a paper begins with its title,
    is not repeated: the model reads only so many words.

    >>> text_of_work("en", "Spiders that learn", "", "They learn.")
    'Spiders that learn. They learn.'
    >>> text_of_work("en", "Spiders that learn", "Spiders that Learn (1997)")
    'Spiders that Learn (1997)'
    >>> text_of_work("de", "Lernende Spinnen")
    ''
    """
    if language not in LANGUAGES:
        return ""
    beginnings = [" ".join(part[:MAX_TEXT_CHARACTERS].split()) for part in parts]
    found = ""
    for part in filter(None, beginnings):
        repeated = found and part.lower().startswith(found.lower())
        found = part if repeated or not found else f"{found}. {part}"
    return found[:MAX_TEXT_CHARACTERS]


class WorkEncoder:
    """Encodes the works of a portal; their vectors are kept in a file.

    Parameters
    ----------
    path
        The file of the vectors.
    jobs
        Processes to use.
    begin, advance
        Called with the number of texts to encode, and then with that of those just encoded.
    encode
        Returns the vectors of texts; a function of a module, because it is pickled.
    """

    def __init__(
        self,
        path: Path,
        jobs: int = 1,
        begin: Callable[[int], None] = lambda _: None,
        advance: Callable[[int], None] = lambda _: None,
        encode: EncodeTexts = encode_texts,
    ) -> None:
        self._path = path
        self._jobs = jobs
        self._begin = begin
        self._advance = advance
        self._encode = encode

    @cached_property
    def _kept(self) -> Encodings:
        return Encodings(self._path, f"{MODEL} {MAX_TOKENS}", DIMENSIONS)

    def encode(self, texts: Mapping[int, str]) -> Rows:
        """Return the vector of each work, given its text by its number; zeros for an empty text."""
        hashes = {
            number: xxh3_64_intdigest(text.encode("utf-8", "replace"))
            for number, text in texts.items()
            if text
        }
        missing = self._kept.outdated(hashes)
        self._begin(len(missing))
        tasks = list(in_batches(missing, TEXTS_PER_TASK))
        jobs = self._jobs if len(missing) >= MIN_PARALLEL_TEXTS else 1
        encoded = map_parallel(
            self._encode,
            ([texts[number] for number in task] for task in tasks),
            jobs,
            ahead=2,
            activity="encoding works",
        )
        for task, rows in zip(tasks, encoded, strict=True):
            self._kept.append(task, [hashes[number] for number in task], rows)
            self._advance(len(task))
        found = np.zeros((len(texts), DIMENSIONS), np.int8)
        read = [number in hashes for number in texts]
        found[read] = self._kept.rows([*hashes])
        return found

    def forget_others(self, numbers: Collection[int], *, every: bool = False) -> None:
        """Remove the vectors of other works from the file, if they are many, or `every` one."""
        self._kept.compact(numbers, always=every)


@lru_cache(maxsize=MAX_CACHED_QUERIES)
def encode_query(text: str) -> Array:
    """Return the unit vector of a query; recent ones are cached."""
    with single_threaded_blas():
        found: Array = load_model().encode([text])[0]
    found.flags.writeable = False  # it is shared
    return found
