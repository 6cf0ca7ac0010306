r"""Reader of GROBID's corpus of author lists: the parts of each name.

Each file has the authors of one paper, in TEI: `persName` with `forename`, `surname`,
and what is not part of a name: `marker` of a footnote, `roleName`, punctuation.

>>> text = '''<tei><author><persName><forename>Ann</forename> <middlename>B</middlename>.
... <surname>Lee</surname>, <roleName>PhD</roleName> <marker>1</marker> and</persName>
... <persName><forename>Zoe</forename> <surname>Roe</surname></persName></author></tei>'''
>>> [(piece.text, piece.label) for piece in parse_author_lists(text)[0][:4]]
[('Ann', 'first-given'), ('B.', 'given'), ('Lee', 'family'), (',', 'other')]
>>> [(piece.text, piece.label) for piece in parse_author_lists(text)[0][4:8]]
[('PhD', 'role'), ('1', 'mark'), ('and', 'other'), ('Zoe', 'first-given')]
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import ParseError, XMLParser

from lycosa.papers.extraction.name_labeller import LabelledPiece, split_pieces
from lycosa.papers.training.grobid_archive import archive_files, document_name

_LABELS = {
    "forename": "given", "forenname": "given", "firstname": "given", "middlename": "given",
    "surname": "family", "surename": "family", "lastname": "family", "suffix": "suffix",
    "roleName": "role", "rolename": "role", "marker": "mark",
}  # fmt: skip
_NAME = ("given", "family")

_log = logging.getLogger("lycosa.papers")


class AuthorLists(NamedTuple):
    """The author lists of one paper: most have one, some repeat a part of it in a footnote."""

    name: str
    """The name of its document."""
    lists: list[list[LabelledPiece]]


def read_author_lists(archive: Path) -> list[AuthorLists]:
    """Read the author lists of an archive, sorted by name; damaged files are left out."""
    found = []
    for path, content in archive_files(archive):
        try:
            lists = parse_author_lists(content.decode("utf-8", "replace"))
        except ParseError:
            _log.debug("The author list %s is not XML", path, exc_info=True)
            continue
        found.append(AuthorLists(document_name(path), lists))
    return sorted(found)


def parse_author_lists(text: str) -> list[list[LabelledPiece]]:
    """Parse the author lists of one file."""
    parser = XMLParser(target=_Annotation())  # noqa: S314 (a corpus that a person chose)
    parser.feed(text)
    lists: Any = parser.close()  # what the target returns
    return [pieces for pieces in lists if pieces]


class _Annotation:
    """A target of the XML parser that collects the pieces of author lists."""

    def __init__(self) -> None:
        self.lists: list[list[LabelledPiece]] = []
        self._labels: list[str] = []
        self._open = False  # whether a list is open
        self._starts = False  # whether no part of the current name was read yet
        self._line = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element."""
        name = tag.rpartition("}")[2]
        self._labels.append(_LABELS.get(name, "other"))
        if name == "author":
            self.lists.append([])
            self._open, self._line = True, 0
        elif name == "persName":
            self._starts = True
        elif name == "lb":
            self._line += 1

    def data(self, text: str) -> None:
        """Collect text."""
        if not self._open:
            return
        pieces = self.lists[-1]
        label = self._labels[-1]
        for piece in split_pieces(text):
            if piece.text == "." and pieces and pieces[-1].text.isalpha():
                # The full stop of an initial stands outside of its element.
                pieces[-1] = pieces[-1]._replace(text=pieces[-1].text + ".")
                continue
            own = label
            if own in _NAME and self._starts:
                own, self._starts = f"first-{label}", False
            pieces.append(LabelledPiece(piece.text, own, self._line))

    def end(self, tag: str) -> None:
        """Close an element."""
        self._labels.pop()
        if tag.rpartition("}")[2] == "author":
            self._open = False

    def close(self) -> list[list[LabelledPiece]]:
        """Return all lists."""
        return self.lists
