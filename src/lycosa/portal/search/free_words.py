"""Free words of a query, which rank works, and its conditions, which works must meet.

Words without an operator are free: a work with more of them ranks higher, and
one is enough to be found. Quoted words and phrases, words with + or a star,
fields, and what AND, OR and NOT combine are conditions.

>>> from lycosa.portal.search.query_repair import parse_query
>>> query = split_query(parse_query('learning +robots "neural nets" -fly').tree)
>>> [str(word) for word in query.words], str(query.conditions)
(['learning'], 'robots AND "neural nets" AND NOT fly')
"""

from __future__ import annotations

from typing import NamedTuple

from lycosa.documents.language import FUNCTION_WORDS
from lycosa.goals.syntax import And, Not, Phrase, Tree

TEXT = "text"
"""The field of words without a field."""
QUESTION_WORDS = (
    "a i me my am he she him her us its how do does did when where why who whom whose there been "
    "being should would could may might must shall had also any some such than then these those "
    "into so no only them"
)
"""English words of questions that say nothing about a subject, beside the function words."""
STOP_WORDS = frozenset(f"{FUNCTION_WORDS['en']} {QUESTION_WORDS}".split())
"""Words that are ignored beside others."""


class SplitQuery(NamedTuple):
    """The free words of a query, and its conditions; None if there is none."""

    words: tuple[Phrase, ...]
    """Each one word, or a compound of several (p-norm)."""
    conditions: Tree | None

    @property
    def tree(self) -> Tree | None:
        """The query without its stop words."""
        parts = (*self.words, *([] if self.conditions is None else _parts(self.conditions)))
        return And(parts) if len(parts) > 1 else parts[0] if parts else None


def split_query(tree: Tree | None) -> SplitQuery:
    """Split the tree of a query; stop words remain only if there is nothing else."""
    parts = _parts(tree) if tree else []
    free = [part for part in parts if isinstance(part, Phrase) and is_free(part)]
    strict = [part for part in parts if not (isinstance(part, Phrase) and is_free(part))]
    telling = [word for word in free if not is_stop_word(word)]
    if telling or any(not isinstance(part, Not) for part in strict):
        free = telling
    conditions = And(tuple(strict)) if len(strict) > 1 else strict[0] if strict else None
    return SplitQuery(tuple(free), conditions)


def stop_words(tree: Tree | None) -> list[str]:
    """Return the stop words of a query, each once."""
    parts = _parts(tree) if tree else []
    return [*dict.fromkeys(str(part) for part in parts if is_stop_word(part))]


def loosen(tree: Tree | None) -> Tree | None:
    """Return a query whose quoted and required words are free; None if it has none of these.

    >>> from lycosa.portal.search.query_repair import parse_query
    >>> print(loosen(parse_query('+learning "neural nets" title:robots').tree))
    learning AND neural AND nets AND title:robots
    """
    parts: list[Tree] = []
    is_looser = False
    for part in _parts(tree) if tree else ():
        if isinstance(part, Phrase) and part.field == TEXT and not is_free(part):
            parts += [Phrase(TEXT, (word.removesuffix("*"),)) for word in part.words]
            is_looser = True
        else:
            parts.append(part)
    return And(tuple(parts)) if is_looser else None


def _parts(tree: Tree) -> list[Tree]:
    """Return what a conjunction joins; in prose, a parenthesis only adds words."""
    if not isinstance(tree, And):
        return [tree]
    return [part for group in tree.parts for part in _parts(group)]


def is_free(part: Phrase) -> bool:
    """Return whether a part ranks works without being required."""
    return (
        part.field == TEXT
        and not part.quoted
        and not part.required
        and not any(word.endswith("*") for word in part.words)
    )


def is_stop_word(part: Tree) -> bool:
    """Return whether a part is a word that is ignored beside others."""
    return (
        isinstance(part, Phrase)
        and is_free(part)
        and len(part.words) == 1
        and part.words[0] in STOP_WORDS
    )
