"""Reader of AnyStyle's labelled references.

AnyStyle (https://github.com/inukshuk/anystyle, BSD-2-Clause) publishes its training data as
XML: an element `sequence` for each reference, with a child for each field in the order of the
print. Every word is in a field, with its punctuation and the words that announce it.

>>> data = b"<dataset><sequence><author>A. Lee.</author><date>1999.</date></sequence></dataset>"
>>> parse_anystyle(data, "core.xml")
[[Token(text='A.', label='author', line=0), Token(text='Lee.', label='author', line=0), \
Token(text='1999.', label='date', line=0)]]
"""

from __future__ import annotations

from pathlib import Path

from lycosa.errors import UsageError
from lycosa.papers.extraction.reference_tokens import reference_tokens
from lycosa.papers.extraction.tagged import Token
from lycosa.papers.training.corpus_xml import parse_xml

_LABELS = {
    "author": "author",
    "title": "title",
    "date": "date",
    "journal": "journal",
    "container-title": "booktitle",
    "collection-title": "note",
    "volume": "volume",
    "pages": "pages",
    "publisher": "publisher",
    "location": "location",
    "editor": "editor",
    "translator": "editor",
    "director": "author",
    "producer": "author",
    "genre": "tech",
    "note": "note",
    "edition": "note",
    "medium": "note",
    "source": "note",
    "url": "web",
    "doi": "identifier",
    "isbn": "identifier",
}


def read_anystyle(path: Path) -> list[list[Token]]:
    """Read the references of a file, each as its labelled words."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error}); check the path.") from error
    return parse_anystyle(data, path.name)


def parse_anystyle(data: bytes, name: str) -> list[list[Token]]:
    """Parse a file's references; the numbers of the list are left out."""
    root = parse_xml(data, name)
    items = []
    for sequence in root.iter("sequence"):
        item = []
        for child in sequence:
            text = " ".join("".join(child.itertext()).split())
            if label := _LABELS.get(str(child.tag)):
                item += [Token(word.text, label) for word in reference_tokens(text)]
        if item:
            items.append(item)
    return items
