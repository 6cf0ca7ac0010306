"""Hidden Markov models for synthetic and real headers and references."""

import pytest

from lycosa.errors import UnknownName, UsageError
from lycosa.papers.extraction.header_hmm import STRUCTURES, train_header_hmm
from lycosa.papers.extraction.hmm_labeller import AUTOMATIC, READINGS, HmmLabeller
from lycosa.papers.extraction.labeller import HeaderLine
from lycosa.papers.extraction.reference_hmm import train_reference_hmm
from lycosa.papers.extraction.tagged import NEW_HEADER, Token, parse_tagged, read_headers
from lycosa.papers.extraction.tokens import collapse_regions, header_tokens, normalise_word
from lycosa.papers.synthetic import generate_references
from realdata import CORPORA
from recorded_sites import realdata

HEADERS = CORPORA / "cora-headers" / "tagged_headers.txt"
needs_headers = pytest.mark.skipif(not HEADERS.is_file(), reason=f"no headers at {HEADERS}")

TEXT = """
<NEW_HEADER> <title> Web Spiders +L+ that Learn +L+ </title> <author> Ann B. Lee +L+ </author>
<affiliation> Department of Computer Science, +L+ </affiliation>
<email> lee@x.edu +L+ </email> <abstract> Abstract +L+ We crawl the web . +L+ </abstract>
<intro> 1 Introduction </intro>
<NEW_HEADER> <note> To appear +L+ </note> <title> Learning Webs +L+ </title>
<author> Bob C. Ray +L+ </author> <affiliation> University of Computer Science +L+ </affiliation>
<abstract> Abstract +L+ We learn . +L+ </abstract> <page> +PAGE+ </page>
<NEW_HEADER> <title> Webs +L+ </title> <author> Eve D. Kay +L+ </author>
<affiliation> Institute of Science +L+ </affiliation> <intro> Introduction </intro>
"""
SOME = parse_tagged(TEXT, NEW_HEADER)


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("reading", READINGS)
def test_labels_its_training_items(structure, reading):
    labeller = train_header_hmm(SOME, structure, reading)
    for item in SOME:
        tags = labeller.tag(item)
        assert [tag.label for tag in tags] == [token.label for token in item]
        assert all(0 < tag.confidence <= 1 for tag in tags)


def test_a_new_plain_text_header_is_labelled():
    tokens = header_tokens("Web Spiders\nDan E. Fox\nDepartment of Science\n1. Introduction\nA")
    labels = [
        tag.label for tag in train_header_hmm([collapse_regions(item) for item in SOME]).tag(tokens)
    ]
    assert labels == ["title"] * 2 + ["author"] * 3 + ["affiliation"] * 3 + ["intro"]


def test_tokens_without_letters_get_the_label_before():
    tags = train_header_hmm(SOME).tag([Token("*"), Token("Web"), Token("--"), Token("Spiders")])
    assert [tag.label for tag in tags] == ["title"] * 4
    assert tags[0] == tags[1] == tags[2]
    assert train_header_hmm(SOME).tag([Token("--")])[0].confidence == 0.0
    assert train_header_hmm(SOME).tag([]) == []


def test_any_words_are_labelled():
    strange = [Token(text) for text in ("\x00", "日本語", "<title>", "é" * 999, "1e999")]
    assert len(train_header_hmm(SOME).tag(strange)) == 5


def test_a_loaded_labeller_equals_the_saved_one(tmp_path):
    labeller = train_header_hmm(SOME, "v-merged")
    labeller.save(tmp_path / "headers.hmm")
    again = HmmLabeller.load(tmp_path / "headers.hmm")
    assert (again.kind, again.reading) == ("headers", "printed")
    assert [again.tag(item) for item in SOME] == [labeller.tag(item) for item in SOME]
    about = {"kind": "headers", "reading": "printed"}
    for odd in ({"reading": "aloud"}, {"kind": "letters"}, {"kind": ["headers"]}, {"kind": None}):
        labeller.tagger.save(tmp_path / "odd.hmm", **{**about, **odd})
        with pytest.raises(UsageError, match="not a model for headers"):
            HmmLabeller.load(tmp_path / "odd.hmm")
    with pytest.raises(UsageError, match="No such file"):
        HmmLabeller.load(tmp_path / "none.hmm")


def test_layout_is_ignored():
    labeller = train_header_hmm(SOME)
    looks = [HeaderLine("Web Spiders", 2.0, True, True, 1.0)]
    assert labeller.tag(SOME[0], looks) == labeller.tag(SOME[0])


def test_invalid_arguments_are_refused():
    with pytest.raises(UnknownName, match="did you mean 'v-merged'"):
        train_header_hmm(SOME, "w-merged")
    with pytest.raises(UnknownName, match="no structure 'm-merged'"):
        train_reference_hmm(SOME, "m-merged")
    with pytest.raises(UnknownName, match="no reading 'aloud'"):
        train_header_hmm(SOME, reading="aloud")
    with pytest.raises(UsageError, match="label some"):
        train_header_hmm([[Token("A")], []])


@pytest.mark.parametrize("structure", AUTOMATIC)
def test_training_on_synthetic_references_generalises(structure):
    labeller = train_reference_hmm(generate_references(150, seed=1), structure)
    right = total = 0
    for item in generate_references(60, seed=2):
        for token, tag in zip(item, labeller.tag(item), strict=True):
            total += 1
            right += token.label == tag.label
    assert right / total > 0.85


@realdata
@needs_headers
def test_sizes_of_structures_equal_those_of_the_publication():
    headers = [collapse_regions(item) for item in read_headers(HEADERS)[:500]]
    labels = [[t.label for t in item if t.label and normalise_word(t.text)] for item in headers]
    sizes = {name: STRUCTURES[name](labels) for name in ("one-state", "v-merged")}
    assert [(s.states, s.transitions) for s in sizes.values()] == [(17, 149), (155, 402)]


@realdata
@needs_headers
@pytest.mark.parametrize(("reading", "least"), [("plain", 0.885), ("printed", 0.93)])
def test_accuracy_on_real_headers(reading, least):
    headers = [collapse_regions(item) for item in read_headers(HEADERS)[:500]]
    labeller = train_header_hmm(headers[:350], reading=reading)
    known = [[t for t in item if t.label and normalise_word(t.text)] for item in headers[350:]]
    right = [t.label == g.label for i in known for t, g in zip(i, labeller.tag(i), strict=True)]
    assert sum(right) / len(right) > least
