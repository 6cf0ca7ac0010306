"""`lycosa papers`, and `lycosa train headers` and `lycosa train references` for it."""

import json
import re

import pytest
from click.testing import CliRunner

from lycosa.cli import main
from lycosa.papers.extraction.crf_labeller import CrfLabeller
from lycosa.papers.extraction.tagged import NEW_HEADER, NEW_REFERENCE, write_tagged
from lycosa.papers.synthetic import generate_headers, generate_references
from lycosa.sites.generated import World

WORLD = World(seed=4, departments=1, pages=600)


def run(*args):
    return CliRunner().invoke(main, [*map(str, args)])


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("papers")
    site = WORLD.department(0)
    paths = []
    for number in list(site.plan.wanted("papers"))[:2]:
        paths.append(folder / f"{number}.pdf")
        paths[-1].write_bytes(site.response(number).body)
    return paths


@pytest.fixture(scope="module")
def tagged(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tagged")
    references, headers = folder / "references.txt", folder / "headers.txt"
    write_tagged(references, generate_references(40, 3), NEW_REFERENCE)
    write_tagged(headers, [sheet.tokens for sheet in generate_headers(12, 3)], NEW_HEADER)
    return {"references": references, "headers": headers}


@pytest.fixture(scope="module")
def model(tagged, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "references.crf"
    return path, run("train", "references", tagged["references"], "-o", path)


def true_title(path):
    return WORLD.library.title(0, int(path.stem))


def test_json_has_one_paper_per_line(files):
    result = run("papers", "--format", "json", *files, "--jobs", 1)
    assert (result.exit_code, result.stderr) == (0, "")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [paper["file"] for paper in found] == [str(path) for path in files]
    assert [paper["header"]["title"] for paper in found] == [true_title(path) for path in files]
    for path, paper in zip(files, found, strict=True):
        assert paper["paper"] is True
        true = WORLD.library.references(0, int(path.stem))
        assert len(paper["references"]) == len(true)


def test_a_table_has_a_row_for_each(files):
    result = run("papers", files[0])
    assert (result.exit_code, result.stderr) == (0, "")
    head, *_ = result.stdout.splitlines()
    count = len(WORLD.library.references(0, int(files[0].stem)))
    assert re.fullmatch(rf".*: a paper \(\d\.\d\d\), {count} references", head)
    assert true_title(files[0]) in result.stdout
    assert re.search(rf"^ *{count} +\d{{4}} ", result.stdout, re.MULTILINE)


def test_bibtex_has_the_paper_and_its_references_once(files):
    once = run("papers", "--format", "bibtex", files[0])
    twice = run("papers", "--format", "bibtex", files[0], files[0], "--jobs", 2)
    assert once.exit_code == 0
    assert once.stdout == twice.stdout
    assert once.stdout.startswith("@")
    count = len(WORLD.library.references(0, int(files[0].stem)))
    assert len(re.findall(r"^@[a-z]+\{", once.stdout, re.MULTILINE)) == 1 + count


@pytest.mark.parametrize("form", ["table", "json", "bibtex"])
def test_a_bad_file_is_named_and_the_others_are_printed(files, tmp_path, form):
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.4 oh")
    some = [tmp_path / "none.pdf", files[0], tmp_path / "bad.pdf", files[1]]
    result = run("papers", "--format", form, *some, "--jobs", 2)
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"lycosa: {some[0]}: no such file",
        f"lycosa: {some[2]}: damaged",
    ]
    titles = [true_title(path) for path in files]
    if form == "table":  # it breaks long titles between words
        titles = [word for title in titles for word in title.split()]
    assert all(title in result.stdout for title in titles)
    if form == "json":
        outcomes = [json.loads(line)["outcome"] for line in result.stdout.splitlines()]
        assert outcomes == ["no-such-file", "text", "damaged", "text"]


def test_explain_prints_the_places_of_each_field(tmp_path):
    path = tmp_path / "webs.txt"
    path.write_text(
        "Web Letters 12 (1999) 1-9\nSpiders that learn\nAnn Lee\n\nAbstract\nThey hunt.\n"
    )
    result = run("papers", "--explain", path)
    assert (result.exit_code, result.stderr) == (0, "")
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["year", "1999"] in [row[:2] for row in rows]
    assert "page 1, line 1: Web Letters 12 (1999) 1-9" in result.stdout
    (found,) = map(json.loads, run("papers", "--json", path).stdout.splitlines())
    assert (found["year"], found["venue"]) == (1999, "Web Letters")
    assert found["evidence"][0] == {
        "field": "year", "value": "1999", "source": "masthead", "confidence": 0.95,
        "page": 1, "line": 1, "text": "Web Letters 12 (1999) 1-9",
    }  # fmt: skip
    refused = run("papers", "--explain", "--json", path)
    assert refused.exit_code == 2
    assert "json has the evidence" in refused.stderr


def test_output_has_no_control_characters(tmp_path):
    path = tmp_path / "evil.txt"
    path.write_bytes(
        b"Learning [bold]spiders[/bold] for the \xc2\x9b2J\x1b[31mweb\nAnn Lee\n"
        b"University of Bonn\n\nAbstract\nYes, we learn."
    )
    result = run("papers", path)
    assert result.exit_code == 0
    assert not re.search(r"[\x1b\x9b]", result.stdout)
    assert "[bold]" in result.stdout


def test_train_references_and_use_them(model, files):
    path, result = model
    assert (result.exit_code, result.stderr) == (0, "")
    assert (
        f"{path}: a labeller for references (crf), {path.stat().st_size:,} bytes" in result.stdout
    )
    assert "words of 40 references" in result.stdout
    assert CrfLabeller.load(path).metadata["data"] == "references.txt"
    usual = run("papers", "--format", "json", files[0]).stdout
    mine = run("papers", "--format", "json", files[0], "--model", path).stdout
    assert mine != usual
    assert json.loads(mine)["header"] == json.loads(usual)["header"]


def test_train_headers_prints_json(tagged, tmp_path):
    path = tmp_path / "h.crf"
    result = run("train", "headers", tagged["headers"], "-o", path, "--json")
    assert result.exit_code == 0, result.output
    facts = json.loads(result.stdout)
    assert (facts["kind"], facts["items"], facts["bytes"]) == ("headers", 12, path.stat().st_size)
    assert CrfLabeller.load(path).kind == "headers"
    assert [each.name for each in tmp_path.iterdir()] == ["h.crf"]


@pytest.mark.parametrize("kind", ["headers", "references"])
def test_trains_and_uses_a_hidden_markov_model(tagged, files, tmp_path, kind):
    path = tmp_path / "model"
    result = run("train", kind, tagged[kind], "--method", "hmm", "-o", path, "--json")
    assert result.exit_code == 0, result.output
    facts = json.loads(result.stdout)
    assert (facts["method"], facts["kind"]) == ("hmm", kind)
    assert facts["bytes"] == path.stat().st_size
    usual = json.loads(run("papers", "--format", "json", files[0]).stdout)
    mine = json.loads(run("papers", "--format", "json", files[0], "--model", path).stdout)
    same = {"headers": "references", "references": "header"}[kind]
    assert mine[same] == usual[same]
    assert mine != usual
    assert mine["header"]["title"]
    second = run("papers", files[0], "--model", path, "--model", path)
    assert f"second model for {kind}" in second.stderr


def test_each_kind_of_labeller_has_help():
    for kind in ("headers", "references"):
        result = run("train", kind, "--help")
        assert result.exit_code == 0
        assert f" train {kind} [OPTIONS] TAGGED..." in result.stdout
    assert "lycosa train headers" in run("train", "--help").stdout


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["train", "headers", "REFERENCES", "-o", "OUT/x"], "correct the tags"),
        (["train", "headers", "OUT/none", "-o", "OUT/x"], "cannot be read"),
        (["train", "references", "REFERENCES", "-o", "OUT/no/x"], "cannot be written"),
        (["train", "references", "REFERENCES", "-o", "OUT"], "is a folder; give the name"),
        (["papers", "x.pdf", "--model", "REFERENCES"], "not a model file"),
        (["papers", "x.pdf", "--model", "MODEL", "--model", "MODEL"], "second model"),
    ],
)
def test_misuse_is_one_sentence(tagged, model, tmp_path, args, sentence):
    names = {"REFERENCES": tagged["references"], "MODEL": model[0]}
    result = run(*(str(names.get(a, a)).replace("OUT", str(tmp_path)) for a in args))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("lycosa: ")
    assert result.stderr.count("\n") == 1
    assert sentence in result.stderr
    assert list(tmp_path.iterdir()) == []
