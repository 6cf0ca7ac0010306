"""Benchmark of lists of references: their entries, and the names and dates in them.

Lists: five folds of GROBID's lists, by document, each measured with a segmenter that is
trained on the others. Names and dates are parsed by rules: the family names of GROBID's
author lists of references, except its file of Cora, and the years of its dates.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from bench import page
from bench.papers_references import letters
from lycosa.papers.extraction.fields import parse_year
from lycosa.papers.extraction.names import parse_names
from lycosa.papers.extraction.reference_list_features import list_features
from lycosa.papers.training.corpus_xml import local_name, parse_xml
from lycosa.papers.training.grobid_archive import FOLDS, archive_files, fold_of
from lycosa.papers.training.grobid_reference_lists import read_reference_lists
from lycosa.papers.training.reference_model import train_lists

CORPORA = page.SHARED / "corpora" / "grobid"
CORA_FILE = "author.tei.xml"


def lists() -> str:
    """Return how many beginnings of entries are found in lists of references."""
    known = read_reference_lists(CORPORA / "reference-segmenter.tar.xz")
    both = mine = truth = within = lines = 0
    seconds = 0.0
    for fold in range(FOLDS):
        model = train_lists([one for one in known if fold_of(one.document) != fold])
        for one in known:
            if fold_of(one.document) != fold:
                continue
            start = time.process_time()
            labels = [found.label for found in model.tag(list_features(one.lines))]
            seconds += time.process_time() - start
            pairs = list(zip(labels, one.labels, strict=True))
            lines += len(pairs)
            mine += labels.count("begin")
            truth += one.references
            both += sum(a == b == "begin" for a, b in pairs)
            within += abs(labels.count("begin") - one.references) <= 1
    f1 = 2 * both / (mine + truth)
    return (
        f"Lists: {len(known)} lists of {truth:,} references that begin with a line, in {FOLDS} "
        f"folds by document. Beginnings are found with precision {both / mine:.3f}, recall "
        f"{both / truth:.3f}, F1 {f1:.3f}; the number of entries is right within one in "
        f"{within / len(known):.3f} of the lists. One core labels {lines / seconds:,.0f} lines a "
        "second."
    )


def _elements(archive: str, name: str) -> Iterator[Element]:
    for path, data in archive_files(CORPORA / archive):
        if path.endswith(".xml") and not path.endswith(CORA_FILE):
            for element in parse_xml(data, path).iter():
                if local_name(element) == name:
                    yield element


def _text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def names() -> str:
    """Return how many author lists have all their family names."""
    count = right = 0
    for element in _elements("name-citation.tar.xz", "author"):
        truth = [
            letters(_text(e)) for e in element.iter() if local_name(e) in ("surname", "lastname")
        ]
        if truth:
            count += 1
            right += truth == [letters(one.family) for one in parse_names(_text(element))]
    return f"Names: of {count} author lists, {right / count:.3f} have all family names right."


def dates() -> str:
    """Return how many dates have the right year."""
    count = right = 0
    for element in _elements("date.tar.xz", "date"):
        years = [_text(e) for e in element.iter() if local_name(e) == "year"]
        if years:
            count += 1
            found = parse_year(_text(element))
            digits = "".join(years[0].split())
            right += found is not None and str(found).endswith(digits.strip(" .,;"))
    return f"Dates: of {count} dates with a year, {right / count:.3f} have it right."


def main() -> None:
    """Measure, print and write the part of the page."""
    body = "\n\n".join((lists(), names(), dates()))
    page.write("papers-reference-lists", "Papers: lists of references", body, "bench-papers")


if __name__ == "__main__":
    main()
