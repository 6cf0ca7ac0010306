import json
import string
from dataclasses import replace
from html import escape
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.formats import bibtex, coins, csl, highwire, plain, ris
from lycosa.portal.records import Author, Work

PAPER = Work(
    "w1", "paper", "Spiders that learn", (Author("lee-a", "Ann Lee"), Author("roe-b", "Bob Roe")),
    1997, venue="Machine Learning", volume="12(2)", pages="101-120", url="http://a.edu/s.pdf",
)  # fmt: skip
texts = st.text(max_size=40)
works = st.builds(
    Work, st.just("w1"), st.sampled_from(["paper", "page", "cited"]), texts,
    st.lists(st.builds(Author, st.just("x"), texts), max_size=3).map(tuple),
    st.none() | st.integers(1600, 2099), venue=texts, volume=texts, pages=texts, abstract=texts,
    language=texts, url=texts,
)  # fmt: skip


@pytest.mark.parametrize(
    ("work", "expected"),
    [
        (PAPER, ("article", "JOUR", "article-journal")),
        (replace(PAPER, venue="Proc. of the Intl. Conf. on Webs"),
         ("inproceedings", "CONF", "paper-conference")),
        (replace(PAPER, venue="Univ. Technical Report 12", volume=""),
         ("techreport", "RPRT", "report")),
        (replace(PAPER, venue="", volume=""), ("misc", "GEN", "document")),
        (replace(PAPER, kind="page", venue=""), ("misc", "ELEC", "webpage")),
    ],
)  # fmt: skip
def test_the_venue_determines_the_kind_of_publication(work, expected):
    found = bibtex([work])[1:].partition("{")[0], ris(work)[6:10], csl(work)["type"]
    assert (found[0], found[1].strip(), found[2]) == expected


def test_splits_names_volumes_and_pages():
    assert [(a["family"], a["given"]) for a in csl(PAPER)["author"]] == [
        ("Lee", "Ann"),
        ("Roe", "Bob"),
    ]
    lines = ris(PAPER).split("\r\n")
    assert "AU  - Lee, Ann" in lines
    assert {"SP  - 101", "EP  - 120", "VL  - 12", "IS  - 2"} <= set(lines)
    assert ("citation_pdf_url", "http://a.edu/s.pdf") in list(highwire(PAPER))
    assert [v for k, v in highwire(PAPER) if k == "citation_author"] == ["Ann Lee", "Bob Roe"]
    assert parse_qs(coins(PAPER))["rft.au"] == ["Ann Lee", "Bob Roe"]


def test_equal_keys_are_made_unique():
    other = replace(PAPER, id="w2", title="Spiders that dream")
    text = bibtex([PAPER, other])
    assert text.count("@article{lee1997spiders") == 2
    assert text.count("@article{lee1997spiders,") == 1


@given(works)
def test_formats_stay_valid_whatever_a_work_contains(work):
    entry = bibtex([work])
    assert entry.count("{") == entry.count("}")
    for line in ris(work).split("\r\n")[:-1]:
        assert line[:2].isalnum()
        assert line[2:6] == "  - "
        assert not set(line) & set("\r\n\0")
    json.dumps(csl(work))
    assert "\n" not in plain(work)
    assert set(coins(work)) <= set(string.ascii_letters + string.digits + "-._~%=&+*")
    for name, content in highwire(work):
        assert name.startswith("citation_")
        assert content == " ".join(content.split())
        escape(content).encode("utf-8", "surrogatepass")
