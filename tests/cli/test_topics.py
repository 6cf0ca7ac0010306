"""`lycosa topics` from a corpus to an explanation, as a person would type it."""

import json

import pytest
from click.testing import CliRunner

from lycosa.cli import main
from lycosa.topics.hierarchy import Hierarchy
from subject_documents import documents, subject_words


def run(*args, **options):
    return CliRunner().invoke(main, ["topics", *map(str, args)], **options)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("topics")
    corpus, truth = documents(3, each=40)
    rows = [f"d{name}\t{title}" for name, title in zip(corpus.names, corpus.titles, strict=True)]
    (folder / "documents.tsv").write_text("\n".join(["id\ttitle", *rows]))
    lines = [f"  S{n}: {', '.join(subject_words(n)[:3])}\n    > note {n}" for n in range(2)]
    more = ", ".join(subject_words(2)[:3])
    (folder / "topics.txt").write_text("\n".join(["# Mine", "Both", *lines, f"S2: {more}, idle"]))
    cites = [f"d{n}\td{n + 3}" for n in range(len(truth) - 3)]
    (folder / "cites.tsv").write_text("\n".join(["citing\tcited", *cites]))
    return folder


@pytest.fixture(scope="module")
def model(folder):
    path = folder / "topics.model"
    done = run("fit", folder / "topics.txt", folder / "documents.tsv", "-o", path)
    return path, done


def test_check_prints_the_size_of_a_topic_file(folder):
    result = run("check", folder / "topics.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{folder / 'topics.txt'}: 4 topics, 3 leaves, 10 keywords")


def test_check_counts_labelled_documents(folder):
    result = run("check", folder / "topics.txt", folder / "documents.tsv")
    assert result.exit_code == 0
    assert "documents are labelled by a keyword" in result.stdout
    assert "Keywords that match no document:\n  S2: idle\n" in result.stdout
    facts = json.loads(
        run("check", folder / "topics.txt", folder / "documents.tsv", "--json").stdout
    )
    assert facts["documents"] == 120
    assert facts["idle"] == ["S2: idle"]
    assert [row["path"] for row in facts["reached"]] == ["Both", "Both/S0", "Both/S1", "S2"]
    decided = sum(row["decides"] for row in facts["reached"])
    assert facts["share"] == pytest.approx(decided / 120, abs=1e-4)


def test_check_lists_every_error_with_its_line(tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_text("Birds: owl, owl\nFish\n")
    result = run("check", bad)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "line 1: the keyword 'owl' occurs twice" in result.stderr
    assert "line 2: 'Fish' has neither keywords" in result.stderr


def test_check_accepts_templates_and_lists_shared_keywords(tmp_path):
    assert run("check", "computer-science").stdout.startswith("computer-science: 81 topics")
    twice = tmp_path / "twice.txt"
    twice.write_text("A: owl\nB: owls, eagle\n")
    assert "owl: A; B" in run("check", twice).stdout


def test_templates_are_listed_and_printed():
    assert "local-government: " in run("template").stdout
    assert [each["name"] for each in json.loads(run("template", "--json").stdout)]
    text = run("template", "computer-science").stdout
    assert len(Hierarchy.parse(text).leaves) == 70
    result = run("template", "computer")
    assert result.exit_code == 2
    assert "did you mean 'computer-science'?" in result.stderr


def test_fit_prints_rounds_and_a_summary(model):
    path, done = model
    assert (done.exit_code, done.stderr) == (0, "")
    assert "likelihood" in done.stdout
    assert "in 3 of 3 leaf topics" in done.stdout
    assert f"Next: lycosa topics show {path}" in done.stdout


def test_fit_takes_citations_and_prints_json(folder, tmp_path):
    out = tmp_path / "cited.model"
    result = run(
        "fit", folder / "topics.txt", folder / "documents.tsv", "--json",
        "--citations", folder / "cites.tsv", "--rounds", 1, "-o", out,
    )  # fmt: skip
    facts = json.loads(result.stdout)
    assert (facts["documents"], facts["citations"], facts["leaves"]) == (120, 117, 3)
    assert len(facts["rounds"]) == 2
    assert facts["bytes"] == out.stat().st_size


def test_fit_checks_the_output_file_before_training(folder):
    result = run("fit", folder / "topics.txt", folder / "documents.tsv", "-o", folder)
    assert result.exit_code == 2
    assert "is a folder; give the name of a file in it" in result.stderr


def test_show_draws_the_tree(model):
    result = run("show", model[0])
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "Mine"
    assert "Both  80" in lines[1]
    assert any("S2  40" in line for line in lines)
    only = run("show", model[0], "--depth", 1, "--words", 0).stdout
    assert "S0" not in only
    assert "Both  80\n" in only


def test_show_prints_one_topic_as_json(model):
    facts = json.loads(run("show", model[0], "both/s1", "--titles", 3, "--json").stdout)
    (topic,) = facts["topics"]
    assert (topic["path"], topic["documents"]) == ("Both/S1", 40)
    assert set(topic["words"]) <= set(subject_words(1))
    assert len(topic["examples"]) == 3
    assert "did you mean" in run("show", model[0], "Both/S9").stderr


def test_suggest_lists_keywords_for_a_topic_file(folder, tmp_path):
    new = tmp_path / "new.txt"
    result = run("suggest", folder / "topics.txt", folder / "documents.tsv", "--write", new)
    assert result.exit_code == 0
    assert "documents more, such as" in result.stdout
    revised = Hierarchy.read(new)
    old = Hierarchy.read(folder / "topics.txt")
    assert [topic.name for topic in revised] == [topic.name for topic in old]
    assert [topic.note for topic in revised] == [topic.note for topic in old]
    assert all(set(b.keywords) >= set(a.keywords) for a, b in zip(old, revised, strict=True))
    assert len(revised[2].keywords) > 3
    again = run("suggest", folder / "topics.txt", folder / "documents.tsv", "--write", new)
    assert again.exit_code == 2
    assert "already exists" in again.stderr


def test_suggest_prints_one_topic_as_json(folder):
    result = run(
        "suggest", folder / "topics.txt", folder / "documents.tsv", "--topic", "S2", "--json"
    )
    (topic,) = json.loads(result.stdout)["topics"]
    assert topic["path"] == "S2"
    assert {p["keyword"] for p in topic["proposals"]}.isdisjoint(topic["keywords"])


def test_suggest_without_a_topic_file_prints_a_tree(folder, tmp_path):
    result = run("suggest", folder / "documents.tsv", "--topics", 3)
    assert (result.exit_code, result.stderr) == (0, "")
    tree = Hierarchy.parse(result.stdout)
    assert tree[0].name == "Topics proposed for documents.tsv"
    assert len(tree.leaves) == 3
    assert "# 40 documents, such as" in result.stdout
    facts = json.loads(run("suggest", folder / "documents.tsv", "--topics", 3, "--json").stdout)
    assert [topic["documents"] for topic in facts["topics"]] == [40, 40, 40]
    written = tmp_path / "proposed.txt"
    run("suggest", folder / "documents.tsv", "--topics", 3, "--write", written)
    assert written.read_text() == result.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("a", "b", "c"), "or a corpus alone"),
        (("documents.tsv", "--all"), "--topic and --all need a topic file"),
        (("topics.txt", "documents.tsv", "--topics", "5"), "--topics is for a corpus alone"),
        (("missing.txt", "documents.tsv"), "missing.txt does not exist: give a topic file, or"),
        (("missing.tsv",), "missing.tsv cannot be read"),
    ],
)
def test_misuse_of_suggest_is_one_sentence(folder, monkeypatch, args, said):
    monkeypatch.chdir(folder)
    result = run("suggest", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_explain_shows_words_and_second_choices(model, folder):
    facts = json.loads(
        run("explain", model[0], "d1", "--corpus", folder / "documents.tsv", "--json").stdout
    )
    assert facts["document"] == "d1"
    assert facts["topic"]["path"] == "Both/S1"
    assert facts["topics"][0]["probability"] >= facts["topic"]["probability"] > 0.5
    assert facts["second"]["path"] != "Both/S1"
    assert {r["what"] for r in facts["reasons"] if r["weight"] > 0.5} <= set(subject_words(1))
    text = run("explain", model[0], "d1").stdout
    assert "Evidence for Both/S1, and for the second choice, " in text


def test_explain_reads_stdin_and_files(model, tmp_path):
    words = " ".join(subject_words(2)[:4])
    piped = json.loads(run("explain", model[0], "-", "--json", input=words).stdout)
    assert piped["topic"]["path"] == "S2"
    page = tmp_path / "page.txt"
    page.write_text(words)
    assert "Evidence for S2" in run("explain", model[0], page).stdout
    unknown = run("explain", model[0], "-", input="zebra").stdout
    assert "outside the tree" in unknown
    against = run("explain", model[0], "-", "--topic", "both", "--json", input=words)
    assert json.loads(against.stdout)["topic"]["path"] == "Both"


def test_explain_refuses_unknown_documents(model, folder):
    result = run("explain", model[0], "d1o", "--corpus", folder / "documents.tsv")
    assert result.exit_code == 2
    assert "did you mean 'd10'" in result.stderr or "did you mean 'd1'" in result.stderr
    alone = run("explain", model[0], "d1", "--citations", folder / "cites.tsv")
    assert "--citations needs --corpus" in alone.stderr
    broken = folder / "broken.model"
    broken.write_bytes(b"no model")
    assert run("show", broken).exit_code == 2
