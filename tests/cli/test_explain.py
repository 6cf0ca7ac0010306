"""`lycosa explain` as a person types it."""

import json
import math
import re

import pytest
from click.testing import CliRunner

from lycosa import World, open_site
from lycosa.cli import main
from lycosa.sites.generated.recorder import record
from recorded_sites import record as record_pages

NAME = "rl(nb, related, future)"


def run(*args):
    return CliRunner().invoke(main, [*map(str, args)])


@pytest.fixture(scope="module")
def departments(tmp_path_factory):
    root = tmp_path_factory.mktemp("web")
    world = World(seed=2, departments=3, pages=200)
    return [record(world, site, root) for site in world.sites]


@pytest.fixture(scope="module")
def trained(departments, tmp_path_factory):
    path = tmp_path_factory.mktemp("trained") / "papers.lyc"
    words = ("--goal", "papers", "--spider", NAME, "-o", path)
    assert run("train", *departments[1:], *words).exit_code == 0
    return path


@pytest.fixture(scope="module")
def url(departments):
    """A paper that another page links to."""
    site = open_site(departments[0])
    wanted = set(site.wanted("papers").tolist()) & set(site.graph.targets.tolist())
    return site.tables.urls[min(wanted)]


def test_predictive_words(trained, departments):
    result = run("explain", trained, "--words", 3)
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"{NAME} for papers, from {departments[1].name}, " in result.stdout
    assert result.stdout.count("future: links worth") == 3
    assert "pdf" in result.stdout
    data = json.loads(run("explain", trained, "--words", 3, "--json").stdout)
    (model,) = data["models"]
    assert [len(one["words"]) for one in model["bins"]] == [3, 3, 3]
    assert model["bins"][0]["worth"] == 1
    assert model["bins"][0]["words"][0].keys() == {"word", "channel", "score"}


def test_a_link(trained, departments, url):
    result = run("explain", trained, url, "--site", departments[0])
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"Links to {url}" in result.stdout
    assert "the first link is worth" in result.stdout
    assert "others together)" in result.stdout
    data = json.loads(run("explain", trained, url, "--site", departments[0], "--json").stdout)
    (model,) = data["models"]
    values = [link["value"] for link in data["links"]]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(model["value"])
    assert sum(one["probability"] for one in model["bins"]) == pytest.approx(1)
    total = sum(word["effect"] for word in model["words"])
    assert model["base"] + total == pytest.approx(model["value"], abs=1e-7)
    assert model["words"][0].keys() == {"word", "bag", "times", "effect"}


def test_trains_a_named_spider_on_other_sites_only(trained, departments, url):
    words = ("explain", NAME, url, "--site", departments[0], "--goal", "papers", "--json")
    folders = [part for folder in departments for part in ("--train", folder)]
    data = json.loads(run(*words, *folders).stdout)
    assert data == json.loads(
        run("explain", trained, url, "--site", departments[0], "--json").stdout
    )


def test_two_models(departments, url):
    words = ("immediate-and-future(nb)", "--goal", "papers", "--train", departments[1])
    result = run("explain", *words, url, "--site", departments[0])
    assert result.exit_code == 0, result.output
    assert "immediate: the first link" in result.stdout
    assert "future: the first link" in result.stdout


@pytest.fixture(scope="module")
def house(departments, tmp_path_factory):
    path = tmp_path_factory.mktemp("house") / "papers.lyc"
    assert run("train", *departments[1:], "--goal", "papers", "-o", path).exit_code == 0
    return path


def test_words_of_a_hashed_model(house, departments):
    result = run("explain", house, "--words", 3)
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"house for papers, from {departments[1].name}, " in result.stdout
    assert "the trained weights count " in result.stdout
    good, _, bad = result.stdout.partition("words against a link")
    assert len(re.findall(r"^\+\d\.\d{3} +\w+ +\S", good, re.MULTILINE)) == 3
    assert len(re.findall(r"^-\d\.\d{3} +\w+ +\S", bad, re.MULTILINE)) == 3
    (model,) = json.loads(run("explain", house, "--words", 3, "--json").stdout)["models"]
    assert model.keys() == {"trust", "faith", "base", "for", "against"}
    assert [len(model[side]) for side in ("for", "against")] == [3, 3]
    assert model["for"][0].keys() == {"word", "bag", "weight"}


@pytest.mark.parametrize("name", ["FILE", "house", "wary(house)"])
def test_explains_a_link_of_the_house_spider(house, departments, url, name):
    words = [house] if name == "FILE" else [name, "--goal", "papers"]
    if name != "FILE":
        words += [part for folder in departments for part in ("--train", folder)]
    result = run("explain", *words, url, "--site", departments[0])
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"Links to {url}" in result.stdout
    assert "Score of the link on http" in result.stdout
    for part in ("taught", "keywords", "learned here", "folder", "depth"):
        assert f"\n{part}: " in result.stdout
    data = json.loads(run("explain", *words, url, "--site", departments[0], "--json").stdout)
    values = [link["value"] for link in data["links"]]
    assert values == sorted(values, reverse=True)
    total = sum(one["weight"] * one["value"] for one in data["links"][0]["opinions"])
    assert values[0] == pytest.approx(1 / (1 + math.exp(-total)), rel=1e-5)
    assert data["links"][0]["opinions"][0]["words"][0].keys() == {"word", "bag", "times", "effect"}


def test_links_with_equal_scores_are_counted(house, departments):
    """The front page, to which every page leads."""
    site = open_site(departments[0])
    home = site.tables.urls[int(site.seeds[0])]
    data = json.loads(run("explain", house, home, "--site", departments[0], "--json").stdout)
    values = [link["value"] for link in data["links"]]
    listed = len(set(values))
    assert 1 < listed < 10 < len(values)
    out = run("explain", house, home, "--site", departments[0]).stdout
    assert f"({len(values) - listed} others, worth no more)" in out


def test_refuses_a_page_that_only_links_to_itself(house, tmp_path):
    pages = {"http://a.example/": "<a href=/x>x</a><a href=/>here</a>", "http://a.example/x": "."}
    folder = record_pages(tmp_path / "a", pages)
    result = run("explain", house, "http://a.example/", "--site", folder)
    assert result.exit_code == 2
    assert "links to" in result.stderr
    assert result.stderr.count("\n") == 1


def test_two_kinds_of_model(departments, url):
    words = ("change-policy(house, rl(nb))", "--goal", "papers", "--train", departments[1])
    result = run("explain", *words)
    assert "words against a link" in result.stdout
    assert "future: links worth 1" in result.stdout
    result = run("explain", *words, url, "--site", departments[0])
    assert result.exit_code == 0, result.output
    assert "\ntaught: " in result.stdout


def test_another_address_of_the_page(trained, departments):
    lines = (departments[0] / "aliases.tsv").read_text().splitlines()
    site = open_site(departments[0])
    known = set(site.graph.targets.tolist())
    pairs = (line.split("\t") for line in lines)
    other, url = next(pair for pair in pairs if site.tables.urls.find(pair[1]) in known)
    result = run("explain", trained, other, "--site", departments[0])
    assert result.exit_code == 0, result.output
    assert f"Links to {url}" in result.stdout


def test_hostile_text_is_harmless(tmp_path):
    """Markup of the tables, escape codes and newlines in a tag path."""
    paths = ["[bold]", "a&#10;b", "x&#27;[31m"]
    pages = {
        "http://a.example/": "".join(f'<p id="{p}"><a href=/{n}>n</a>' for n, p in enumerate(paths))
    }
    pages |= {f"http://a.example/{n}": f"<p id='{p}'><a href=/>up</a>" for n, p in enumerate(paths)}
    targets = {"x": ("http://a.example/1",)}
    folders = [record_pages(tmp_path / name, pages, targets=targets) for name in ("one", "two")]
    options = ("--goal", "x", "--spider", "rl(nb, placed, future, least=1)")
    file = tmp_path / "x.lyc"
    link = ["http://a.example/1", "--site", folders[0]]
    assert run("train", *folders, *options, "-o", file).exit_code == 0
    for words in ([], link):
        result = run("explain", file, *words)
        assert result.exit_code == 0, result.output
        assert "\x1b" not in result.stdout
        assert "a b" in result.stdout
    assert run("train", *folders, "--goal", "x", "-o", file).exit_code == 0
    for words in ([], link):
        result = run("explain", file, "--words", 99, *words)
        assert result.exit_code == 0, result.output
        assert "\x1b" not in result.stdout
    assert "a b" in result.stdout


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["FILE", "URL"], "--site"),
        (["FILE", "--site", "SITE"], "or neither"),
        (["FILE", "URLx", "--site", "SITE"], "did you mean URL"),
        (["FILE", "http://elsewhere.example/", "--site", "SITE"], "There is no page"),
        (["FILE", "mailto:x", "--site", "SITE"], "not a web address"),
        (["FILE", "URL", "--site", "SITE/.."], "not a recorded site"),
        (["FILE", "--train", "SITE"], "already trained"),
        (["FILE", "--goal", "courses"], "trained to find papers"),
        (["nowhere.lyc"], "There is no file nowhere.lyc"),
        (["rl(nb)"], "--train"),
        (["rl(nb)", "--goal", "papers"], "--train"),
        (["random", "--goal", "papers", "--train", "SITE"], "cannot be"),
        (
            ["rl(nb)", "URL", "--site", "SITE", "--goal", "papers", "--train", "SITE"],
            "No site is left",
        ),
    ],
)
def test_misuse_is_one_sentence(trained, departments, url, args, sentence):
    real = {"FILE": str(trained), "URL": url, "SITE": str(departments[0])}
    for word, value in real.items():
        args = [arg.replace(word, value) for arg in args]
        sentence = sentence.replace(word, value)
    result = run("explain", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("lycosa: ")
    assert result.stderr.count("\n") == 1
    assert sentence in result.stderr


def test_refuses_a_page_without_inbound_links(tmp_path, trained):
    pages = {"http://a.example/": "<a href=/x>x</a>", "http://a.example/x": "nothing"}
    folder = record_pages(tmp_path / "a", pages)
    result = run("explain", trained, "http://a.example/", "--site", folder)
    assert result.exit_code == 2
    assert "No page of a links to http://a.example/" in result.stderr
