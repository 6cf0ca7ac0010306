"""References whose fields are marked in their text, and their conversion to labelled words.

Corpora mark a field without the words that announce it: `pp. <page>4-5</page>`. Labelled
words follow the convention of tagged references (`extraction.tagged`), in which each word
belongs to a field: what announces a field (`pp.`, `vol.`, `In`, `editors`) has its label,
punctuation belongs to the field before it, and other words are a note.

>>> one = AnnotatedReference("Lee. Spiders. pp. 4-5.", (Mark(0, 3, "author"),
...     Mark(5, 12, "title"), Mark(18, 21, "pages")), "a.xml")
>>> [(token.text, token.label) for token in one.tokens()]
[('Lee.', 'author'), ('Spiders.', 'title'), ('pp.', 'pages'), ('4-5.', 'pages')]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lycosa.papers.extraction.reference_tokens import Word, reference_words
from lycosa.papers.extraction.tagged import Token

_LABELS_OF_CUES = {
    "pages": "pp p pages page pag pg s seite seiten ss str \u9875 \u9801 \ucabd \u0441",
    "volume": "vol volume volumes vols v no nos number nr n n\u00b0 num n\u00ba issue bd band t "
    "tome fasc heft jg part \uc81c \uad8c \ud638 \uc9d1 \u7b2c \u671f \u53f7 \u865f \u5377 \u5dfb",
    "editor": "ed eds edd editor editors edited hg hrsg dir coord",
    "date": "\u5e74 \u6708 \u65e5 \ub144 \uc6d4 \uc77c",
    "identifier": "doi arxiv pmid pmcid pubmed pii issn isbn",
}
_CUES = {word: label for label, words in _LABELS_OF_CUES.items() for word in words.split()}
_OPENERS = frozenset("in dans en nel by von from at url available and".split())
_WORD = re.compile(r"[^\W_]+\u00b0?|n\u00b0")
_NUMBERED = re.compile(r"^\W*(?:\d{1,4}|[A-Z][A-Za-z+]{1,5}\d\d[a-z]?)\W*$")


class Mark(NamedTuple):
    """A field of a reference: its first character, the one after its last, and its label."""

    start: int
    stop: int
    label: str


class AnnotatedReference(NamedTuple):
    """A reference with its fields."""

    text: str
    """The reference as printed, on one line with single spaces."""
    marks: tuple[Mark, ...]
    """The fields in reading order; they do not overlap."""
    document: str
    """The document that it is from."""

    def value(self, label: str) -> str:
        """Return the text of all fields with a label, separated by spaces; "" without any."""
        return " ".join(self.text[m.start : m.stop] for m in self.marks if m.label == label)

    def tokens(self) -> list[Token]:
        """Return its words with labels; a leading number of the list is left out."""
        words = reference_words(self.text)
        labels = self._labels(words)
        first = next((n for n, label in enumerate(labels) if label), len(words))
        if first and _NUMBERED.match(" ".join(token.text for token in words[:first])):
            words, labels = words[first:], labels[first:]
        return [
            Token(word.text, label)
            for word, label in zip(words, _attached(words, labels), strict=True)
        ]

    def _labels(self, words: Sequence[Word]) -> list[str]:
        """Return the label of the field of each word, "" outside the fields."""
        labels = []
        mark = 0
        for _, start, stop, _ in words:
            while mark < len(self.marks) and self.marks[mark].stop <= start:
                mark += 1
            # Of two fields in one word, the one with more of its characters has it.
            shares: dict[str, int] = {}
            for one in self.marks[mark : mark + 4]:
                inside = self.text[max(one.start, start) : max(min(one.stop, stop), 0)]
                letters = sum(c.isalnum() for c in inside)
                if one.start < stop and letters:
                    shares[one.label] = shares.get(one.label, 0) + letters
            labels.append(max(shares, key=shares.__getitem__) if shares else "")
        return labels


def _attached(words: Sequence[Word], labels: Sequence[str]) -> list[str]:
    """Give the words outside fields the label of the field that they announce or follow."""
    found = list(labels)
    following = [""] * (len(labels) + 1)
    for n in range(len(labels) - 1, -1, -1):
        following[n] = labels[n] or following[n + 1]
    before = ""
    for n, label in enumerate(labels):
        if not label:
            found[n] = _label_of(words[n].text, before, following[n])
        before = found[n]
    return found


def _label_of(word: str, before: str, after: str) -> str:
    cues = _WORD.findall(word.lower())
    if not cues:
        opening = word[-1:] in "([{\u201c\"'\u2018"
        return (after or before) if opening else (before or after)
    for cue in cues:
        label = _CUES.get(cue)
        if label == "editor":
            # "(eds.)" follows names that are marked as the authors of a book.
            return "editor" if "editor" in (before, after) else before or after
        if label in (before, after):
            return str(label)
        if label and after in _LABELS_OF_CUES:
            return after
    if cues[0] in _OPENERS and after:
        return after
    return "note"


def distinct(references: Iterable[AnnotatedReference]) -> list[AnnotatedReference]:
    """Return the references without later copies, compared by their letters."""
    found: dict[str, AnnotatedReference] = {}
    for reference in references:
        found.setdefault(letters_of(reference.text), reference)
    return list(found.values())


def letters_of(text: str) -> str:
    """Return the letters of a text in lower case, by which copies of a reference are found.

    >>> letters_of("[3] A. Lee: Spiders, 1999")
    'aleespiders'
    """
    return "".join(c for c in text.lower() if c.isalpha())
