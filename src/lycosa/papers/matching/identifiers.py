"""Identifiers that decide whether two references are one work: DOI and preprint id.

The identifiers of a reference are looked for in all of its fields, and taken out of the
text, because the digits of a DOI look like pages and years. The id of a preprint is that
of arXiv, or a DOI that an archive of preprints registered: it does not contradict the DOI
of the published paper. ISBN and URL do not decide: chapters of a book share the one, and
pages on the web move.

>>> reference = {"title": "Garden webs", "note": "doi:10.5555/webs.12. arXiv:1905.12345v2"}
>>> find_decisive(reference)
DecisiveIdentifiers(doi='10.5555/webs.12', preprint='arxiv:1905.12345')
>>> strip_identifiers("Spider Letters 3, doi:10.5555/978-3-540-1, 2001")
'Spider Letters 3,   2001'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from lycosa.papers.evidence.identifiers import find_identifiers

IDENTIFIER_FIELDS = frozenset({"identifiers", "doi", "arxiv", "isbn", "issn", "url"})
"""Fields of a reference that have no other text."""
MAX_SEARCHED_CHARACTERS = 2000
"""Of a field, as many as the normal form reads."""

_ARXIV_DOI = "10.48550/arxiv."
_PREPRINT_PREFIXES = (
    "10.2139/", "10.20944/", "10.21203/", "10.22541/", "10.26434/", "10.31219/", "10.31234/",
    "10.31235/", "10.36227/",
)  # fmt: skip
# Of bioRxiv and medRxiv; the journals of their first publisher have letters there.
_NUMBERED_PREPRINT = re.compile(r"10\.1101/[\d.]+")
# As DBLP cites arXiv: CoRR abs/1905.12345.
_CORR = re.compile(r"\babs/(\d{4}\.\d{4,5}|[a-z-]{2,12}/\d{7})", re.IGNORECASE)
_STRIPPED = re.compile(
    r"(?:https?://\S{0,40}?|\bdoi[\s:]{0,3})?\b10\.\d{4,9}/\S+"
    r"|\barxiv[:\s]\s?(?:\d{4}\.\d{4,5}|[a-z.-]{2,15}/\d{7})(?:v\d+)?"
    r"|\babs/(?:\d{4}\.\d{4,5}|[a-z-]{2,12}/\d{7})(?:v\d+)?",
    re.IGNORECASE,
)
# After a DOI: the rest of it was on the next line.
_CONTINUED = re.compile(r"[-/_]|\.\s+[\w.()-]*\d|\s+[\w./()-]*\d[\w./()-]*\W*$")


class DecisiveIdentifiers(NamedTuple):
    """The DOI of a publication and the id of a preprint, normalised; "" for none."""

    doi: str = ""
    preprint: str = ""

    def fields(self) -> dict[str, str]:
        """Return them as fields of a reference: `doi` and `arxiv`, without empty ones.

        >>> DecisiveIdentifiers("", "arxiv:1905.12345").fields()
        {'arxiv': '1905.12345'}
        """
        is_arxiv = self.preprint.startswith("arxiv:")
        found = {
            "doi": self.doi or ("" if is_arxiv else self.preprint),
            "arxiv": self.preprint.removeprefix("arxiv:") if is_arxiv else "",
        }
        return {name: value for name, value in found.items() if value}

    def shared(self, other: DecisiveIdentifiers) -> str:
        """Return the identifier that both have; "" if there is none."""
        if self.doi and self.doi == other.doi:
            return f"doi:{self.doi}"
        return self.preprint if self.preprint == other.preprint else ""


def find_decisive(reference: Mapping[str, str]) -> DecisiveIdentifiers:
    """Return the first identifier of each kind in the fields of a reference.

    >>> find_decisive({"doi": "https://doi.org/10.48550/arXiv.1905.12345"}).preprint
    'arxiv:1905.12345'
    >>> find_decisive({"note": "doi:10.5555/j. webs.2001.04"})   # broken at the end of a line
    DecisiveIdentifiers(doi='', preprint='')
    """
    doi = preprint = ""
    for name, value in reference.items():
        text = str(value)[:MAX_SEARCHED_CHARACTERS]
        if name == "arxiv":
            text = f"arxiv:{text.strip().lower().removeprefix('arxiv:')}"
        elif not _may_have_one(text):
            continue
        for identifier in find_identifiers(text):
            kind, _, found = identifier.partition(":")
            if kind == "arxiv":
                preprint = preprint or identifier
            elif name in IDENTIFIER_FIELDS or _is_whole(found, text):
                if found.startswith(_ARXIV_DOI):
                    preprint = preprint or f"arxiv:{found.removeprefix(_ARXIV_DOI)}"
                elif found.startswith(_PREPRINT_PREFIXES) or _NUMBERED_PREPRINT.fullmatch(found):
                    preprint = preprint or found
                else:
                    doi = doi or found
        if not preprint and (cited := _CORR.search(text)):
            preprint = f"arxiv:{cited[1].lower()}"
    return DecisiveIdentifiers(doi, preprint)


def may_be_identified(reference: Mapping[str, str]) -> bool:
    """Return whether `find_decisive` may find something; most references have no identifier."""
    return "arxiv" in reference or _may_have_one("\n".join(map(str, reference.values())))


def strip_identifiers(text: str) -> str:
    """Return a text without DOIs and arXiv ids."""
    return _STRIPPED.sub(" ", text) if _may_have_one(text) else text


def _may_have_one(text: str) -> bool:
    """Return whether a search may find one: most texts have none, and this is much faster."""
    return "10." in text or "Xiv" in text or "xiv" in text or "XIV" in text or "abs/" in text


def _is_whole(doi: str, text: str) -> bool:
    """Return whether a DOI has a number in its suffix and does not go on after a line break."""
    suffix = doi.partition("/")[2]
    if not any(c.isdigit() for c in suffix):
        return False
    place = text.lower().find(doi)
    return not _CONTINUED.match(text, place + len(doi)) if place >= 0 else True
