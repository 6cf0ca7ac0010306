"""Small pages with headings and several anchors per link, for tests of features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from lycosa.content import Content, Table, Tables
from lycosa.core import Page
from small_pages import tables, texts

WORDS = "abcdefgh"
TEXTS = texts(WORDS, 7)
LONG = texts(WORDS, 12)
# A piece of a page: (heading level, 0 for none; which link, or None; the words).
PIECES = st.one_of(
    st.tuples(st.just(0), st.none(), TEXTS),
    st.tuples(st.integers(1, 3), st.none(), LONG),
    st.tuples(st.just(0), st.integers(0, 5), LONG),
)
Piece = tuple[int, int | None, str]


def page(
    shared: Tables, pieces: Sequence[Piece], urls: Sequence[str] = (), title: str = ""
) -> Page:
    """Return a page of pieces in reading order; `urls` has the words of each link's URL.

    Pieces with the same link, on one page or on several, link to the same URL.
    """
    words, names, paths = shared
    assert isinstance(words, Table)
    assert isinstance(names, Table)
    assert isinstance(paths, Table)
    tokens = words.numbers(title.split())
    title_size = len(tokens)
    heads: list[tuple[int, int, int]] = []
    above: list[tuple[int, int]] = []  # the headings in effect: level, number
    links: dict[int, int] = {}
    anchors: list[tuple[int, int, int, int]] = []
    for level, link, text in pieces:
        begin = len(tokens)
        tokens += words.numbers(text.split())
        if level:
            above = [head for head in above if head[0] < level]
            heads.append((begin, len(tokens), above[-1][1] if above else -1))
            above.append((level, len(heads) - 1))
        elif link is not None:
            owner = links.setdefault(link, len(links))
            anchors.append((owner, begin, len(tokens), above[-1][1] if above else -1))
    rows = [words.numbers(urls[k].split()) if k < len(urls) else [] for k in range(len(links))]
    ends = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    owner, start, stop, heading = np.array(anchors, np.int32).reshape(-1, 4).T
    head_start, head_stop, head_above = np.array(heads, np.int32).reshape(-1, 3).T
    content = Content(
        tokens=np.array(tokens, np.int32),
        title_size=title_size,
        head_start=head_start,
        head_stop=head_stop,
        head_above=head_above,
        paths=np.full(len(links), paths.number("html/a"), np.int32),
        url_tokens=np.array([word for row in rows for word in row], np.int32),
        url_start=ends[:-1],
        url_stop=ends[1:],
        owner=owner,
        start=start,
        stop=stop,
        heading=heading,
    )
    targets = np.array(names.numbers(f"link {link}" for link in links), np.int32)
    return Page(names.number(f"page {len(names)}"), shared, targets, content)


@st.composite
def pages(draw: st.DrawFn, least: int = 0) -> Page:
    """Draw a page that ends with `least` anchors of links that have no other anchor."""
    pieces = draw(st.lists(PIECES, min_size=1, max_size=12))
    pieces += [(0, 6 + k, draw(TEXTS)) for k in range(least)]
    urls = draw(st.lists(LONG, max_size=8))
    return page(tables(WORDS), pieces, urls, draw(LONG))
