"""Generated papers: the printed text equals the fields in the library."""

import pypdfium2
import pytest

from lycosa.sites.generated import World
from lycosa.sites.generated.pdf import PdfWriter, wrap


def text_of(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    try:
        pages = []
        for page in document:
            text = page.get_textpage()
            pages.append(text.get_text_range())
            text.close()
            page.close()
        return " ".join(" ".join(pages).split())
    finally:
        document.close()


@pytest.fixture(scope="module")
def world() -> World:
    return World(1, departments=3, pages=800)


def test_a_paper_prints_its_fields_and_references(world: World) -> None:
    for index in range(3):
        site = world.department(index)
        for number in site.wanted("papers").tolist()[::9]:
            paper = world.library.paper(index, number)
            text = text_of(site.response(number).body)
            places = [text.index(paper.title), text.index(paper.authors[0])]
            places += [text.index(paper.affiliations[0]), text.index("Abstract")]
            places += [text.index(paper.abstract), text.index("Introduction")]
            assert places == sorted(places)
            assert all(author in text for author in paper.authors)
            start = text.upper().rindex(" REFERENCES ")
            references = world.library.references(index, number)
            assert references
            found = [text.index(reference.text, start) for reference in references]
            assert found == sorted(found)


def test_papers_have_several_pages_and_a_title(world: World) -> None:
    site = world.department(0)
    counts = set()
    for number in site.wanted("papers").tolist()[:40]:
        document = pypdfium2.PdfDocument(site.response(number).body)
        counts.add(len(document))
        title = document.get_metadata_dict()["Title"]
        assert title == world.library.paper(0, number).title
        document.close()
    assert counts <= {2, 3, 4, 5, 6}
    assert len(counts) > 2


def test_cited_papers_are_older_and_printed_as_cited(world: World) -> None:
    library = world.library
    across = 0
    for number in world.department(0).wanted("papers").tolist():
        citing = library.paper(0, number)
        references = library.references(0, number)
        places = [reference.cited for reference in references if reference.cited]
        assert places == library.cites(0, number)
        assert len(set(places)) == len(places)
        for reference in references:
            if reference.cited is None:
                continue
            site, paper = reference.cited
            assert paper in world.department(site).plan.wanted("papers")
            cited = library.paper(site, paper)
            assert cited.year < citing.year
            assert cited.title in reference.text
            assert str(cited.year) in reference.text
            assert all(author.rsplit(" ", 1)[1] in reference.text for author in cited.authors)
            across += site != 0
    assert across > 20


def test_citations_are_skewed_and_prefer_the_topic(world: World) -> None:
    library = world.library
    counts: dict[tuple[int, int], int] = {}
    same = total = 0
    for site in range(3):
        for number in world.department(site).wanted("papers").tolist():
            topic = library.paper(site, number).topic
            for cited in library.cites(site, number):
                counts[cited] = counts.get(cited, 0) + 1
                same += library.paper(*cited).topic == topic
                total += 1
    assert max(counts.values()) > 4 * total / len(counts)
    assert same > 0.3 * total


def test_titles_are_mostly_unique() -> None:
    world = World(0, departments=1, pages=20_000)
    papers = world.department(0).wanted("papers").tolist()
    titles = {world.library.title(0, number) for number in papers}
    assert len(titles) > 0.97 * len(papers)


def test_homework_does_not_have_the_words_of_a_paper(world: World) -> None:
    site = world.department(0)
    for section in ("document", "form"):
        text = text_of(site.response(site.plan.layout.number(section, 1)).body)
        assert len(text) > 50
        assert "Abstract" not in text
        assert "References" not in text


def test_writer_escapes_and_encodes() -> None:
    writer = PdfWriter("A (strange) \\ title")
    writer.page()
    writer.line(72, 700, "Zoë (and) José \\ Jürgen", "roman", 12)
    assert text_of(bytes(writer)) == "Zoë (and) José \\ Jürgen"


def test_lines_fit() -> None:
    lines = wrap("one two three four five six seven " * 20, "roman", 10, 100)
    assert all(len(line) < 30 for line in lines)
    assert " ".join(lines).split() == ("one two three four five six seven " * 20).split()
