"""Small pages with words, for tests of learners."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from lycosa.content import Content, Ints, Table, Tables
from lycosa.core import Page
from lycosa.learn.examples import LinkBags, TrainingLinks
from lycosa.learn.linear_model import LinearModel
from lycosa.learn.neighbourhoods import Channel, Neighbourhood

MIXED = Neighbourhood(
    "mixed",
    (
        Channel("anchor", ("anchor",)),
        Channel("around", ("url", "near"), near=2),
        Channel("path", ("path",)),
    ),
)
ANCHOR = Neighbourhood("anchor", (Channel("anchor", ("anchor",)),))


class LinkSpec(NamedTuple):
    """The specification of a link: words of its anchor, words of its URL, tag path."""

    anchor: str = ""
    url: str = ""
    path: str = "html/a"


def tables(words: Iterable[str] = ()) -> Tables:
    return Tables(Table(words), Table(), Table())


def page(tables: Tables, links: Sequence[LinkSpec], title: str = "") -> Page:
    """Return a page with these links in order, each to a different page."""
    words, urls, paths = tables
    assert isinstance(words, Table)
    assert isinstance(urls, Table)
    assert isinstance(paths, Table)
    tokens = words.numbers(title.split())
    title_size = len(tokens)
    url_tokens: list[int] = []
    rows = []
    for link in links:
        anchor, url = words.numbers(link.anchor.split()), words.numbers(link.url.split())
        rows.append((len(tokens), len(tokens) + len(anchor), len(url_tokens), len(url)))
        tokens += anchor
        url_tokens += url
    start, stop, begin, size = np.array(rows, np.int32).reshape(-1, 4).T
    every = np.arange(len(links), dtype=np.int32)
    content = Content(
        tokens=_ints(tokens),
        title_size=title_size,
        paths=_ints(paths.numbers(link.path for link in links)),
        url_tokens=_ints(url_tokens),
        url_start=begin,
        url_stop=begin + size,
        owner=every,
        start=start,
        stop=stop,
        heading=every * 0 - 1,
    )
    number = urls.number(f"page {len(urls)}")
    targets = _ints(urls.numbers(f"{number} to {k}" for k in range(len(links))))
    return Page(number, tables, targets, content)


def examples(
    neighbourhood: Neighbourhood,
    *sites: Sequence[tuple[Page, Sequence[float]]],
    least: int = 1,
) -> TrainingLinks:
    """Return the examples of sites; a site is pages, each with the values of its links."""
    links = [LinkBags.of([p for p, _ in site], site[0][0].tables, neighbourhood) for site in sites]
    values = [np.array([v for _, row in site for v in row], float) for site in sites]
    return TrainingLinks.of(neighbourhood, links, values, least=least)


def random_model(
    made: TrainingLinks, seed: int, bins: int, root: bool, slope: float = 1.0
) -> LinearModel:
    """Return a model with random weights for the vocabularies of some examples."""
    rng = np.random.default_rng(seed)
    weights = tuple(rng.normal(size=(len(v), bins)) for v in made.vocabularies)
    means = np.sort(rng.random(bins))[::-1]
    bias = rng.normal(size=bins)
    return LinearModel(made.neighbourhood, made.vocabularies, weights, bias, means, root, slope)


def link_words(link_page: Page, index: int, channel: Channel) -> list[str]:
    """Return the words of one link in one channel, as strings."""
    link = link_page.link(index, channel.near)
    if channel.reads_paths:
        return [link.path]
    return [word for bag in channel.bags for word in link.bags[bag]]


def texts(words: str = "abcde", most: int = 3) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(words), max_size=most).map(" ".join)


LINKS = st.lists(
    st.builds(LinkSpec, texts(), texts(), st.sampled_from(["p", "q", "r"])), max_size=5
)
VALUES = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.4])


@st.composite
def sites(draw: st.DrawFn, least: int = 0) -> list[tuple[Page, list[float]]]:
    """Draw up to three pages that share their tables, with a value for each link."""
    shared = tables(draw(st.permutations("abcde")))
    found = []
    for links in draw(st.lists(LINKS, min_size=1, max_size=3)):
        row = draw(st.lists(VALUES, min_size=len(links), max_size=len(links)))
        found.append((page(shared, links, draw(texts())), row))
    if sum(len(row) for _, row in found) < least:
        found.append((page(shared, [LinkSpec("a b", "c")] * least), [1.0, *[0.0] * (least - 1)]))
    return found


def _ints(numbers: Sequence[int]) -> Ints:
    return np.array(numbers, np.int32)
