"""The gold file of real PDFs, and how papers are compared with it."""

from bench.papers_gold import GoldDocument, compare, describe, load_gold

from lycosa.papers.evidence.evidence import Evidence, combine
from lycosa.papers.extraction.fields import FieldSpan, Header, Reference
from lycosa.papers.paper import Paper, PaperReference
from realdata import PAPERS
from recorded_sites import realdata

GOLD = GoldDocument(
    "a.pdf", "Spiders: a survey", "Part two", ("Ann Lee", "Zoë Roe"), 1999, "", 2, "Webs", "Traps"
)


def span(text):
    words = len(text.split())
    return (FieldSpan(text, 0.9, 0, words, 0, 0),)


def paper(title="Spiders a Survey", authors="Ann Lee and Zoe Roe", cited=("Webs", "Traps")):
    fields = {"title": span(title), "author": span(authors), "date": span("1999")}
    references = [PaperReference(t, Reference({"title": span(t)})) for t in cited]
    evidence = (Evidence("year", "1999", "masthead", 0.95, page=0),)
    return Paper(
        "text", Header(fields), tuple(references), evidence=evidence, facts=combine(evidence)
    )


def wrong(read):
    return {name for name, (right, _) in compare(GOLD, read).items() if not right}


def test_case_punctuation_and_accents_do_not_matter():
    assert wrong(paper()) == set()


def test_a_subtitle_may_be_part_of_the_title_but_nothing_else():
    assert wrong(paper("Spiders: A survey. Part two")) == set()
    assert wrong(paper("Spiders: A survey of webs")) == {"title"}


def test_names_count_in_order():
    assert wrong(paper(authors="Zoe Roe and Ann Lee")) == {"authors"}
    assert wrong(paper(authors="Ann Lee")) == {"authors"}


def test_a_list_of_references_may_differ_by_one():
    assert wrong(paper(cited=("Webs", "Prey", "Traps"))) == set()
    assert wrong(paper(cited=("Webs", "Prey", "Silk", "Traps"))) == {"references within one"}
    assert wrong(paper(cited=())) == {
        "references within one", "first reference", "last reference",
    }  # fmt: skip


def test_a_line_tells_what_was_read_instead():
    assert describe(GOLD, paper("Flies")) == "a.pdf: title: 'Flies'"
    assert describe(GOLD, paper()) == "a.pdf: right"
    assert describe(GOLD, Paper("damaged")) == "a.pdf: damaged"


@realdata
def test_the_gold_file_has_every_labelled_document_once():
    rows = (PAPERS / "labels.tsv").read_text().splitlines()
    labels = dict(row.split("\t") for row in rows)
    gold = {document.file: document for document in load_gold()}
    assert sorted(gold) == sorted(labels)
    assert len(load_gold()) == len(labels)
    for name, label in labels.items():
        if label == "paper":
            assert gold[name].title
            assert gold[name].authors
            assert gold[name].references
