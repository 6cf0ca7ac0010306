"""`lycosa train`, and `lycosa bench` with what it made."""

import json
import re

import pytest
from click.testing import CliRunner

from lycosa import World
from lycosa.cli import main
from lycosa.cli.train import WORDS_SHOWN
from lycosa.learn.hashed_model import WeightedWord
from lycosa.sites.generated.recorder import record
from lycosa.spiders.model_file import load_spider


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    root = tmp_path_factory.mktemp("web")
    world = World(seed=2, departments=3, organisations=1, pages=200)
    for site in world.sites:
        record(world, site, root / site.family)
    return root


@pytest.fixture(scope="module")
def departments(sites):
    return sorted((sites / "departments").iterdir())


def run(*args):
    return CliRunner().invoke(main, [*map(str, args)])


@pytest.fixture(scope="module")
def trained(departments, tmp_path_factory):
    path = tmp_path_factory.mktemp("trained") / "papers.lyc"
    words = ("--goal", "papers", "--spider", "rl(nb, related, future, bins=4)", "-o", path)
    return path, run("train", *departments[:2], *words, "--seed", 3, "--jobs", 1)


def test_prints_a_summary(trained, departments):
    path, result = trained
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"{path}: rl(nb, related, future, bins=4) for papers" in result.stdout
    assert f"{path.stat().st_size:,} bytes" in result.stdout
    assert "links of 2 sites: " + ", ".join(d.name for d in departments[:2]) in result.stdout
    assert "future: bins worth 1, " in result.stdout
    for channel in ("heads", "anchor", "url", "near"):
        assert f" {channel}" in result.stdout
    back = load_spider(path)
    assert (back.goal, back.seed) == ("papers", 3)
    assert back.sites == tuple(d.name for d in departments[:2])


@pytest.fixture(scope="module")
def house(departments, tmp_path_factory):
    """By default it is the house spider."""
    path = tmp_path_factory.mktemp("house") / "papers.lyc"
    return path, run("train", *departments[:2], "--goal", "papers", "-o", path, "--jobs", 1)


def test_prints_a_summary_of_a_house_spider(house):
    path, result = house
    assert (result.exit_code, result.stderr) == (0, "")
    first, second, trust, good, bad = result.stdout.splitlines()
    assert first.startswith(f"{path}: house for papers, ")
    assert second.startswith("trained on ")
    (model,) = load_spider(path).models
    assert trust == (
        f"the trained weights count {model.trust:.2f} times, "
        f"the keywords of the goal {model.faith:.2f} times"
    )
    assert re.match(r"words for a link: .*pdf \(url, \+\d\.\d\d\)", good)
    assert re.match(r"words against a link: \S+.* \(\w+, -\d\.\d\d\)", bad)
    assert good.count("(") == bad.count("(") == WORDS_SHOWN


def test_prints_a_house_spider_as_json(departments, tmp_path, house):
    path = tmp_path / "papers.lyc"
    result = run("train", *departments[:2], "--goal", "papers", "-o", path, "--json")
    assert path.read_bytes() == house[0].read_bytes()
    (facts,) = json.loads(result.stdout)["models"]
    (model,) = load_spider(path).models
    assert (facts["trust"], facts["faith"], facts["base"]) == (
        model.trust,
        model.faith,
        model.base,
    )
    printed = [WeightedWord(**word) for side in ("for", "against") for word in facts[side]]
    assert sorted(printed) == sorted(word for word in model.telling if word.weight)
    assert all(word["weight"] > 0 for word in facts["for"])
    sizes = [-word["weight"] for word in facts["against"]]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] > 0


def test_two_kinds_of_model_in_one_spider(departments, tmp_path):
    words = ("--goal", "papers", "--spider", "change-policy(house, rl(nb))", "-o")
    result = run("train", departments[0], *words, tmp_path / "x.lyc", "--jobs", 1)
    assert result.exit_code == 0, result.output
    assert "the trained weights count" in result.stdout
    assert "future: bins worth 1, " in result.stdout


def test_json_and_sites_as_an_option(sites, departments, tmp_path, trained):
    path = tmp_path / "x.lyc"
    options = ["--sites", departments[0], "--sites", sites]
    name = "rl(nb, related, future, bins=4)"
    result = run("train", *options, "--goal", "papers", "--spider", name, "-o", path, "--json")
    assert result.exit_code == 0, result.output
    facts = json.loads(result.stdout)
    assert facts["file"] == str(path)
    assert facts["sites"] == [d.name for d in departments]  # each once
    assert (facts["left_out"], facts["bytes"]) == (1, path.stat().st_size)
    (model,) = facts["models"]
    assert model["criterion"] == "future"
    assert len(model["bins"]) == 4
    assert set(model["words"]) == {"heads", "anchor", "url", "near"}


def test_left_out_sites_are_counted(sites, tmp_path):
    options = ("--spider", "rl(nb)", "-o", tmp_path / "x.lyc")
    result = run("train", sites, "--goal", "officers", *options)
    assert result.exit_code == 0
    assert "of 1 site:" in result.stdout
    assert "; 3 without officers left out" in result.stdout


@pytest.mark.parametrize("name", ["rl(nb, related, future)", "house"])
def test_bench_of_a_file_equals_bench_with_training(departments, tmp_path, name):
    """The leave-one-out table of a name, and the file trained on the same others."""
    path = tmp_path / "x.lyc"
    options = ("--goal", "papers", "--spider", name, "-o", path)
    assert run("train", *departments[1:], *options).exit_code == 0
    spiders = f"{name},{path}"
    words = ("--goal", "papers", "--spiders", spiders, "--json", "-", "--jobs", 1)
    result = run("bench", *departments, *words)
    assert result.exit_code == 0, result.output
    runs = {(r["site"], r["spider"]): r for r in json.loads(result.stdout)["runs"]}
    here = [runs[departments[0].name, spider] for spider in (name, str(path))]
    assert here[0]["requests_to"] == here[1]["requests_to"]
    assert here[0]["integral"] == here[1]["integral"]


def test_bench_warns_of_training_sites(departments, trained):
    path, _ = trained
    words = ("--goal", "papers", "--spiders", path, "--jobs", 1)
    seen = ", ".join(folder.name for folder in departments[:2])
    result = run("bench", *departments, *words)
    assert result.exit_code == 0
    sentence = (
        f"lycosa: {path} was trained on {seen}: its figures on these sites are not a fair test.\n"
    )
    assert result.stderr == sentence
    assert run("bench", departments[2], *words).stderr == ""


def test_bench_in_several_processes(departments, trained):
    path, _ = trained
    results = []
    for jobs in (1, 2):
        words = ("--goal", "papers", "--spiders", path, "--json", "-", "--jobs", jobs)
        data = json.loads(run("bench", *departments[1:], *words).stdout)
        results.append([run["integral"] for run in data["runs"]])
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--goal", "papers", "-o", "OUT/x.lyc"], "Give one or more folders"),
        (["SITES", "--goal", "paper", "-o", "OUT/x.lyc"], "did you mean 'papers'?"),
        (["SITES/no", "--goal", "papers", "-o", "OUT/x.lyc"], "There is no folder"),
        (["SITES", "--goal", "papers", "-o", "OUT/x"], "Name the file x.lyc"),
        (["SITES", "--goal", "papers", "-o", "OUT/no/x.lyc"], "check that its folder exists"),
        (["SITES", "--goal", "papers", "-o", "OUT/x.lyc", "--spider", "random"], "cannot be saved"),
        (
            ["SITES", "--goal", "papers", "-o", "OUT/x.lyc", "--spider", "rl(tsvm)"],
            "cannot be saved",
        ),
        (["SITES", "--goal", "papers", "-o", "OUT/x.lyc", "--spider", "rk"], "did you mean 'rl'"),
    ],
)
def test_misuse_is_one_sentence(sites, tmp_path, args, sentence):
    result = run(
        "train", *(a.replace("SITES", str(sites)).replace("OUT", str(tmp_path)) for a in args)
    )
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("lycosa: ")
    assert result.stderr.count("\n") == 1
    assert sentence in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_bench_with_a_bad_file(sites, tmp_path):
    (tmp_path / "x.lyc").write_text("hello")
    result = run("bench", sites, "--goal", "papers", "--spiders", tmp_path / "x.lyc")
    assert result.exit_code == 2
    assert "is not a spider" in result.stderr
