"""Extractor of the fields of headers and references from text.

>>> reference = Extractor().reference("[3] A. Lee and B. Roe. Spiders that learn. "
...     "Machine Learning, 12(2):101-120, May 1997.")
>>> reference.title, reference.year, reference.pages
('Spiders that learn', 1997, (101, 120))
>>> [str(name) for name in reference.authors]
['Lee, A.', 'Roe, B.']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from lycosa.papers.extraction.author_list import author_fields, merge_mentions
from lycosa.papers.extraction.crf_labeller import CrfLabeller
from lycosa.papers.extraction.fields import FieldSpan, Header, Reference
from lycosa.papers.extraction.headed_abstract import label_headed_abstract
from lycosa.papers.extraction.header_features import opened_section
from lycosa.papers.extraction.labeller import HeaderLine, Labeller, Prediction
from lycosa.papers.extraction.name_labeller import NameLabeller
from lycosa.papers.extraction.place_labeller import PlaceLabeller
from lycosa.papers.extraction.quoted_title import label_quoted_title
from lycosa.papers.extraction.reference_tokens import reference_words
from lycosa.papers.extraction.tagged import Token
from lycosa.papers.extraction.title_style import correct_title_style
from lycosa.papers.extraction.tokens import PAGE

MAX_WORDS = 3000
"""The most words of a header or of a reference that are read."""
MAX_LINE_CHARACTERS = 30_000
"""The most characters of a line of a reference that are read."""

_NUMBERED = re.compile(
    r"^\s*(?:\[\s*[^\]\s]{1,20}\s*\]|\(\s*\d{1,3}\s*\)|\d{1,3}\.(?=\s)"
    r"|\d{1,3}[-\u2013](?=[A-Z][a-z]+ [A-Z]))\s*"
)
# Publishers give references with the mark-up of their print: <italic>Nature</italic>.
_MARKUP = re.compile(r"</?(?:italic|bold|sup|sub|i|b|em|strong)>", re.IGNORECASE)
# A heading that a dash joins to the first word of its section.
_RUN_IN = re.compile(
    r"^(\W*(?:abstract|summary|key\s?-?words|index terms)\s?[\u2014\u2013:.-]+)(?=\w)",
    re.IGNORECASE,
)
_MAX_HEADING_WORDS = 6


class Extractor:
    """Extracts the fields of headers and references.

    Parameters
    ----------
    headers, references, names, places
        The labellers to use; by default the conditional random fields that come
        with the package.
    """

    def __init__(
        self,
        headers: Labeller | None = None,
        references: Labeller | None = None,
        names: NameLabeller | None = None,
        places: PlaceLabeller | None = None,
    ) -> None:
        self._headers: Labeller = headers or CrfLabeller.shipped("headers")
        self._references: Labeller = references or CrfLabeller.shipped("references")
        self._names = names or NameLabeller.shipped()
        self._places = places or PlaceLabeller.shipped()

    def header(self, lines: Iterable[HeaderLine | str]) -> Header:
        """Extract the fields of a header from the lines of a paper's first page.

        Reading stops at the heading of the introduction.
        """
        layout = [HeaderLine(line) if isinstance(line, str) else line for line in lines]
        tokens: list[Token] = []
        for number, line in enumerate(layout):
            words = _RUN_IN.sub(r"\1 ", line.text, count=1).split()
            tokens += [Token(word, "", number) for word in words]
            if len(words) <= _MAX_HEADING_WORDS and opened_section(words) == "intro" and number:
                break
            if len(tokens) > MAX_WORDS:
                del tokens[MAX_WORDS:]
                break
        else:
            if tokens:
                tokens.append(Token(PAGE, "", len(layout)))
        labelled = label_headed_abstract(tokens, self._headers.tag(tokens, layout))
        predictions = self._places.refine(tokens, labelled)
        return self._read_names(Header(group_fields(tokens, predictions)), layout)

    def _read_names(self, header: Header, layout: Sequence[HeaderLine]) -> Header:
        """Return a header with one title in one style, and with its authors."""
        header = correct_title_style(header, layout)
        people = merge_mentions(self._names.names(part.text) for part in author_fields(header))
        return Header(header.fields, people)

    def reference(self, text: str) -> Reference:
        """Extract the fields of a reference from its text; a leading number or label is dropped."""
        lines = _NUMBERED.sub("", _MARKUP.sub(" ", text), count=1).splitlines()
        words = [
            (number, word)
            for number, line in enumerate(lines)
            for word in reference_words(line[:MAX_LINE_CHARACTERS])
        ][:MAX_WORDS]
        tokens = [Token(word.text, "", number) for number, word in words]
        spaced = [word.spaced for _, word in words]
        predictions = label_quoted_title(
            [token.text for token in tokens], self._references.tag(tokens, ())
        )
        return Reference(group_fields(tokens, predictions, spaced))


def group_fields(
    tokens: Sequence[Token], predictions: Sequence[Prediction], spaced: Sequence[bool] = ()
) -> dict[str, tuple[FieldSpan, ...]]:
    """Return the fields of labelled tokens: runs of words with one label, by label.

    `spaced` says which tokens have a space after them, by default all.
    """
    found: dict[str, list[FieldSpan]] = {}
    for label, run in groupby(range(len(tokens)), lambda n: predictions[n].label):
        span = list(run)
        start, stop = span[0], span[-1] + 1
        lines = [
            "".join(
                tokens[n].text + (" " if not spaced or spaced[n] else "") for n in line
            ).rstrip()
            for _, line in groupby(span, lambda n: tokens[n].line)
        ]
        confidence = sum(predictions[n].confidence for n in span) / len(span)
        part = FieldSpan(
            "\n".join(lines), confidence, start, stop, tokens[start].line, tokens[stop - 1].line
        )
        found.setdefault(label, []).append(part)
    return {label: tuple(parts) for label, parts in found.items()}
