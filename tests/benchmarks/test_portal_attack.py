import pytest
from bench.portal_attack import Attack
from bench.portal_cost import Queries, frequent_words, ranks

from lycosa.portal.web.middleware import MAX_URL_BYTES
from portal.web.portal_client import connect, shared_portal

WORDS = frequent_words(shared_portal() / "index")
ATTACK = Attack(WORDS)


@pytest.mark.parametrize("kind", ATTACK.kinds)
def test_a_portal_answers_every_attack(kind):
    urls = {ATTACK.kinds[kind]() for _ in range(5)}
    assert len(urls) == 5, "a cached page would be no attack"
    assert all(len(url) < MAX_URL_BYTES for url in urls)
    with connect() as reader:
        assert {reader.get(url).status_code for url in urls} == {200}


def test_queries_have_as_many_parts_as_asked_for():
    for make, most in Queries(WORDS).kinds().values():
        assert make(1)
        assert make(most).count(" ") >= most - 1


def test_ranks():
    assert ranks([0.5, 9.0, -1.0]) == [1, 2, 0]
