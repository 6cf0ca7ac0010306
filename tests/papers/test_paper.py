"""Reading of papers from every kind of file, damaged ones included."""

import gzip

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lycosa.documents.worker import OUTCOMES
from lycosa.errors import UsageError
from lycosa.papers.extraction.crf_labeller import train_crf_labeller
from lycosa.papers.paper import (
    NO_SUCH_FILE,
    UNREADABLE,
    Paper,
    PaperReader,
    load_extractor,
    read_papers,
)
from lycosa.papers.synthetic import generate_references
from lycosa.sites.generated import World

WORLD = World(seed=4, departments=2, pages=200)
PLAIN = """Spiders that learn to hunt
Ann Lee
University of Texas, Austin

Abstract
We teach spiders to hunt for pages on the web, as others did before us [2].

1. Introduction
Spiders hunt, and some of them wait [1].

References
[1] B. Roe. Webs and spiders in the wild. Machine Learning, 12(2):101-120, 1997.
[2] C. Fox and D. Elk. Learning to hunt in large webs. In Proceedings of the
    National Conference on Artificial Intelligence, pages 7-12, 1998.
"""


@pytest.fixture(scope="module")
def reader():
    with PaperReader() as reader:
        yield reader


def bodies(section, count):
    site = WORLD.department(0)
    numbers = site.plan.layout.range(section)[:count]
    return {number: site.response(number).body for number in numbers}


def test_reads_plain_text(reader):
    paper = reader.read(PLAIN.encode(), "text/plain")
    assert paper.outcome == "text"
    assert paper.header.title == "Spiders that learn to hunt"
    assert [str(name) for name in paper.header.authors] == ["Lee, Ann"]
    one, two = paper.references
    assert (one.fields.year, one.fields.pages) == (1997, (101, 120))
    assert one.text.startswith("[1] B. Roe. Webs")
    assert two.fields.title == "Learning to hunt in large webs"
    assert [name.family for name in two.fields.authors] == ["Fox", "Elk"]


def test_line_numbers_count_on_the_page(reader):
    first, _, second = PLAIN.partition("References\n")
    paper = reader.read(f"{first}\fReferences\n{second}".encode(), "text/plain")
    assert [(one.page, one.line) for one in paper.references] == [(1, 1), (1, 2)]
    assert paper.pages == 2


def test_contexts_contain_the_citing_sentence(reader):
    one, two = reader.read(PLAIN.encode(), "text/plain").references
    assert any("wait [1]" in context for context in one.contexts)
    assert not any("wait [1]" in context for context in two.contexts)


def test_reads_html_and_gzip(reader):
    html = "<html><body>" + "".join(f"<p>{line}</p>" for line in PLAIN.splitlines())
    for body in (html.encode(), gzip.compress(PLAIN.encode())):
        paper = reader.read(body)
        assert paper.header.title == "Spiders that learn to hunt"
        assert [one.fields.year for one in paper.references] == [1997, 1998]


def test_fields_of_generated_papers(reader):
    right = 0
    found = bodies("paper", 8)
    for number, body in found.items():
        paper = reader.read(body, "application/pdf")
        true = WORLD.library.paper(0, number)
        right += paper.header.title == true.title
        assert paper.is_paper
        assert paper.confidence > 0.5
        assert paper.pages > 0
        assert paper.record()["title"] == paper.header.title
    assert right >= len(found) - 2


def test_handouts_are_read_but_are_not_papers(reader):
    for body in bodies("document", 5).values():
        paper = reader.read(body, "application/pdf")
        assert (paper.outcome, paper.is_paper) == ("text", False)


def test_unreadable_documents_have_an_outcome(reader, tmp_path):
    assert reader.read(b"%PDF-1.4 and then nothing").outcome == "damaged"
    assert reader.read(b"").outcome == "no-text"
    assert reader.file(tmp_path / "none.pdf") == Paper(NO_SUCH_FILE)
    assert reader.file(tmp_path) == Paper(UNREADABLE)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode)))
def test_any_bytes_have_an_outcome(reader, body):
    paper = reader.read(body)
    assert paper.outcome in OUTCOMES
    assert 0 <= paper.confidence <= 1


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_damaged_papers_have_an_outcome(reader, data):
    body = bytearray(next(iter(bodies("paper", 1).values())))
    for _ in range(data.draw(st.integers(1, 20))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(1, len(body)))
    assert reader.read(bytes(body[:cut])).outcome in OUTCOMES


def test_results_do_not_depend_on_the_number_of_processes(tmp_path):
    files = [tmp_path / "none.pdf"]
    for number, body in bodies("paper", 3).items():
        files.append(tmp_path / f"{number}.pdf")
        files[-1].write_bytes(body)
    alone, together = list(read_papers(files)), list(read_papers(files, jobs=2))
    assert alone == together
    assert [paper.outcome for paper in alone] == [NO_SUCH_FILE, "text", "text", "text"]


def test_refuses_two_models_of_one_kind(tmp_path):
    path = tmp_path / "mine.crf"
    path.write_bytes(train_crf_labeller("references", generate_references(30, seed=2)))
    assert load_extractor([path]).reference("A. Lee. Spiders. 1997.").year == 1997
    with pytest.raises(UsageError, match="second model for references"):
        load_extractor([path, path])
    path.write_bytes(b"hello")
    with pytest.raises(UsageError, match="not a model file"):
        next(read_papers([tmp_path / "a.pdf", tmp_path / "b.pdf"], [path], jobs=2))
