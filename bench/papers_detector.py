"""Fits the weights of the paper detector, and evaluates them on real documents.

The examples are the papers, handouts and forms of a generated web, and variants made
from their text. No real document is among them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression

from bench import page
from lycosa.documents import conversion
from lycosa.documents.conversion import Converter
from lycosa.documents.layout import TextLine
from lycosa.documents.paper_detector import BIAS, WEIGHTS, detect_paper, paper_features
from lycosa.papers.extraction.sections import find_sections
from lycosa.sites.generated import World

PAPERS = page.SHARED / "papers"
INVERSE_PENALTY = 0.3  # of the L2 penalty; not tuned

Lines = list[TextLine]


def generated(seed: int = 11) -> Iterator[tuple[Lines, bool]]:
    """Yield the PDFs of a generated department, with whether each is a paper."""
    site = World(seed=seed, departments=1, pages=400).department(0)
    wanted = set(site.wanted("papers").tolist())
    for number in range(len(site)):
        if site.page(number).type == "application/pdf":
            found = conversion.read(site.response(number).body, "", 100, 20, 64_000_000)
            rows = json.loads(found.text)[1]
            yield [TextLine(*row) for row in rows], number in wanted


def examples(seed: int = 11) -> Iterator[tuple[Lines, bool]]:
    """Yield generated documents and variants made from them."""
    chance = random.Random(seed)
    for n, (lines, is_paper) in enumerate(generated(seed)):
        yield lines, is_paper
        if is_paper and find_sections(lines).references:
            yield PAPER_VARIANTS[n % len(PAPER_VARIANTS)](lines, chance), True
            yield OTHER_VARIANTS[n % len(OTHER_VARIANTS)](lines, chance), False


def _citing(lines: Lines, chance: random.Random) -> Lines:
    """Add citations to the text, which generated papers do not have."""
    labels = [x.text.split("]")[0] + "]" for x in lines if x.text.startswith("[")] or ["[1]"]
    return [
        x._replace(text=f"{x.text} {chance.choice(labels)}")
        if len(x.text) > 50 and chance.random() < 0.3
        else x
        for x in lines
    ]


def _without_heading(lines: Lines, chance: random.Random) -> Lines:
    """Remove the heading of the abstract or of the introduction."""
    word = chance.choice(["abstract", "introduction"])
    return [x for x in _citing(lines, chance) if word not in x.text.lower() or len(x.text) > 30]


def _long(lines: Lines, chance: random.Random) -> Lines:
    """Lengthen a paper: repeat its body."""
    parts = find_sections(lines)
    pages = 1 + lines[-1].page
    more = [
        x._replace(page=x.page + k * pages)
        for k in range(1 + chance.randrange(5))
        for x in parts.body
    ]
    end = 1 + max(x.page for x in more)
    tail = [x._replace(page=end) for x in lines[parts.references[0].line - 1 :]]
    return [*parts.header, *_citing(more, chance), *tail]


def _slides(lines: Lines, chance: random.Random) -> Lines:
    body = [x.text[:40] for x in lines if len(x.text) > 20]
    step = 4 + chance.randrange(6)
    return [
        TextLine(text, k // step, 20, 220 - 25 * (k % step), 250, 11) for k, text in enumerate(body)
    ]


def _publications(lines: Lines, chance: random.Random) -> Lines:
    listed = lines[find_sections(lines).references[0].line :]
    return [lines[0], TextLine("References", 0, 72, 700, 60, 12, True), *listed]


def _thesis(lines: Lines, chance: random.Random) -> Lines:
    front = ["A thesis submitted in partial fulfillment of the requirements for the degree of",
             "Doctor of Philosophy", "Table of Contents"]  # fmt: skip
    text = _long(lines, chance)
    pages = 1 + max(x.page for x in text)
    times = 1 + 120 // pages
    whole = [x._replace(page=x.page + k * pages) for k in range(times) for x in text]
    return [lines[0], *(TextLine(t, 0, 90, 600, 300, 10) for t in front), *whole]


def _letter(lines: Lines, chance: random.Random) -> Lines:
    body = list(find_sections(lines).body)[: 10 + chance.randrange(20)]
    end = ["Sincerely,", lines[1].text]
    first = [TextLine("Dear Colleague,", 0, 72, 700, 90, 10)]
    return [*first, *body, *(TextLine(t, 0, 72, 100, 90, 10) for t in end)]


def _figure(lines: Lines, chance: random.Random) -> Lines:
    words = [w for x in lines for w in x.text.split()]
    return [
        TextLine(chance.choice(words), 0, chance.random() * 500, chance.random() * 700, 20, 9)
        for _ in range(5 + chance.randrange(40))
    ]


def _call(lines: Lines, chance: random.Random) -> Lines:
    names = [x.text[:30] for x in lines[find_sections(lines).references[0].line :]]
    body = list(find_sections(lines).body)[:25]
    heads = ["Call for Papers", "Important dates", "Program Committee", "Invited speakers"]
    chance.shuffle(heads)
    return [*(TextLine(t, 0, 72, 500, 200, 10) for t in (*heads, *names)), *body]


def _cover(lines: Lines, chance: random.Random) -> Lines:
    return list(find_sections(lines).header)


def _chapter(lines: Lines, chance: random.Random) -> Lines:
    return list(find_sections(lines).body)


PAPER_VARIANTS = (_citing, _without_heading, _long)
OTHER_VARIANTS = (
    _slides, _publications, _thesis, _letter, _figure, _call, _cover, _chapter,
)  # fmt: skip


def rows(documents: Iterable[Sequence[TextLine]]) -> np.ndarray:
    """Return the features of documents, a row for each."""
    return np.array([[*paper_features(x, find_sections(x)).values()] for x in documents])


def fit(x: np.ndarray, y: np.ndarray) -> LogisticRegression:
    """Fit the weights by logistic regression."""
    return LogisticRegression(C=INVERSE_PENALTY, class_weight="balanced", max_iter=1000).fit(x, y)


def real() -> tuple[list[str], list[Lines], np.ndarray]:
    """Return names, lines and labels of the real documents."""
    table = [row.split("\t") for row in (PAPERS / "labels.tsv").read_text().splitlines()]
    with Converter() as converter:
        lines = [list(converter.convert_file(PAPERS / name).lines) for name, _ in table]
    return [name for name, _ in table], lines, np.array([label == "paper" for _, label in table])


def report() -> str:
    """Return the section about the detector."""
    documents, labels = zip(*examples(), strict=True)
    x, y = rows(documents), np.array(labels)
    model = fit(x, y)
    weights = dict(zip(WEIGHTS, model.coef_[0], strict=True))
    apart = max(abs(weights[name] - WEIGHTS[name]) for name in WEIGHTS)
    apart = max(apart, abs(float(model.intercept_[0]) - BIAS))
    other, theirs = zip(*examples(seed=12), strict=True)
    fresh = np.array([detect_paper(d, find_sections(d)).is_paper for d in other])
    names, lines, truth = real()
    shipped = np.array([detect_paper(d, find_sections(d)).is_paper for d in lines])
    z = rows(lines)
    alone = np.array(
        [
            fit(np.delete(z, k, 0), np.delete(truth, k)).predict(z[k : k + 1])[0]
            for k in range(len(z))
        ]
    )
    table = []
    for title, predicted, right in (
        ("shipped weights, another generated web", fresh, np.array(theirs)),
        ("shipped weights, real documents", shipped, truth),
        ("leave one out, real documents", alone, truth),
    ):
        wrong = (
            [names[k] for k in np.flatnonzero(predicted != right)] if len(right) == len(z) else []
        )
        errors = int((predicted != right).sum())
        table.append([title, len(right), int(right.sum()), errors, ", ".join(wrong) or "-"])
    head = ("weights, documents", "documents", "papers", "errors", "which")
    lines_ = [page.table(head, table)]
    lines_.append(
        f"Learned from {len(y)} generated documents, {int(y.sum())} of them papers; the weights in "
        f"`lycosa.documents.paper_detector` differ from these by at most {apart:.3f}:"
    )
    pairs = [[name, f"{value:.2f}"] for name, value in weights.items()]
    lines_.append(
        page.table(("feature", "weight"), [*pairs, ["bias", f"{model.intercept_[0]:.2f}"]])
    )
    return "\n\n".join(lines_)


if __name__ == "__main__":
    print(report())
