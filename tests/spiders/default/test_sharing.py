"""Sharing of examples: what crawls of parts of a site learn from each other."""

import numpy as np
import pytest

from lycosa.cluster.sharing_policy import SharingPolicy, sharing_policy
from lycosa.core import Budget, Page, Step
from lycosa.sites.generated import World
from lycosa.snapshots import StateReader, StateWriter
from lycosa.spiders import Setup, spider
from lycosa.spiders.default.sharing import SharedExamples, SharedLink


@pytest.fixture(scope="module")
def site():
    return World(seed=1, departments=1, pages=150).department(0)


def make(name="house"):
    policy = spider(name)(Setup(None, "papers"))
    policy.start(Budget())
    return policy


def walk(policy, site, count):
    """Show pages to a policy in the order of their numbers."""
    wanted = set(site.wanted("papers").tolist())
    for n in range(count):
        page = site.page(n)
        policy.observe(Step(n + 1, page, float(n in wanted)))
        if len(page.targets):
            policy.score(page)


def test_the_default_spider_shares_what_it_learns():
    found = sharing_policy(make("wary(house)"))
    assert isinstance(found, SharingPolicy)
    assert found.name == "house"
    assert sharing_policy(make("breadth-first")) is None


def test_examples_are_given_away_once_and_bounded(site):
    policy = make()
    walk(policy, site, 100)
    first = policy.take_examples()
    assert 10 < len(first) < 100
    assert policy.take_examples() == []
    assert all(0 <= SharedLink.from_bytes(data).value <= 1 for data in first)


def test_a_policy_that_learned_from_others_prefers_the_links_they_found_good(site):
    teacher = make()
    walk(teacher, site, 150)
    examples = teacher.take_examples()
    home = site.page(0)
    learned, alone = make(), make()
    learned.learn_examples(examples)
    for policy in (learned, alone):
        walk(policy, site, 12)
    before, after = alone.score(home), learned.score(home)
    assert not np.allclose(before, after)
    own = np.corrcoef(teacher.score(home), before)[0, 1]
    taught = np.corrcoef(teacher.score(home), after)[0, 1]
    assert taught > own


def test_without_examples_of_others_nothing_changes(site):
    one, other = make(), make()
    walk(one, site, 60)
    other.learn_examples([])
    walk(other, site, 60)
    assert one.score(site.page(0)).tolist() == other.score(site.page(0)).tolist()


def test_links_keep_their_features_on_the_way_to_another_crawl(site):
    sender, receiver = make(), make()
    walk(sender, site, 5)
    page = max((site.page(n) for n in range(5)), key=lambda page: len(page.targets))
    numbers = page.targets[page.targets > 5][:5]
    described = sender.describe_links(numbers)
    receiver.adopt_links(numbers, described)
    assert receiver.describe_links(numbers) == described
    same = receiver.score(Page(0, page.tables, numbers))
    assert same == pytest.approx(sender.score(Page(0, page.tables, numbers)), rel=1e-5)
    # What was adopted is an example when it was fetched.
    receiver.observe(Step(1, Page(int(numbers[0]), page.tables), 1.0))
    assert len(receiver._examples) == 1


def test_adopted_links_are_rescored_with_the_others(site):
    sender, receiver = make(), make()
    walk(sender, site, 100)
    numbers = np.arange(140, 150, dtype=np.int32)  # beyond all that the receiver has met
    described = max(sender.describe_links(np.arange(150, dtype=np.int32)), key=len)
    receiver.adopt_links(numbers, [described] * len(numbers))
    receiver.learn_examples(sender.take_examples())
    leaf = next(page for page in map(site.page, range(100)) if not len(page.targets))
    changed = receiver.observe(Step(50, leaf, 1.0))
    assert changed.numbers.tolist() == numbers.tolist()


def test_shared_examples_survive_a_checkpoint(site):
    teacher, policy = make(), make()
    walk(teacher, site, 100)
    policy.learn_examples(teacher.take_examples())
    walk(policy, site, 30)
    state = StateWriter()
    policy.save(state)
    again = make()
    again.restore(StateReader.of(state))
    for each in (policy, again):
        each.observe(Step(31, site.page(31), 0.0))
    assert again.score(site.page(0)).tolist() == policy.score(site.page(0)).tolist()


@pytest.mark.parametrize("data", [b"", b"x" * 19, b"x" * 21, b"\xff" * 24])
def test_refuses_what_is_no_example(data):
    with pytest.raises(ValueError, match="another crawl"):
        SharedExamples().add([data])
