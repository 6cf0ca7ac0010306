"""Fits the weights of the paper detector, and evaluates them on real documents.

The examples are the documents of GROBID's segmentation corpus, the papers, handouts and
forms of a generated web, and sketches of other documents made of the text of both: slides,
lists of publications, theses, letters, figures, calls, cover pages, chapters; and pages of
three universities. None of the documents on which the detector is evaluated is among them.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from bench import page
from lycosa.documents import conversion
from lycosa.documents.conversion import Converter
from lycosa.documents.layout import TextLine, join_lines
from lycosa.documents.paper_detector import (
    BIAS,
    WEIGHTS,
    detect_paper,
    paper_features,
    word_kind,
    word_kinds,
)
from lycosa.goals import ResearchPaper
from lycosa.goals.lexicon import Lexicon
from lycosa.papers.extraction.segmentation import Segmenter
from lycosa.papers.training.segmenter import real_documents
from lycosa.sites import open_site
from lycosa.sites.generated import World
from lycosa.web.reader import Reader

CORPORA = page.SHARED / "corpora"
PAPERS = page.SHARED / "papers"
INVERSE_PENALTY = 0.3  # of the L2 penalty; not tuned
THESIS_WORDS = 60_000
SHORT_EVERY = 4  # of so many real papers one is also given as a short one

UNIVERSITIES = ("webkb-texas", "webkb-washington", "webkb-wisconsin")
MIN_PAGE_WORDS = 200

Kinds = NDArray[np.uint8]
Parts = dict[str, list[str]]
"""The lines of a document by their labels."""


def generated(seed: int = 11) -> Iterator[tuple[Parts, str, bool]]:
    """Yield the PDFs of a generated department: lines, text, and whether each is a paper."""
    site = World(seed=seed, departments=1, pages=400).department(0)
    wanted = set(site.wanted("papers").tolist())
    for number in range(len(site)):
        if site.page(number).type == "application/pdf":
            found = conversion.read_document(site.response(number).body, "", 100, 20, 64_000_000)
            lines = [TextLine(*row) for row in json.loads(found.text)[1]]
            labels = Segmenter.shipped().label(lines)
            yield _parts([x.text for x in lines], labels), join_lines(lines), number in wanted


def _parts(texts: Sequence[str], labels: Sequence[str]) -> Parts:
    found: Parts = {name: [] for name in ("front", "body", "references")}
    for text, label in zip(texts, labels, strict=True):
        found.setdefault(label, []).append(text)
    return found


def examples(seed: int = 11, real: bool = True) -> Iterator[tuple[Kinds, bool]]:
    """Yield the kinds of the words of documents, each with whether it is a paper."""
    chance = random.Random(seed)
    number = 0
    for parts, text, is_paper in generated(seed):
        yield word_kinds(text), is_paper
        if is_paper:
            yield word_kinds(OTHERS[number % len(OTHERS)](parts, chance)), False
            number += 1
    for document in real_documents(CORPORA) if real else ():
        texts = [line.text for line in document.lines]
        parts = _parts(texts, document.labels)
        yield word_kinds(join_lines(map(TextLine, texts))), True
        yield word_kinds(OTHERS[number % len(OTHERS)](parts, chance)), False
        if number % SHORT_EVERY == 0:
            yield word_kinds(_short(parts, chance)), True
        number += 1
    if real:
        yield from ((kinds, False) for kinds in pages())


def pages() -> Iterator[Kinds]:
    """Yield the kinds of words of pages of three universities; hardly any is a paper."""
    lexicon = Lexicon(word_kind, np.uint8)
    for name in UNIVERSITIES:
        site = open_site(page.SHARED / "sites" / "departments" / name)
        for number in range(0, len(site), 2):
            found = site.page(number)
            if found.status == 200 and len(kinds := lexicon.values(found)) >= MIN_PAGE_WORDS:
                yield kinds


def _short(parts: Parts, chance: random.Random) -> str:
    """A paper of a page or two, with or without references."""
    body = parts["body"][: 40 + chance.randrange(60)]
    cited = parts["references"][: chance.choice((0, 6, 20))]
    return " ".join([*parts["front"], *body, *cited])


def _slides(parts: Parts, chance: random.Random) -> str:
    return " ".join(text[:40] for text in parts["body"] if len(text) > 20)


def _publications(parts: Parts, chance: random.Random) -> str:
    heading = chance.choice(["References", "Publications", ""])
    return " ".join([*parts["front"][:2], heading, *parts["references"]])


def _record(parts: Parts, chance: random.Random) -> str:
    """All publications of a long life, with a biography."""
    times = 2 + chance.randrange(20)
    return " ".join([*parts["front"][:9], *parts["body"][:20], *parts["references"] * times])


def _thesis(parts: Parts, chance: random.Random) -> str:
    body = " ".join(parts["body"])
    times = 1 + THESIS_WORDS // (body.count(" ") + 1)
    chapters = [f"Chapter {n + 1} {body}" for n in range(min(times, 200))]
    front = (
        "A thesis submitted in partial fulfillment of the requirements for the degree of "
        "Doctor of Philosophy Table of Contents Abstract Introduction"
    )
    return " ".join([*parts["front"][:2], front, *chapters, "References", *parts["references"]])


def _letter(parts: Parts, chance: random.Random) -> str:
    return " ".join(["Dear Colleague,", *parts["body"][: 10 + chance.randrange(20)], "Sincerely,"])


def _figure(parts: Parts, chance: random.Random) -> str:
    words = " ".join(parts["body"]).split() or ["x"]
    return " ".join(chance.choice(words) for _ in range(5 + chance.randrange(40)))


def _call(parts: Parts, chance: random.Random) -> str:
    heads = ["Call for Papers", "Important dates", "Program Committee", "Invited speakers"]
    chance.shuffle(heads)
    return " ".join([*heads, *(x[:30] for x in parts["references"]), *parts["body"][:25]])


def _cover(parts: Parts, chance: random.Random) -> str:
    return " ".join(parts["front"])


def _chapter(parts: Parts, chance: random.Random) -> str:
    return " ".join(parts["body"])


def _page(parts: Parts, chance: random.Random) -> str:
    """A page of a person: some words, and publications."""
    start = chance.randrange(max(len(parts["body"]) - 20, 1))
    return " ".join([*parts["front"][:2], *parts["body"][start : start + 20], *parts["references"]])


OTHERS = (
    _slides, _publications, _thesis, _letter, _figure, _call, _cover, _chapter, _page, _record,
)  # fmt: skip


def rows(documents: Iterable[Kinds]) -> np.ndarray:
    """Return the features of documents, a row for each."""
    return np.array([[*paper_features(kinds).values()] for kinds in documents])


def fit(x: np.ndarray, y: np.ndarray) -> LogisticRegression:
    """Fit the weights by logistic regression."""
    return LogisticRegression(C=INVERSE_PENALTY, max_iter=1000).fit(x, y)


def verdicts(documents: Iterable[Kinds]) -> np.ndarray:
    """Return whether the shipped detector takes each document for a paper."""
    return np.array([detect_paper(kinds).is_paper for kinds in documents])


def real() -> tuple[list[str], list[str], np.ndarray]:
    """Return names, texts and labels of the real documents."""
    table = [row.split("\t") for row in (PAPERS / "labels.tsv").read_text().splitlines()]
    with Converter() as converter:
        texts = [converter.convert_file(PAPERS / name).text for name, _ in table]
    return [name for name, _ in table], texts, np.array([label == "paper" for _, label in table])


def crawl_verdicts(texts: Iterable[str]) -> np.ndarray:
    """Return whether the goal of a crawl rewards each document."""
    goal, reader = ResearchPaper(), Reader()
    return np.array(
        [
            goal(reader.page(f"http://a.edu/{n}", text.encode(), "text/plain; charset=utf-8")) > 0
            for n, text in enumerate(texts)
        ]
    )


def report() -> str:
    """Return the section about the detector."""
    lesson, labels = zip(*examples(), strict=True)
    x, y = rows(lesson), np.array(labels)
    model = fit(x, y)
    weights = dict(zip(paper_features(word_kinds("")), model.coef_[0], strict=True))
    apart = max(abs(weights[name] - WEIGHTS.get(name, 0.0)) for name in weights)
    apart = max(apart, abs(float(model.intercept_[0]) - BIAS))
    other, theirs = zip(*examples(seed=12, real=False), strict=True)
    names, texts, truth = real()
    start = time.perf_counter()
    documents = [word_kinds(text) for text in texts]
    shipped = verdicts(documents)
    took = (time.perf_counter() - start) / len(documents)
    z = rows(documents)
    alone = np.array(
        [
            fit(np.delete(z, k, 0), np.delete(truth, k)).predict(z[k : k + 1])[0]
            for k in range(len(z))
        ]
    )
    table = []
    for title, predicted, right in (
        ("shipped weights, training documents", verdicts(lesson), y),
        ("shipped weights, another generated web", verdicts(other), np.array(theirs)),
        ("shipped weights, real documents", shipped, truth),
        ("leave one out, real documents", alone, truth),
    ):
        wrong = (
            [names[k] for k in np.flatnonzero(predicted != right)] if len(right) == len(z) else []
        )
        missed = int((right & ~predicted).sum())
        false = int((predicted & ~right).sum())
        table.append([title, len(right), int(right.sum()), missed, false, ", ".join(wrong) or "-"])
    head = ("weights, documents", "documents", "papers", "missed", "taken for papers", "which")
    unlike = int((crawl_verdicts(texts) != shipped).sum())
    lines = [page.table(head, table)]
    lines.append(
        f"The goal of a crawl and the reader disagree on {unlike} of the {len(documents)} real "
        f"documents. A verdict takes {1000 * took:.1f} ms."
    )
    lines.append(
        f"Learned from {len(y)} documents, {int(y.sum())} of them papers; the weights in "
        f"`lycosa.documents.paper_detector` differ from these by at most {apart:.3f}:"
    )
    pairs = [[name, f"{value:.2f}"] for name, value in weights.items()]
    lines.append(
        page.table(("feature", "weight"), [*pairs, ["bias", f"{model.intercept_[0]:.2f}"]])
    )
    return "\n\n".join(lines)


if __name__ == "__main__":
    print(report())
