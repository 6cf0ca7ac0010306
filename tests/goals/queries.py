"""Random queries, each with a naive matcher: a function of lists of words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from lycosa.content import Content, Table, Tables
from lycosa.core import Page

VOCABULARY = ("a", "ab", "abc", "b", "bc", "c3", "and", "字")


class PageWords(NamedTuple):
    """The words of a page: of its title, its body and its URL."""

    title: Sequence[str] = ()
    body: Sequence[str] = ()
    url: Sequence[str] = ()

    def words(self, field: str) -> list[str]:
        return list({"title": self.title, "url": self.url}.get(field, [*self.title, *self.body]))


class QueryCase(NamedTuple):
    """A query, and a naive matcher of it."""

    text: str
    holds: Callable[[PageWords], bool]


def tables() -> Tables:
    return Tables(Table(), Table(), Table())


def page(made: Tables, sample: PageWords, **more: object) -> Page:
    """Return the page; words that the table lacks are added now, as in a live crawl."""
    tokens = np.array(made.words.numbers(sample.words("text")), np.int32)
    number = made.urls.number("http://a.edu/" + "/".join(sample.url))
    return Page(number, made, content=Content(tokens, len(sample.title)), **more)


@st.composite
def phrases(draw: st.DrawFn) -> QueryCase:
    field = draw(st.sampled_from(["", "text:", "title:", "url:"]))
    pattern = draw(
        st.lists(st.tuples(st.sampled_from(VOCABULARY), st.booleans()), min_size=1, max_size=3)
    )
    text = " ".join(word.upper() + "*" * star for word, star in pattern)
    quoted = f'"{text}"' if len(pattern) > 1 or text in ("AND", "OR", "NOT") else text

    def holds(sample: PageWords) -> bool:
        words = sample.words(field.rstrip(":") or "text")
        return any(
            all(
                at + k < len(words)
                and (words[at + k].startswith(word) if star else words[at + k] == word)
                for k, (word, star) in enumerate(pattern)
            )
            for at in range(len(words))
        )

    return QueryCase(field + quoted, holds)


def _joined(parts: list[QueryCase], operator: str, rule: Callable[..., bool]) -> QueryCase:
    text = operator.join(f"({part.text})" for part in parts)
    return QueryCase(text, lambda sample: rule(part.holds(sample) for part in parts))


def _larger(smaller: st.SearchStrategy[QueryCase]) -> st.SearchStrategy[QueryCase]:
    several = st.lists(smaller, min_size=2, max_size=3)
    return st.one_of(
        smaller.map(
            lambda part: QueryCase(f"NOT ({part.text})", lambda sample: not part.holds(sample))
        ),
        several.map(lambda parts: _joined(parts, " AND ", all)),
        several.map(lambda parts: _joined(parts, " ", all)),
        several.map(lambda parts: _joined(parts, " OR ", any)),
    )


QUERIES = st.recursive(phrases(), _larger, max_leaves=8)
_WORDS = st.lists(st.sampled_from([*VOCABULARY, "zoo"]), max_size=8)
PAGES = st.lists(st.builds(PageWords, _WORDS, _WORDS, _WORDS), min_size=1, max_size=6)
