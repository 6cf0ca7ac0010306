"""Works that fit no topic: real foreign documents among papers of computer science.

`python -m bench.topics_foreign` mixes foreign documents into Cora's titles and into CACM's
abstracts and counts how many of them, and of the others, are unplaced. Foreign documents are
chosen by the file or site that they come from, not by their text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from bench import page
from bench.relevance_collection import read_documents
from bench.topics import CORA
from lycosa.archive.http_message import response_of
from lycosa.archive.reader import read_warc
from lycosa.papers.training.grobid_archive import archive_files, document_name
from lycosa.sites.recording import Recording
from lycosa.topics.classifier import Classifier
from lycosa.topics.corpus import Corpus
from lycosa.topics.template import read_template
from lycosa.web.decoding import decode

SHARES = (0.01, 0.03, 0.1, 0.3)
SMALL = 500
"""Papers of the small corpus."""

PAGES_OF_A_SITE = 500
EXCERPT = 1500
"""Characters of a page, as the portal uses of a document without abstract."""

MIN_PAGE = 300
"""Characters of a page that has something to say."""

LIFE_SCIENCE = re.compile(r"^\d{6,}v\d|^2019\.|10\.1371|PMC|pgen")
PHYSICS = re.compile(
    r"^(\d+-)?170[5-9]\.|JHEP|s10052|Quantum_Grav|s0021|s1005|s00220|s11005|s10509"
)
"""Names of files: bioRxiv, PLOS and PubMed Central; arXiv's physics and journals of physics."""

MISSING = frozenset(
    "of the and in on an to by at from is are as or its it that this these those be been was were "
    "into their our your we you i he she they not no but than then when what which who how why "
    "where do does did can could may will would should has have had if so such under over between "
    "among during after before about against within without through all any both each more most "
    "other some only same too very".split()
)
"""Words that Cora's titles lack, because they were taken out: they would give a title away."""


class Kind(NamedTuple):
    """Foreign documents of one kind; `seen` if parameters were chosen with them."""

    name: str
    texts: Sequence[str]
    seen: bool


def titles_of_grobid() -> dict[str, list[str]]:
    """Return the titles of the documents and of the references whose files name a subject."""
    found: dict[str, list[str]] = {"life science": [], "physics": []}
    folder = page.SHARED / "corpora" / "grobid"
    for path, content in archive_files(folder / "header.tar.xz"):
        if "/tei/" in path and LIFE_SCIENCE.search(document_name(path)):
            found["life science"] += _elements(content, "titlePart")[:1]
    for path, content in archive_files(folder / "citation.tar.xz"):
        name = path.rpartition("/")[2]
        kind = "life science" if name.startswith("bioRxiv") else "physics"
        if kind == "life science" or PHYSICS.search(name):
            found[kind] += _elements(content, 'title level="a"')
    return found


def _elements(content: bytes, start: str) -> list[str]:
    text = content.decode("utf-8", "replace").replace("<lb/>", " ")
    name = start.partition(" ")[0]
    every = re.findall(rf"<{start}[^>]*>(.*?)</{name}>", text, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in every]


def pages(*names: str) -> list[tuple[str, str]]:
    """Return the title and the beginning of the text of the pages of recorded sites."""
    found = []
    for name in names:
        seen: dict[str, tuple[str, str]] = {}
        for record in read_warc(Recording.open(page.SHARED / "sites" / name).archive):
            response = response_of(record)
            if response is None or b"<" not in response.body:
                continue
            html = LexborHTMLParser(decode(response.body))
            for node in html.css("script,style,nav,header,footer,noscript"):
                node.decompose()
            head = html.css_first("title")
            title = "" if head is None else " ".join(head.text().split())
            text = "" if html.body is None else " ".join(html.body.text(separator=" ").split())
            if len(text) >= MIN_PAGE:
                seen.setdefault(text[:400], (title, text[:EXCERPT]))
            if len(seen) == PAGES_OF_A_SITE:
                break
        found += list(seen.values())
    return found


def kinds() -> tuple[list[Kind], list[Kind]]:
    """Return the kinds of foreign titles, and those of foreign texts."""
    cranfield = read_documents(page.SHARED / "corpora/retrieval/cranfield/cran.all.1400")
    grobid = titles_of_grobid()
    civic = pages("organisations/phila", "organisations/bankiowa")
    other = pages(
        "organisations/hosparus", "organisations/metrounitedway", "organisations/nwea",
        "universities/uh", "universities/ucsbphil",
    )  # fmt: skip
    titles = [
        Kind("aerodynamics (Cranfield)", [each.title for each in cranfield], True),
        Kind("life science (GROBID)", grobid["life science"], True),
        Kind("pages of a city and a bank", [_heading(title) for title, _ in civic], True),
        Kind("physics (GROBID)", grobid["physics"], False),
        Kind("pages of charities, schools, a university", [_heading(t) for t, _ in other], False),
    ]
    texts = [
        Kind("aerodynamics (Cranfield)", [f"{d.title} {d.text}" for d in cranfield], True),
        Kind("pages of a city and a bank", [" ".join(each) for each in civic], True),
        Kind(
            "pages of charities, schools, a university", [" ".join(each) for each in other], False
        ),
    ]
    return [_clean(kind) for kind in titles], [_clean(kind) for kind in texts]


def _heading(title: str) -> str:
    """Return the title of a page without the name of its site."""
    return re.split(r" [|\u2013-] ", title)[0]


def _clean(kind: Kind) -> Kind:
    """Return the different texts of three words or more, in a random order."""
    every = [text for text in dict.fromkeys(kind.texts) if len(text.split()) > 2]
    order = np.random.default_rng(0).permutation(len(every))
    return kind._replace(texts=[every[n] for n in order])


def without_missing(title: str) -> str:
    """Return a title as Cora has titles.

    >>> without_missing("Flow in the wake of a wing")
    'Flow wake a wing'
    """
    return " ".join(w for w in re.findall(r"[^\W_]+", title) if w.lower() not in MISSING)


def unplaced(
    papers: Corpus, texts: Mapping[str, str], foreign: Sequence[str], *, citations: bool
) -> str:
    """Return the per cent of foreign documents and of papers that are unplaced."""
    every = [*texts.values(), *foreign]
    names = [*texts, *(f"foreign {n}" for n in range(len(foreign)))]
    pairs = []
    if citations:
        ends = papers.citations.tocoo()
        pairs = [
            (papers.names[a], papers.names[b]) for a, b in zip(ends.row, ends.col, strict=True)
        ]
    corpus = Corpus.of(every, names, citations=pairs, ordered=papers.ordered)
    model = Classifier(calibrated=False).fit(read_template("computer-science"), corpus)
    out = model.documents.leaves() < 0
    mine = out[: len(texts)].mean()
    return (
        f"{100 * out[len(texts) :].mean():.0f} / {100 * mine:.1f}"
        if foreign
        else f"{100 * mine:.1f}"
    )


def rows(
    papers: Corpus, texts: Mapping[str, str], found: Sequence[Kind], *, citations: bool
) -> Iterator[list[str]]:
    """Return a row for each kind: unplaced at each share of foreign documents."""
    yield ["none", "", unplaced(papers, texts, (), citations=citations), "", "", ""]
    for kind in found:
        cells = []
        for share in SHARES:
            wanted = round(len(texts) * share / (1 - share))
            if len(kind.texts) < 0.4 * wanted:
                cells.append("")
                continue
            some = kind.texts[:wanted]
            shown = unplaced(papers, texts, some, citations=citations)
            note = "" if len(some) == wanted else f" ({len(some)} documents)"
            cells.append(shown + note)
        yield [kind.name, "chosen with" if kind.seen else "reported only", *cells]


def body() -> Iterator[str]:
    """Write the parts of the page."""
    titles, texts = kinds()
    cora = Corpus.read(CORA / "papers.tsv", CORA / "citations.tsv")
    titles = [kind._replace(texts=list(map(without_missing, kind.texts))) for kind in titles]
    known = dict(zip(cora.names, cora.titles, strict=True))
    some = np.sort(np.random.default_rng(0).choice(len(cora), SMALL, replace=False))
    small = {cora.names[n]: cora.titles[n] for n in some.tolist()}
    head = ("foreign documents", "parameters", *(f"{100 * share:.0f} %" for share in SHARES))
    yield (
        "Real foreign documents are mixed into papers of computer science; cells have the per "
        "cent unplaced of the foreign / of the papers (for “none” of the papers). No label is "
        "used. Function words that Cora's titles lack are taken out of foreign titles. Kinds "
        "that the parameters were not chosen with are marked."
    )
    for what, part, citations in (
        (f"{len(cora):,} titles of Cora, words alone", known, False),
        (f"{len(cora):,} titles of Cora, with citations", known, True),
        (f"{SMALL} titles of Cora, words alone", small, False),
    ):
        yield f"{what}:"
        yield page.table(head, list(rows(cora, part, titles, citations=citations)))
    cacm = read_documents(page.SHARED / "corpora/retrieval/cacm/cacm.all")
    abstracts = {each.id: f"{each.title} {each.text}" for each in cacm if each.text}
    yield (
        f"{len(abstracts):,} titles with abstracts of CACM (1958 to 1979, numerical analysis "
        "among them, for which the tree has no topic), beside whole texts:"
    )
    plain = Corpus.of([])
    yield page.table(head, list(rows(plain, abstracts, texts, citations=False)))


if __name__ == "__main__":
    page.write("topics-foreign", "Works that fit no topic", "\n\n".join(body()), "bench-topics")
