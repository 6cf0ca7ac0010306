from dataclasses import replace

import httpx
from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.fields import Author, Work
from lycosa.portal.records import Copy
from lycosa.portal.signposting import link_header, link_set, work_links

WORK = Work("w1", "paper", "Webs", (Author("lee-a", "Ann Lee"),), licence="CC-BY-4.0")
COPY = Copy("d1", "http://a.edu/1.pdf", "", "application/pdf", 9, "", "", 1)


def links(work, *copies):
    return work_links(work, copies, lambda path: f"https://papers.example.org{path}")


def relations(found):
    return {link.relation: link.url for link in found}


def test_a_work_without_a_doi_is_cited_by_its_page():
    assert relations(links(WORK))["cite-as"] == "https://papers.example.org/work/w1"
    at_arxiv = replace(WORK, arxiv="1905.12345")
    assert relations(links(at_arxiv))["cite-as"] == "https://arxiv.org/abs/1905.12345"
    licence = relations(links(WORK))["license"]
    assert licence == "https://creativecommons.org/licenses/by/4.0/"
    assert "license" not in relations(links(replace(WORK, licence="")))


def test_a_long_header_keeps_the_first_links_and_the_link_set_has_all():
    copies = [replace(COPY, url=f"http://a.edu/{'x' * 300}/{n}.pdf") for n in range(50)]
    found = links(WORK, *copies)
    header = link_header(found)
    assert len(header) <= 2000
    assert {"linkset", "cite-as", "license", "item"} <= httpx.Response(
        200, headers={"Link": header}
    ).links.keys()
    [context] = link_set("x", found)["linkset"]
    assert len(context["item"]) == 50


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_hostile_urls_and_types_stay_inside_their_link(url, kind, doi):
    hostile = replace(COPY, url=f"http://a.edu/{url}", type=kind)
    header = link_header(links(replace(WORK, doi=doi), hostile))
    assert header.isascii()
    assert header.isprintable()
    plain = link_header(links(replace(WORK, doi="10.1/x" if doi else ""), COPY))
    assert header.count('; rel="') == plain.count('; rel="')
    assert header.count("<") == header.count(">") == plain.count("<")
