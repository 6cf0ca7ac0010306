"""Inputs of `lycosa topics`: topic trees, corpora, and the document to explain."""

from __future__ import annotations

import difflib
import logging
import sys
from pathlib import Path

from lycosa.cli.console import progress_bars, show_reports
from lycosa.errors import UsageError
from lycosa.reporting.text import plural
from lycosa.topics.classifier import Classifier
from lycosa.topics.corpus import Corpus
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.model import TopicModel
from lycosa.topics.template import TEMPLATES, read_template

_log = logging.getLogger("lycosa.cli")


def read_tree(name: str) -> Hierarchy:
    """Return the topic tree of a file or a template."""
    if Path(name).exists():
        return Hierarchy.read(name)
    if name in TEMPLATES:
        return read_template(name)
    raise UsageError(
        f"{name} does not exist: give a topic file, or a template: {', '.join(TEMPLATES)}."
    )


def fit_model(
    topics: Hierarchy, documents: Path, citations: Path | None, rounds: int | None = None
) -> tuple[Corpus, TopicModel]:
    """Read a corpus and fit a model to it; return both."""
    with progress_bars() as progress:
        task = progress.add_task("reading", total=None)
        corpus = Corpus.read(documents, citations)
        progress.update(task, description=f"training on {plural(len(corpus), 'document')}")
        classifier = Classifier() if rounds is None else Classifier(rounds=rounds)
        with show_reports(progress, task):
            return corpus, classifier.fit(topics, corpus)


def find_document(
    model: TopicModel, name: str, documents: Path | None, citations: Path | None
) -> tuple[Corpus, int]:
    """Return a corpus that contains a document, and the number of the document in it."""
    if documents is not None:
        corpus = Corpus.read(documents, citations)
        names = corpus.names
        if name in names:
            return corpus, names.index(name)
    elif name == "-":
        return Corpus.of([sys.stdin.read()], ["-"]), 0
    else:
        names = model.documents.names
        if name in names:
            title = model.documents.titles[names.index(name)]
            return Corpus.of([title], [name]), 0
        if Path(name).is_file():
            try:
                text = Path(name).read_text(encoding="utf-8", errors="replace")
            except OSError as error:
                _log.debug("%s cannot be read.", name, exc_info=True)
                raise UsageError(f"{name} cannot be read: {error.strerror}.") from error
            return Corpus.of([text], [name]), 0
    near = difflib.get_close_matches(name, names, n=2, cutoff=0.7)
    suggestion = f"; did you mean {' or '.join(map(repr, near))}?" if near else "."
    where = f"in {documents}" if documents is not None else "in the model, and no such file"
    raise UsageError(f"There is no document {name!r} {where}{suggestion}")
