from lycosa.documents.layout import TextLine
from lycosa.papers.evidence.evidence import combine
from lycosa.papers.evidence.paper_evidence import EvidenceSource, collect_evidence
from lycosa.papers.extraction.fields import FieldSpan, Header

PROSE = "Spiders hunt at night, and many of them hunt by day"


def page(*notices, size=8.0):
    """Return a page: a title, prose in size 10, and small lines below it."""
    lines = [TextLine("Spiders that learn", 0, 72, 740, 200, 16), TextLine("Ann Lee", 0, 72, 720)]
    lines[1] = lines[1]._replace(size=11.0)
    lines += [TextLine(PROSE, 0, 72, 700 - 12 * n, 300, 10) for n in range(40)]
    lines += [TextLine(text, 0, 72, 180 - 10 * n, 300, size) for n, text in enumerate(notices)]
    return lines


def facts(lines, header=None, **more):
    source = EvidenceSource(header or Header(), lines, lines[:2], **more)
    return {name: one.value for name, one in combine(collect_evidence(source)).items()}


def test_reads_notices_in_small_print_with_their_place():
    lines = page("Web Letters 12 (1999) 1-9", "\u00a9 1998 The Press")
    source = EvidenceSource(Header(), lines, lines[:2])
    first, second, third = collect_evidence(source)
    assert (first.field, first.value, first.source) == ("year", "1999", "masthead")
    assert (first.page, first.line, first.text) == (0, 42, "Web Letters 12 (1999) 1-9")
    assert (second.field, second.value) == ("venue", "Web Letters")
    assert (third.value, third.source) == ("1998", "copyright")


def test_does_not_read_prose():
    lines = page()
    lines[20] = lines[20]._replace(text="Web Letters 12 (1999) 1-9")
    assert facts(lines) == {}


def test_does_not_read_the_abstract():
    lines = page()
    lines[1] = lines[1]._replace(text="Web Letters 12 (1999) 1-9")
    abstract = FieldSpan("Web Letters", 0.9, 0, 2, 1, 1)
    assert facts(lines)["year"] == "1999"
    assert facts(lines, Header({"abstract": (abstract,)})) == {}


def test_reads_identifiers_and_licences_that_lines_break():
    found = facts(
        page(
            "https://doi.org/10.1234/",
            "webs.1999.7",
            "(https://creativecommons.org/licenses/by-sa/",
            "4.0/), ISSN 0378-5955",
        )
    )
    assert found["doi"] == "10.1234/webs.1999.7"
    assert found["licence"] == "CC-BY-SA-4.0"
    assert found["issn"] == "0378-5955"
    assert found["year"] == "1999"


def test_a_cover_before_the_header_is_read():
    cover = [
        TextLine("Article in Web Letters \u00b7 June 2017", 0, 72, 600, 200, 10),
        *(TextLine(PROSE, 0, 72, 700 - 12 * n, 300, 10) for n in range(9)),
    ]
    own = [line._replace(page=1) for line in page()]
    source = EvidenceSource(Header(), [*cover, *own], own[:2])
    found = combine(collect_evidence(source))
    assert (found["year"].value, found["venue"].value) == ("2017", "Web Letters")


def test_an_identifier_in_prose_is_that_of_another_work():
    lines = page()
    lines[20] = lines[20]._replace(text="as in doi:10.1234/other and arXiv:1905.12345")
    assert facts(lines) == {}


def test_reads_stamps_and_running_heads():
    stamp = TextLine("arXiv:1905.12345v2 [cs.IT] 2 June 2020")
    assert facts(page(), margin=[stamp]) == {"arxiv": "1905.12345", "year": "2019"}
    assert facts(page(), margin=[TextLine("WEBS-07")]) == {"year": "2007", "venue": "WEBS"}


def test_a_journal_stands_above_its_volume():
    lines = [TextLine("WEBS AND SPIDERS", 0, 72, 780, 99, 9), *page()]
    lines.insert(1, TextLine("Tomus 58 (2022), 329-338", 0, 72, 770, 99, 9))
    assert facts(lines) == {"venue": "WEBS AND SPIDERS", "year": "2022"}


def test_the_date_of_the_header_counts_unless_it_is_one_of_receipt():
    dated = Header({"date": (FieldSpan("May 1999", 0.9, 0, 2, 1, 1),)})
    received = Header({"date": (FieldSpan("Received May 1999", 0.9, 0, 3, 1, 1),)})
    assert facts(page(), dated) == {"year": "1999"}
    assert facts(page(), received) == {}


def test_file_name_and_creation_date_count_together():
    created = {"CreationDate": "D:20120420175457+10'00'"}
    assert facts(page(), information=created) == {}
    assert facts(page(), name="webs12.pdf") == {}
    assert facts(page(), information=created, name="webs12.pdf") == {"year": "2012"}
    assert facts(page(), information=created, name="webs-2012-final.pdf") == {"year": "2012"}
    assert facts(page(), information=created, name="webs-2011.pdf") == {}


def test_reads_how_to_cite_a_paper():
    assert (
        facts(page("Citation: Lee, A. Spiders", "that learn. Webs 2022, 4, 12"))["year"] == "2022"
    )


def test_an_empty_document_has_no_evidence():
    assert collect_evidence(EvidenceSource(Header(), [])) == []
