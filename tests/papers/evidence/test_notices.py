import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.evidence.notices import MAX_NOTICE_CHARACTERS, find_notices

NOTICES = [
    ("A. Lee / Spider Letters 105 (2008) 93\u201397", [("masthead", 2008, "Spider Letters")]),
    ("Journal of Webs 12(3), 101-120 (1999)", [("masthead", 1999, "Journal of Webs")]),
    ("Journal of Webs 12:101-120, 1999", [("masthead", 1999, "Journal of Webs")]),
    ("JOURNAL OF WEBS, VOL. 21, NO. 4, APRIL 1999 357", [("masthead", 1999, "JOURNAL OF WEBS")]),
    ("J. Web Mech. (1998), vol. 362, pp. 1\u201325", [("masthead", 1998, "J. Web Mech.")]),
    ("Spiders 2017, 19, 7; doi:10.1234/s19", [("masthead", 2017, "Spiders")]),
    ("Volume 58 (2022), 329\u2013338", [("masthead", 2022, "")]),
    ("Vol. 23 no. 4 2007, pages 401-407", [("masthead", 2007, "")]),
    ("Vol. 12, pp. 1990-2010", []),
    ("J Web Pathol 2010;63:210e219.", [("masthead", 2010, "J Web Pathol")]),
    ("Web Genet. 2012 February 1; 5(1): 100-112.", [("masthead", 2012, "Web Genet")]),
    ("Z. Web. 43c, 24-28 (1988);", [("masthead", 1988, "Z. Web.")]),
    ("D234-D236 Web Research, 2010, Vol. 38", [("masthead", 2010, "Web Research")]),
    ("Web Research, 2010, Vol. 38, Database issue", [("masthead", 2010, "Web Research")]),
    ("WEB LETTERS, pp. 429-432, 1987.", [("masthead", 1987, "WEB LETTERS")]),
    ("J. WEB SOC., WEB COMMUN., 1989", [("masthead", 1989, "J. WEB SOC., WEB COMMUN.")]),
    ("\u00aa 2014 The Authors. Webs", [("copyright", 2014, "")]),
    ("March 2013 | Volume 8 | Issue 3", [("masthead", 2013, "")]),
    ("A. Lee et al. (Eds.): WEB 2004, LNCS 99, pp. 1\u20139, 2005.",
     [("proceedings", 2005, "WEB 2004, LNCS 99")]),
    ("In Proceedings of the 9th Workshop on Webs, pages 1-9, June 1999",
     [("proceedings", 1999, "Proceedings of the 9th Workshop on Webs")]),
    ("2010 International Conference on Webs",
     [("meeting", 2010, "International Conference on Webs")]),
    ("WEBS\u201908, October 19\u201324, 2008, Atlanta.", [("meeting", 2008, "WEBS\u201908")]),
    ("To appear in the Workshop on Webs (WEB 2019), Bled.",
     [("meeting", 2019, "Workshop on Webs")]),
    ("Article in Web Letters \u00b7 June 2017", [("cover", 2017, "Web Letters")]),
    ("1234-5678/10 $26.00 \u00a9 2010 The Press", [("copyright", 2010, "")]),
    ("c The Press Berlin 2004", [("copyright", 2004, "")]),
    ("for research. c 2000 The Press", [("copyright", 2000, "")]),
    ("Received: 2 May 2016; Accepted: 9 June 2016; Published: 1 January 2017",
     [("received", 2016, ""), ("accepted", 2016, ""), ("published", 2017, "")]),
]  # fmt: skip
PROSE = [
    "as Lee and Roe [Lee, 1999] have shown, and Roe (2004) again",
    "The method of Section 3 (see Lee 1998) is faster than that of 2004",
    "COVID-19",
    "pp. 359-370 in New Webs, 1991",
    "We thank the reviewers; this work was done in May 2004 in Paris.",
    "University of Webs, Austin, 1989",
    "Department of Webs, University of Texas, 78712 Austin",
]


@pytest.mark.parametrize(("line", "expected"), NOTICES)
def test_finds_year_and_venue_of_notices(line, expected):
    assert [(one.kind, one.year, one.venue) for one in find_notices(line)] == expected


@pytest.mark.parametrize("line", PROSE)
def test_prose_is_no_notice(line):
    assert find_notices(line) == []


def test_a_short_name_of_a_meeting_counts_only_in_the_margin():
    (found,) = find_notices("WEBS-07", in_margin=True)
    assert (found.year, found.venue) == (2007, "WEBS")
    assert find_notices("WEBS-93", in_margin=True)[0].year == 1993
    assert find_notices("WEBS-07 and flies", in_margin=True) == []


@given(st.text(max_size=3 * MAX_NOTICE_CHARACTERS), st.booleans())
def test_any_line_gives_plausible_years(text, in_margin):
    for notice in find_notices(text, in_margin=in_margin):
        assert notice.year is None or 1800 <= notice.year < 2100
        assert notice.year is not None or notice.venue


@given(st.sampled_from([line for line, _ in NOTICES]), st.text("\t  ", max_size=3))
def test_outer_space_does_not_matter(line, space):
    assert find_notices(space + line + space) == find_notices(line)
