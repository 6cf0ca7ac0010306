"""Routing: every link goes to one shard, once, and a replay routes as the crawl did."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa import Budget, Listed, Page
from lycosa.cluster.routing import Router
from lycosa.content import Tables
from lycosa.crawler.crawl import Crawl
from lycosa.snapshots import StateReader, StateWriter
from lycosa.spiders import BreadthFirst
from lycosa.web.reader import Reader

HOSTS = [f"h{k}.example" for k in range(5)]


def make(shard=0):
    sent = []
    router = Router(shard, sent.extend)
    reader = Reader()
    crawl = Crawl(BreadthFirst(), Listed("x", ()), Budget(), np.array([], np.int32), router=router)
    router.attach(crawl, reader.urls)
    return SimpleNamespace(router=router, crawl=crawl, reader=reader, sent=sent)


def page(it, targets):
    number = it.reader.urls.number("http://h0.example/")
    numbers = [it.reader.urls.number(url) for url in dict.fromkeys(targets)]
    words, urls, paths = it.reader.words, it.reader.urls, it.reader.paths
    return Page(number, Tables(words, urls, paths), np.array(numbers, np.int32))


LINKS = st.lists(
    st.tuples(st.sampled_from(HOSTS), st.integers(0, 3)).map(lambda p: f"http://{p[0]}/{p[1]}"),
    min_size=1,
    max_size=6,
)
ACTIONS = st.lists(
    st.one_of(LINKS, st.tuples(st.sampled_from(HOSTS), st.integers(0, 2))), max_size=20
)


@given(ACTIONS, st.integers(0, 20))
def test_every_link_reaches_the_shard_of_its_host(actions, saved_at):
    """Pages and decisions in any order; the state is saved and restored somewhere."""
    it, homes, seen = make(), {}, set()
    for k, action in enumerate(actions):
        if k == saved_at:
            state = StateWriter()
            it.router.save(state)
            restored = Router(0, it.sent.extend)
            restored.attach(it.crawl, it.reader.urls)
            restored.restore(StateReader.of(state))
            it.router = it.crawl._router = restored
        if isinstance(action, tuple):
            host, shard = action
            homes.setdefault(host, shard)
            it.router.decide(*action)
        else:
            found = page(it, action)
            seen.update(action)
            own, _ = it.router(found, np.arange(len(found.targets), dtype=float))
            it.crawl.link(own, np.ones(len(own)))
    for host, shard in homes.items():
        urls = {url for url in seen if url.split("/")[2] == host}
        if shard == 0:
            waiting = it.crawl._frontier.is_waiting
            assert all(waiting(it.reader.urls.number(url)) for url in urls)
        else:
            received = {link.url for link in it.sent if link.receiver == shard}
            assert urls <= received
    assert all(homes[link.url.split("/")[2]] == link.receiver for link in it.sent)
    assert it.router.undecided == len({url.split("/")[2] for url in seen} - homes.keys())


def test_a_link_is_sent_again_only_if_its_score_has_risen_a_lot():
    it = make()
    it.router.decide("h1.example", 1)
    for score in (0.1, 0.12, 0.05, 0.2, 0.29, 0.31):
        it.router(page(it, ["http://h1.example/"]), np.array([score]))
    assert [link.score for link in it.sent] == [0.1, 0.2, 0.31]
