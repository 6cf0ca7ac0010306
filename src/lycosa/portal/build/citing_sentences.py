"""Citing sentences: what other works say where they cite a work, as one searchable text.

They often describe a work in words that it does not have itself (Bradshaw,
"Reference directed indexing", 2003). The reader of papers keeps the text around
every citation (`lycosa.papers.extraction.contexts`); the text of a work joins those
of all documents that cite it. It depends on which documents there are, and not
on the order in which they were read.

>>> join_contexts(["as Lee [1] shows in the wi", "as Lee [1] shows in the wi"])
'Lee [1] shows in the'
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator

from lycosa.portal.build.database import Database

MAX_CHARACTERS = 4000
"""Of the sentences of a work; those that do not fit are left out."""
MIN_CHARACTERS = 100
"""With less room than this, no more sentences are read."""
MAX_PER_REFERENCE = 3
"""Sentences of one document, so that one does not speak for all."""

QUERY = """
SELECT cited.work, references_.contexts FROM cited
JOIN references_ ON references_.document = cited.document AND references_.number = cited.number
JOIN copies ON copies.document = cited.document
WHERE references_.contexts != '[]' AND copies.work != cited.work
ORDER BY cited.work, cited.document, cited.number
"""
"""The contexts of each work that is cited, by work; a work does not cite itself."""

_QUERY_OF_ONE = """
SELECT references_.contexts FROM cited
CROSS JOIN references_
  ON references_.document = cited.document AND references_.number = cited.number
CROSS JOIN copies ON copies.document = cited.document
WHERE cited.work = ? AND references_.contexts != '[]' AND copies.work != cited.work
ORDER BY cited.document, cited.number
"""

_log = logging.getLogger("lycosa.portal")


class CitingSentences:
    """Reads the citing sentences of all works, which are asked for in the order of their ids."""

    def __init__(self, database: Database) -> None:
        self._rows = database.rows(QUERY)
        self._next = next(self._rows, None)

    def of(self, work: str) -> str:
        """Return the sentences that cite a work; skips works before it."""
        return join_contexts(self._contexts(work))

    def _contexts(self, work: str) -> Iterator[str]:
        while self._next is not None and self._next[0] <= work:
            if self._next[0] == work:
                yield from _parse(self._next[1])[:MAX_PER_REFERENCE]
            self._next = next(self._rows, None)


class CitingSentencesOfSome:
    """Reads the citing sentences of some works.

    Of a work that is cited thousands of times, only as many as its text has room for.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, work: str) -> str:
        """Return the sentences that cite a work."""
        return join_contexts(
            context
            for (contexts,) in self._database.rows(_QUERY_OF_ONE, work)
            for context in _parse(contexts)[:MAX_PER_REFERENCE]
        )


def join_contexts(contexts: Iterable[str]) -> str:
    """Return contexts as one text, each once and without the words that were cut at its ends."""
    found: dict[str, None] = {}
    room = MAX_CHARACTERS
    for context in contexts:
        if room < MIN_CHARACTERS:
            break
        words = " ".join(context.split()[1:-1])
        if words and words not in found and len(words) < room:
            found[words] = None
            room -= len(words) + 1
    return "\n".join(found)


def _parse(contexts: str) -> list[str]:
    try:
        found = json.loads(contexts)
    except ValueError:
        _log.debug("contexts are not JSON", exc_info=True)
        return []
    return [text for text in found if isinstance(text, str)] if isinstance(found, list) else []
