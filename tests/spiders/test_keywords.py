from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated_departments import department
from heading_pages import page as page_of
from heading_pages import pages
from lycosa.content import NEAR
from lycosa.core import Budget, Page
from lycosa.goals.profiles import HUBS, PROFILES, Profile
from lycosa.spiders import check_policy
from lycosa.spiders.keywords import Keywords, _all
from lycosa.web.reader import Reader
from small_pages import LinkSpec, page, tables

AB = Profile(("a", "b"), ("c",))
WEIGHTS = {"a": 1.0, "b": 1.0, "c": 0.3}


def keywords(profile: Profile = AB) -> Keywords:
    policy = Keywords(profile)
    policy.start(Budget())
    return policy


def by_definition(page: Page, link: int) -> float:
    """Return the score of a link by the definition, one anchor after the other."""
    content = page.content
    words = [WEIGHTS.get(word, 0.3 * (word in HUBS)) for word in page.text.split()]
    title = content.title_size

    def saturated(worth):
        return worth / (1 + worth)

    best = 0.0
    for place in (content.owner == link).nonzero()[0]:
        start, stop, head = (int(a[place]) for a in (content.start, content.stop, content.heading))
        above = sum(words[:title])
        while head >= 0:
            above += sum(words[content.head_start[head] : content.head_stop[head]])
            head = int(content.head_above[head])
        around = [*range(start - NEAR, start), *range(stop, stop + NEAR)]
        near = sum(words[n] for n in around if title <= n < len(words))
        worth = saturated(sum(words[start:stop])) + 0.3 * (saturated(near) + saturated(above))
        best = max(best, worth)
    url = sum(WEIGHTS.get(word, 0.0) for word in page.link(link).bags["url"])
    return best + saturated(url) + 0.2 * saturated(sum(words) / max(1, len(words)) ** 0.5)


@given(pages(least=5))
def test_scores_follow_the_definition_for_any_number_of_links(page):
    policy = keywords()
    size = len(page.targets)
    expected = [by_definition(page, link) for link in range(size)]
    assert policy.score(page) == pytest.approx(expected)
    one_by_one = [policy.score_some(page, np.array([link])).item() for link in range(size)]
    assert one_by_one == pytest.approx(expected)


@given(pages(least=1), st.data())
def test_scores_links_in_the_given_order(page, data):
    policy = keywords()
    links = data.draw(st.lists(st.integers(0, len(page.targets) - 1)))
    every = policy.score(page)
    some = policy.score_some(page, np.array(links, np.intp))
    assert some == pytest.approx(every[np.array(links, np.intp)])


def test_single_links_and_prefix_sums_agree():
    site = department()
    policy = keywords(PROFILES["papers"])
    seen = 0
    for number in range(len(site)):
        page = site.page(number)
        policy.score(page)  # so that the words of the table are known
        text, url = policy._text, policy._url
        few = np.array(policy.score_few(page, range(len(page.targets))))
        whole = _all(page.content, text.of(page.content.tokens), url)
        about_page = few - whole
        assert about_page == pytest.approx(about_page[:1].repeat(len(few)))
        seen += int(np.count_nonzero(whole))
    assert seen > 500


def test_goal_words_anywhere_raise_the_score():
    shared = tables()
    links = [(0, k, text) for k, text in enumerate(["x", "a", "x", "x", "x", "x"])]
    away = (0, None, "y " * NEAR)
    pieces = [piece for link in links for piece in (link, away)]
    pieces += [(0, None, "b"), (0, 6, "x"), away, (1, None, "a"), away, (0, 7, "x")]
    scores = keywords().score(page_of(shared, pieces, ["", "", "b", "c"])).tolist()
    plain, anchor, in_url, way, *others, near, above = scores
    assert others == [plain, plain]
    assert min(anchor, in_url) > way > plain
    assert min(near, above) > plain
    assert min(anchor, in_url) > max(near, above)


def test_two_places_beat_one_with_many_words():
    apart = [page(tables(), [link]) for link in (LinkSpec("a a a a a a"), LinkSpec("a", "b"))]
    full, agree = (keywords().score(one).item() for one in apart)
    assert agree > full


def test_hub_words_count_in_the_text_but_not_in_urls():
    for hub in HUBS:
        plain, in_url, anchor = (
            keywords().score(page(tables(), [link])).item()
            for link in (LinkSpec("x", "x"), LinkSpec("x", hub), LinkSpec(hub, "x"))
        )
        assert in_url == plain < anchor
    # A word of the goal counts everywhere, hub or not.
    policy = keywords(Profile(("index",)))
    assert policy.score(page(tables(), [LinkSpec("x", "index")])).item() > plain


@pytest.mark.parametrize("links", [1, 9])
def test_finds_words_added_later(links):
    shared = tables(["x"])
    policy = keywords()
    before = policy.score(page(shared, [LinkSpec("x", "x")] * links))
    shared.words.numbers(f"w{n}" for n in range(1000))
    after = policy.score(page(shared, [LinkSpec("a", "b")] * links))
    assert before.tolist() == [0.0] * links
    assert after.tolist() == keywords().score(page(tables(), [LinkSpec("a", "b")] * links)).tolist()
    assert (after > 1).all()


def test_forms_of_words_count_as_the_words_if_asked():
    profile = Profile(("tutorials", "net"), ("people",), prefixes=("net",))
    shared = tables(["x"])
    policies = [Keywords(profile, forms=forms) for forms in (False, True)]
    for policy in policies:
        policy.start(Budget())
        policy.score(page(shared, [LinkSpec("x")]))
    links = [LinkSpec(word) for word in "x tutorials tutorial5 networks peoples".split()]
    plain, exact, *forms = policies[0].score(page(shared, links)).tolist()
    assert forms == [plain] * 3 < [exact] * 3
    plain, exact, number, prefix, way = policies[1].score(page(shared, links)).tolist()
    assert plain < way < number == prefix == exact


def test_start_resets_the_tables():
    first = page(tables(["a", "x"]), [LinkSpec("a", "x")])
    second = page(tables(["x", "a"]), [LinkSpec("a", "x")])  # as many words, other numbers
    policy = keywords()
    score = policy.score(first).item()
    policy.start(Budget())
    assert policy.score(second).item() == score
    assert score > 0.5


def test_links_without_words_score_0():
    assert keywords().score(page(tables(), [LinkSpec()])).tolist() == [0.0]


def test_keeps_the_policy_contract():
    check_policy(Keywords(PROFILES["papers"]), department(), 120)


@given(pages(least=5))
def test_effects_add_up_to_the_score(page):
    policy = keywords()
    scores = policy.score(page).tolist()
    for link, score in enumerate(scores):
        (opinion,) = policy.explain(page, link)
        assert opinion.value == pytest.approx(score)
        assert sum(effect.effect for effect in opinion.effects) == pytest.approx(score)


def test_effects_name_word_and_place():
    shown = page_of(tables(), [(1, None, "b"), (0, 0, "a x a"), (0, None, "c")], ["a"], "index")
    (opinion,) = keywords().explain(shown, 0)
    found = {(word, bag): (times, round(effect, 6)) for word, bag, times, effect in opinion.effects}
    assert found["a", "anchor"] == (2, round(2 / 3, 6))
    assert found["a", "url"] == (1, 0.5)
    assert found["c", "near"][0] == found["b", "heads"][0] == found["index", "heads"][0] == 1
    assert found["a", "page"][0] == 2
    assert ("x", "anchor") not in found


@pytest.mark.parametrize("links", [2, 9])
def test_links_of_a_list_of_urls_are_scored_by_their_urls(links):
    listing = Reader().link_list(
        "http://h/map.xml", [f"http://h/{'a' * (n == 1)}/{n}" for n in range(links)], "text/xml"
    )
    scores = keywords().score(listing).tolist()
    assert scores == [0.0, 0.5] + [0.0] * (links - 2)
    assert keywords().explain(listing, 1)[0].effects == (("a", "url", 1, 0.5),)
