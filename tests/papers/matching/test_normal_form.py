"""Normal forms of references."""

from __future__ import annotations

from time import process_time

import pytest

from lycosa.papers.matching.normal_form import author_keys, normalise
from lycosa.papers.matching.venues import venue_stems

STRENGTH = {
    "authors": "Robert E. Schapire",
    "title": "The strength of weak learnability",
    "venue": "Machine Learning",
    "year": "1990",
    "pages": "197-227",
    "volume": "5",
}


@pytest.mark.parametrize(
    "printed",
    [
        "Y. Freund and R. E. Schapire",
        "Freund, Y., & Schapire, R. E.",
        "Freund Y., Schapire R.E.",
        "Yoav Freund and Robert Schapire.",
        "Freund, Yoav and Schapire, Robert E.",
        "FREUND, Y.; SCHAPIRE, R.",
        "y. freund, , r. e. schapire,",
    ],
)
def test_authors_are_parsed_from_every_style(printed):
    found = author_keys(printed.lower())
    assert [tuple(name) for name in found] == [("freund", "y"), ("schapire", "r")]


def test_short_family_names_are_not_initials():
    assert [name.family for name in author_keys("kearns, m., li, m., and ng, a.")] == [
        "kearns",
        "li",
        "ng",
    ]


def test_authors_can_continue_in_the_title():
    broken = normalise(
        {"authors": "D. Haussler, M. Kearns and R.", "title": "Schapire (1991). `Bounds'"}
    )
    assert [name.family for name in broken.names] == ["haussler", "kearns", "schapire"]
    assert (broken.title, broken.year) == ("bounds", 1991)


def test_keeps_a_title_that_is_a_year():
    assert normalise({"title": "1984"}).title == "1984"


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("pp. 433-444.", (433, 444)),
        ("433--44", (433, 444)),
        ("pages 433444", (433, 444)),
        ("(2337)", (23, 37)),
        ("1298 \u2013 1328", (1298, 1328)),
        ("p. 43", (43, 0)),
        ("to appear", (0, 0)),
    ],
)
def test_parses_pages(text, pages):
    read = normalise({"pages": text})
    assert (read.first_page, read.last_page) == pages


def test_finds_values_in_the_wrong_field():
    read = normalise({"title": "On things", "note": "Inf. and Comput. 121 (1996) 256-285."})
    assert (read.year, read.first_page, read.last_page) == (1996, 256, 285)


@pytest.mark.parametrize(
    "where",
    [
        {"venue": "Machine Learning", "volume": "5(2)", "pages": "197-227"},
        {"venue": "machine learning 5(2):", "pages": "pp. 197-227."},
        {"venue": "Mach. Learn.,", "address": "5(2):197227,"},
        {"note": "Machine Learning 5 (1990) 197-227."},
        {"title": "The strength of weak learnability. Machine Learning,", "note": "5: 197--227"},
        {
            "title": "The strength of weak learnability. Machine Learning. Processed with a macro.",
            "note": "5: 197--227",
        },
    ],
)
def test_finds_volume_pages_and_venue_in_any_field(where):
    read = normalise({"title": "The strength of weak learnability", **where})
    assert (read.first_page, read.last_page, read.volume) == (197, 227, 5)
    assert (read.title, read.venue, read.kind) == (
        normalise(STRENGTH).title,
        ("lea", "mac"),
        "journal",
    )


def test_removes_a_second_venue_from_the_title():
    title = f"{STRENGTH['title']}. In Proc. of the first workshop on learning."
    assert normalise({**STRENGTH, "title": title}) == normalise(STRENGTH)


def test_a_meeting_in_the_publisher_is_the_venue():
    read = normalise({"title": "The strength of weak learnability", "publisher": "STOC-89."})
    assert (read.kind, read.venue) == ("meeting", venue_stems("acm stoc")[1:])


def test_dissertation_series_are_books():
    thesis = normalise({"title": "Weak learning", "venue": "Doctoral dissertation"})
    book = normalise({"title": "Weak learning", "venue": "ACM distinguished dissertation series"})
    assert (thesis.kind, book.kind) == ("thesis", "book")


@pytest.mark.parametrize(
    ("authors", "title"),
    [
        ("N. Cesa-Bianchi, Y. Freund,", "D.P. Helmbold, and M.K. Warmuth. How to use advice."),
        ("N. Cesa-Bianchi, Y. Freund, D. Helmbold,", "and M. K. Warmuth: How to use advice"),
        ("N. Cesa-Bianchi", "Y. Freund, D. Helmbold & M. Warmuth, How to use advice"),
    ],
)
def test_moves_authors_from_the_beginning_of_a_title(authors, title):
    read = normalise({"authors": authors, "title": title})
    families = [name.family for name in read.names]
    assert families == ["cesabianchi", "freund", "helmbold", "warmuth"]
    assert read.title == "howtouseadvice"


def test_keeps_author_like_words_in_the_title():
    assert normalise({"authors": "A. Roe and B. Doe", "title": "C. elegans: a worm"}).title == (
        "celegansaworm"
    )
    assert normalise({"title": "E. coli, again"}).title == "ecoliagain"
    assert normalise({"authors": "Kearns, M.", "title": "Boosting"}).title == "boosting"


def test_a_family_name_after_a_lone_initial_is_not_a_title():
    read = normalise({"authors": "D. Haussler, M. Kearns, R.", "title": "Schapire,"})
    assert (read.title, [name.family for name in read.names][-1]) == ("", "schapire")


def test_parses_a_year_after_an_address():
    note = "Available from http://www.example.com/~yoav (1996a)."
    assert normalise({"title": "Weak learning", "note": note}).year == 1996


@pytest.mark.parametrize(
    "piece", ["a. bb,  ", "a. bb and ", " ", "a.", "a. b'-", "& ", "in proc. "]
)
def test_adversarial_titles_are_parsed_quickly(piece):
    began = process_time()
    normalise({"authors": piece * 2000, "title": piece * 2000 + "!"})
    assert process_time() - began < 0.5


def test_report_numbers_are_not_pages():
    for where in ("Technical report UCSC-CRL-94-33,", "Tech. Rep. TR 94-33"):
        read = normalise({"title": "How to use expert advice", "venue": where})
        assert (read.kind, read.first_page, read.volume) == ("report", 0, 0)


def test_ignores_notes_about_other_versions():
    note = "An extended abstract appeared in Proc. 30th FOCS, pages 28-33, 1989."
    assert normalise({**STRENGTH, "note": note}) == normalise(STRENGTH)
    alone = normalise({"title": "Weak learning", "note": note})
    assert (alone.year, alone.first_page, alone.venue) == (0, 0, ())


@pytest.mark.parametrize(
    ("fields", "waiting"),
    [
        ({"venue": "Unpublished manuscript"}, True),
        ({"venue": "Machine Learning", "note": "to appear."}, True),
        ({"note": "submitted for publication"}, True),
        ({"venue": "In Proc. 21st STOC", "note": "to appear in JACM."}, False),
        ({"venue": "Machine Learning"}, False),
    ],
)
def test_recognises_forthcoming_works(fields, waiting):
    assert normalise(fields).waiting is waiting


def test_page_numbers_in_titles_are_not_part_numbers():
    assert normalise({"title": "Weakly learning DNF 10 and characterizing queries"}).parts == ()
    assert normalise({"title": "Combining regression estimates 29"}).parts == ()
    assert normalise({"title": "Weak learning, part 2: queries"}).parts == ("2",)
    assert normalise({"title": "Weak learning, part 12"}).parts == ("12",)


def test_abbreviated_venues_are_the_same_venue():
    assert venue_stems(
        "proc. twenty-fifth acm symp. on founda--tions of comput. sci."
    ) == venue_stems("25th annual a.c.m. symposium on foundations of computer science")
    assert venue_stems("j. of the assoc. comput. mach.") == venue_stems("jacm")
    full = venue_stems("journal of artificial intelligence research")
    assert venue_stems("j. artif. intell. res.") == full


def test_hyphenation_does_not_change_the_normal_form():
    broken = {**STRENGTH, "title": "The strength of weak learn- ability."}
    assert normalise(broken) == normalise(STRENGTH)


def test_the_number_of_a_volume_is_no_year():
    volume = {"title": "Garden webs", "venue": "Web Letters", "volume": "vol. 78,"}
    assert normalise(volume).year == 0
    assert normalise({**volume, "venue": "Proc. WEB '94"}).year == 1994
    assert normalise({**volume, "note": "May 1993"}).year == 1993
