"""Pairs of a site and a goal: means over rows, losses, and the choice of queries."""

from pathlib import Path

import numpy as np
import pytest
from bench.house_pairs import _against_cold, _families, _losses, _requests
from bench.pairs import (
    BEFORE_NAME,
    HIGH,
    HOUSE,
    LOW,
    MAX_SMALL_BYTES,
    Crawls,
    Outcomes,
    Pair,
    _crawls,
    find_pairs,
    trained_name,
)
from bench.queries import MIN_PAGES, _queries

ONE, TWO = Pair(Path("a/one"), "papers"), Pair(Path("a/two"), "papers")
OTHER, TINY = Pair(Path("b/three"), "people"), Pair(Path("b/four"), "branches")


def outcomes(**found):
    """Return outcomes of pairs; each spider has a list of integrals for every pair."""
    result = Outcomes()
    for name, by_pair in found.items():
        for pair, integrals in by_pair.items():
            crawls = Crawls(np.array(integrals), np.full(len(integrals), 10.0), 0.0)
            result.add(pair, {"low": LOW, "high": HIGH}.get(name, name), crawls)
    return result


@pytest.fixture
def found():
    return outcomes(
        low={ONE: [0.5], TWO: [0.2], OTHER: [0.5], TINY: [0.98]},
        high={ONE: [0.6], TWO: [1.0], OTHER: [0.9], TINY: [0.985]},
        house={ONE: [0.6, 0.5], TWO: [0.6, 0.6], OTHER: [0.9, 0.7], TINY: [0.5, 0.5]},
    )


def test_the_mean_is_over_rows_of_ratios_of_sums(found):
    rows = found.rows(found.pairs)
    assert rows == {("a", "papers"): [ONE, TWO], ("b", "people"): [OTHER]}
    mean, spread = found.mean_gap(found.pairs, HOUSE)
    by_seed = [((0.1 + 0.4) / 0.9 + 1.0) / 2, ((0.0 + 0.4) / 0.9 + 0.5) / 2]
    assert mean == pytest.approx(np.mean(by_seed))
    assert spread == pytest.approx(np.std(by_seed, ddof=1))
    assert found.gap(OTHER, HOUSE) == pytest.approx(0.75)


def test_a_pair_without_a_gap_counts_in_the_ratio_of_all_sums(found):
    gains = 0.05 + 0.4 + 0.3 - 0.48
    assert found.pooled_gap(found.pairs, HOUSE) == pytest.approx(gains / (0.9 + 0.4 + 0.005))


def test_losses_against_breadth_first_are_named(found):
    (text,) = _losses(found, HOUSE)
    assert "on 1 of 4 pairs" in text
    assert "branches, four: 49.0%" in text


def test_families_are_shown_alone_or_beside_the_policy_before(found):
    (alone,) = _families(found, HOUSE, BEFORE_NAME)
    assert BEFORE_NAME not in found
    assert "before" not in alone
    for pair in found.pairs:
        found.add(pair, BEFORE_NAME, Crawls(np.array([0.3, 0.3]), np.full(2, 10.0), 0.0))
    (beside,) = _families(found, HOUSE, BEFORE_NAME)
    assert [line.split(" | ")[0] for line in beside.splitlines()[2:]] == ["| a", "| b", "| all"]
    assert "yes" in beside.splitlines()[-1]
    assert "1.00 on the median site" in next(_requests(found, HOUSE))


def test_training_is_compared_with_the_better_one_before(found):
    for name, integral in ((trained_name(HOUSE), 0.56), (BEFORE_NAME, 0.5)):
        for pair in found.pairs:
            found.add(pair, name, Crawls(np.array([integral]), np.full(1, 10.0), 0.0))
    for pair in found.pairs:
        found.add(pair, trained_name(BEFORE_NAME), Crawls(np.array([0.57]), np.ones(1), 0.0))
    best, worse = _against_cold(found)
    assert "on 0 of 3 pairs" in best
    assert "people, three" in worse
    assert "papers, one" not in worse


def test_runs_are_measured_on_the_scale_of_breadth_first():
    runs = [
        {"spider": LOW, "seed": 0, "hits": [4, 10], "requests": 10, "seconds": 1.0},
        {"spider": HOUSE, "seed": 0, "hits": [1, 2], "requests": 2, "seconds": 1.0},
        {"spider": HOUSE, "seed": 1, "hits": [3], "requests": 10, "seconds": 2.0},
    ]
    crawls = _crawls(runs)
    assert crawls[LOW].integrals.tolist() == [0.4]
    assert crawls[HOUSE].integrals.tolist() == [0.95, 0.4]
    assert crawls[HOUSE].to_75.tolist() == [2, np.inf]
    assert crawls[HOUSE].seconds == 3.0


def test_pairs_are_trained_on_small_sites_of_any_family_with_the_goal(tmp_path):
    sizes = {"a/one": 9, "b/two": 9, "b/large": MAX_SMALL_BYTES + 1, "a/other": 9}
    for name, size in sizes.items():
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / "site.toml").write_text("")
        with open(folder / "pages.warc.gz", "wb") as file:
            file.truncate(size)
        goal = "people" if name == "a/other" else "papers"
        (folder / f"targets-{goal}.txt").write_text("")
    pairs = {pair.site.name: pair for pair in find_pairs(tmp_path)}
    training = {name: [path.name for path in pair.training] for name, pair in pairs.items()}
    assert training == {"one": ["two"], "two": ["one"], "large": ["one", "two"], "other": []}
    assert pairs["two"].family == "b"
    assert "large" not in {pair.site.name for pair in find_pairs(tmp_path, small=True)}


def test_queries_are_words_of_middle_frequency_and_do_not_depend_on_the_order_of_pages():
    rng = np.random.default_rng(0)
    middle = [f"middle{chr(97 + n)}" for n in range(12)]
    pages = []
    for number in range(200):
        page = {"everywhere", "common", "short"[:4], f"rare{number}x"}
        page |= {word for word in middle if rng.random() < 0.06} if number % 4 else set(middle)
        pages.append(frozenset(page) if number % 20 == 0 or number % 4 else frozenset(["page"]))
    queries = _queries("site", pages, {"common", "middlea"})
    assert queries == _queries("site", pages[::-1], {"common", "middlea"})
    assert len(queries) == 3
    words = [query.split(" AND ") for query in queries]
    assert [len(some) for some in words] == [1, 1, 2]
    for some in words:
        known = [word.removeprefix("text:") for word in some]
        assert set(known) <= set(middle) - {"middlea"}
        matching = sum(set(known) <= page for page in pages)
        assert max(MIN_PAGES, 4) <= matching <= 20


def test_a_site_without_such_words_has_no_queries():
    assert _queries("site", [frozenset(["same"])] * 50, set()) == []
