"""A floor for the shipped header model: invented headers in usual layouts of journals."""

import pytest

from lycosa.papers.extraction.extractor import Extractor

JOURNAL = """Contents lists available at SpiderDirect
Journal of Web Spiders
journal homepage: www.example.com/locate/jws
Adaptive hunting strategies of orb-weaving agents in
dynamic networks
Maria Gonzalez a, Wei Chen b,*, Pierre Dubois a,b
a Department of Biology, University of Lyon, 69622 Villeurbanne, France
b Institute of Automation, Academy of Sciences, Beijing 100190, China
A R T I C L E I N F O
Article history:
Received 3 March 2015
Accepted 12 May 2015
A B S T R A C T
We study how agents hunt. The results show that they hunt well in networks."""

BANNERS = """RESEARCH ARTICLE
Open Access
Prevalence of arachnophobia in rural communities:
a cross-sectional study
Jane A. Smith1*\u2020, Rajesh Kumar2\u2020 and Ana Sofia Pereira1,3
Abstract
Background: Fear of spiders is common.
Methods: We asked 200 people.
* Correspondence: jane.smith@example.ac.uk
1School of Psychology, University of Leeds, Leeds LS2 9JT, UK"""

COLUMNS = """Proceedings of the 12th Conference on Hunting, pages 112-120, Lisbon, Portugal.
Learning to Crawl with Little Data
John Q. Public
Stanford University
jqp@cs.example.edu
Mei-Ling Wu
Spider Research
mlwu@example.com
Abstract
We present a crawler."""

FRENCH = """L'apprentissage des araign\u00e9es du Web
Jean-Pierre Martin, Anne-Sophie Le Goff
LIRMM, Universit\u00e9 de Montpellier, 161 rue Ada, 34095 Montpellier Cedex 5, France
{martin,legoff}@example.fr
R\u00e9sum\u00e9. Nous \u00e9tudions les araign\u00e9es."""


@pytest.mark.parametrize(
    ("text", "title", "authors"),
    [
        (
            JOURNAL,
            "Adaptive hunting strategies of orb-weaving agents in dynamic networks",
            ["Maria Gonzalez", "Wei Chen", "Pierre Dubois"],
        ),
        (
            BANNERS,
            "Prevalence of arachnophobia in rural communities: a cross-sectional study",
            ["Jane A. Smith", "Rajesh Kumar", "Ana Sofia Pereira"],
        ),
        (COLUMNS, "Learning to Crawl with Little Data", ["John Q. Public", "Mei-Ling Wu"]),
        (
            FRENCH,
            "L'apprentissage des araign\u00e9es du Web",
            ["Jean-Pierre Martin", "Anne-Sophie Le Goff"],
        ),
    ],
    ids=["journal", "banners", "columns", "french"],
)
def test_titles_and_authors_of_usual_layouts(text, title, authors):
    header = Extractor().header(text.splitlines())
    assert header.title == title
    assert [f"{name.given} {name.family}" for name in header.authors] == authors
    assert header.abstract
