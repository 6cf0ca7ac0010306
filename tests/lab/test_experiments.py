import statistics

import pytest

from lycosa.errors import SiteError, UnknownName, UsageError
from lycosa.lab import ExperimentProgress, experiment
from lycosa.lab.experiments import _LazySites, _run_site, _tasks
from lycosa.sites.generated import World
from small_sites import DictSite, random_graph_site

REFERENCES = ["breadth-first", "optimal"]


class Remembers(ExperimentProgress):
    def __init__(self):
        self.names, self.counts = [], []

    def opened(self, site):
        self.names.append(site.name)

    def crawled(self, done, total):
        self.counts.append((done, total))


def line(name="line", family="lines", goals=None):
    """The seed links to ten leaves; the last two are papers. One paper cannot be reached."""
    links = {"s": [f"p{n}" for n in range(10)], "away": []}
    return DictSite(links, goals or {"papers": ["p8", "p9", "away"]}, name=name, family=family)


def randoms(count=3):
    sites = [random_graph_site(seed, 300, 1200, 20) for seed in range(count)]
    for number, site in enumerate(sites):
        site.name = f"site-{number}"
    return sites


def test_figures_of_a_small_site():
    results = experiment([line()], "papers", REFERENCES)
    low, high = results.runs
    assert (low.spider, low.pages, low.targets, low.hits) == ("breadth-first", 11, 2, (10, 11))
    assert low.requests_to == {"25": 10, "50": 10, "75": 11, "90": 11}
    assert low.integral == pytest.approx((2 + 1) / 22)
    assert (high.spider, high.pages, high.hits) == ("optimal", 11, (2, 3))
    assert high.integral == pytest.approx((10 + 9) / 22)
    assert (results.gap_closed(low), results.gap_closed(high)) == (0, 1)
    assert (low.reason, low.requests) == ("frontier empty", 11)
    assert (high.reason, high.requests) == ("all targets found", 3)
    assert low.links_followed == pytest.approx(9 / 11)


def test_json_has_the_agreed_form():
    data = experiment([line()], "papers", ["optimal"]).to_json()
    (run,) = data["runs"]
    assert run.pop("seconds") >= 0
    assert run == {
        "site": "line",
        "goal": "papers",
        "spider": "optimal",
        "seed": None,
        "pages": 11,
        "targets": 2,
        "requests_to": {"25": 2, "50": 2, "75": 3, "90": 3},
        "integral": pytest.approx(19 / 22),
        "gap_closed": 1.0,
        "links_followed": pytest.approx(1 / 11),
        "requests": 3,
        "reason": "all targets found",
    }
    assert data["summary"] == [
        {
            "spider": "optimal",
            "sites": 1,
            "gap_closed": 1.0,
            "interval": [1.0, 1.0],
            "spread": None,
            "integral": pytest.approx(19 / 22),
            "links_followed": pytest.approx(1 / 11),
        }
    ]


def test_gap_closed_is_none_without_a_gap():
    site = DictSite({"s": ["p"]}, {"papers": ["p"]})
    results = experiment([site], "papers", ["random"])
    assert results.gap_closed(results.runs[0]) is None
    assert results.to_json()["summary"][0]["interval"] == [None, None]


def test_results_do_not_depend_on_the_number_of_processes():
    spiders = ["random", "depth-first", *REFERENCES]
    watcher = Remembers()
    alone = experiment(randoms(), "papers", spiders, seeds=[3, 4])
    together = experiment(randoms(), "papers", spiders, seeds=[3, 4], jobs=2, watcher=watcher)
    assert alone.runs == together.runs
    assert alone.summary == together.summary
    assert watcher.counts == [(0, 18), (6, 18), (12, 18), (18, 18)]
    assert watcher.names == ["site-0", "site-1", "site-2"]
    assert len(alone.runs) == 3 * 6


def test_error_of_a_worker_process_is_raised():
    sites = [line("one"), line("two", goals={"papers": ["away"]})]
    with pytest.raises(SiteError, match=r"None of the 1 targets .* site 'two'"):
        experiment(sites, "papers", REFERENCES, jobs=2)


def test_runs_have_the_requested_order():
    results = experiment(randoms(2), "papers", ["optimal", "random", "breadth-first"], seeds=[1])
    assert [(run.site, run.spider) for run in results.runs] == [
        (site, spider)
        for site in ("site-0", "site-1")
        for spider in ("optimal", "random", "breadth-first")
    ]
    assert [row.spider for row in results.summary] == ["optimal", "random", "breadth-first"]


def test_summary_is_the_ratio_of_sums_over_sites():
    results = experiment(randoms(), "papers", ["breadth-first", "random", "optimal"], seeds=[1, 2])
    runs = {
        spider: [r.integral for r in results.runs if r.spider == spider]
        for spider in results.spiders
    }
    middle = [sum(runs["random"][n : n + 2]) / 2 for n in (0, 2, 4)]
    low, high = runs["breadth-first"], runs["optimal"]
    row = results.summary[1]
    assert row.gap_closed == pytest.approx((sum(middle) - sum(low)) / (sum(high) - sum(low)))
    assert row.integral == pytest.approx(sum(middle) / 3)
    assert row.interval[0] <= row.gap_closed <= row.interval[1]


def test_spread_is_the_standard_deviation_over_seeds():
    seeds = [1, 2, 3]
    results = experiment(randoms(), "papers", ["random", "breadth-first"], seeds=seeds)
    single = [experiment(randoms(), "papers", ["random"], seeds=[seed]) for seed in seeds]
    gaps = [one.summary[0].gap_closed for one in single]
    assert results.summary[0].spread == pytest.approx(statistics.stdev(gaps))
    assert results.summary[0].spread > 0
    assert results.summary[1].spread is None
    assert single[0].summary[0].spread is None


def test_a_seed_shakes_equal_scores_of_every_spider_but_the_ends_of_the_scale():
    spiders = ["depth-first", *REFERENCES]
    still, shaken, same = (
        experiment(randoms(1), "papers", spiders, seeds=[seed]).runs for seed in (0, 1, 1)
    )
    assert still[0].hits != shaken[0].hits
    assert shaken == same
    assert [run.hits for run in still[1:]] == [run.hits for run in shaken[1:]]


def test_sites_that_lack_the_goal_are_left_out():
    other = line("other", goals={"courses": ["p1"]})
    watcher = Remembers()
    results = experiment([other, line()], "papers", REFERENCES, watcher=watcher)
    assert results.sites == ("line",)
    assert watcher.names == ["other", "line"]


def test_spiders_train_on_other_sites_of_the_family():
    sites = [line("a"), line("b"), line("c", family="others"), line("d", goals={"x": ["p1"]})]
    tasks = _tasks(sites, "papers", "others", ("random",), (0,), 1, ExperimentProgress())
    training = {task.site.name: [site.name for site in task.training] for task in tasks}
    assert training == {"a": ["b"], "b": ["a"], "c": []}
    cold = _tasks(sites, "papers", "none", ("random",), (0,), 1, ExperimentProgress())
    assert [task.training for task in cold] == [(), (), ()]
    assert len(_run_site(tasks[0])) == 3


def test_refuses_an_unknown_goal():
    with pytest.raises(UnknownName, match="did you mean 'papers'"):
        experiment([line()], "paper", REFERENCES)


def named(name, wanted, goals=None):
    """The seed links to ten leaves, two of which have the wanted word in their URL."""
    leaves = [f"http://{name}/{n}/{wanted if n > 7 else 'no'}" for n in range(10)]
    return DictSite({f"http://{name}/": leaves}, goals, name=name)


def test_a_query_labels_every_site():
    query = "url:yes OR url:aye"
    results = experiment([named("a", "yes"), named("b", "aye")], query, REFERENCES)
    assert {run.goal for run in results.runs} == {query}
    assert [run["goal"] for run in results.to_json()["runs"]] == [query] * 4
    assert [(run.site, run.spider, run.hits) for run in results.runs] == [
        ("a", "breadth-first", (10, 11)),
        ("a", "optimal", (2, 3)),
        ("b", "breadth-first", (10, 11)),
        ("b", "optimal", (2, 3)),
    ]


def test_queries_do_not_depend_on_the_number_of_processes():
    world = World(seed=0, departments=2, pages=150)
    alone, together = (
        experiment(world.sites, "title:courses", ["random", "rl(nb)"], jobs=jobs) for jobs in (1, 2)
    )
    assert alone.runs == together.runs
    assert alone.sites == tuple(site.name for site in world.sites)


def has_even_number(page):
    """A goal of another package."""
    return page.number % 2 == 0


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_goal_of_another_package_labels_every_site(jobs):
    sites = World(seed=0, departments=2, pages=120).sites
    results = experiment(sites, f"{__name__}:has_even_number", REFERENCES, jobs=jobs)
    assert {run.goal for run in results.runs} == {"has_even_number"}


def test_spiders_train_on_query_targets():
    world = World(seed=0, departments=2, pages=300)
    rows = experiment(world.sites, 'title:courses OR "office hours"', ["random", "rl(nb)"]).summary
    assert rows[0].gap_closed < rows[1].gap_closed


def test_sites_without_a_page_for_the_query_are_left_out():
    far = DictSite({"http://c/": ["http://c/no"], "http://c/yes": []}, name="c")
    results = experiment([named("a", "yes"), named("b", "aye"), far], "url:yes", REFERENCES)
    assert results.sites == ("a",)
    with pytest.raises(
        SiteError, match="No site has a page within reach that matches the query 'url:zoo'"
    ):
        experiment([named("a", "yes"), far], "url:zoo", REFERENCES)


def test_listed_goal_is_never_parsed_as_a_query():
    site = named("a", "yes", {"url:yes": ["http://a/0/no"]})
    results = experiment([site, named("b", "yes")], "url:yes", REFERENCES)
    assert [(run.site, run.targets) for run in results.runs] == [("a", 1), ("a", 1)]


def test_training_sites_are_labelled_once():
    tasks = _tasks(
        [named("a", "x"), named("b", "x")], "url:x", "others", (), (0,), 1, ExperimentProgress()
    )
    training = _LazySites(tasks[0].training, tasks[0].query)
    assert training[0] is training[0] is training[:1][0]
    assert training[0].wanted("url:x").tolist() == [9, 10]


def test_unknown_bare_word_is_not_a_query():
    with pytest.raises(
        UnknownName, match=r"no goal 'robot'.* text:robot \(every page with the word"
    ):
        experiment([line()], "robot", REFERENCES)
    with pytest.raises(UnknownName, match=r"no goal '\+'\. Known: papers\.$"):
        experiment([line()], "+", REFERENCES)


@pytest.mark.parametrize("goal", ["robot AND", '"robot', "(robot", "body:robot", "NOT robot"])
def test_refuses_an_invalid_query(goal):
    with pytest.raises(UsageError, match="The query"):
        experiment([line()], goal, REFERENCES)


def test_refuses_a_site_without_reachable_targets():
    with pytest.raises(SiteError, match=r"None of the 1 targets of goal 'papers' .* site 'line'"):
        experiment([line(goals={"papers": ["away"]})], "papers", REFERENCES)
    with pytest.raises(SiteError, match="'line' has no targets for goal 'papers'"):
        experiment([line(goals={"papers": []})], "papers", REFERENCES)


def test_refuses_an_empty_site():
    with pytest.raises(SiteError, match="'tiny' has no pages"):
        experiment([DictSite({}, {"papers": []}, seeds=[])], "papers", REFERENCES)


def test_refuses_invalid_arguments():
    with pytest.raises(UnknownName, match="no spider 'opt'"):
        experiment([line()], "papers", ["opt"])
    with pytest.raises(UsageError, match="at least one spider"):
        experiment([line()], "papers", [])
    with pytest.raises(UsageError, match="Two sites have the name 'line'"):
        experiment([line(), line()], "papers", REFERENCES)
