"""Identifiers of works in a text or a query: DOI and arXiv numbers, in one spelling.

>>> find_identifiers("https://doi.org/10.1145/3190580 and arXiv:cs.IR/9901007v2")
['doi:10.1145/3190580', 'arxiv:cs/9901007']
>>> find_identifiers("10.1145/3190580.")
['doi:10.1145/3190580']
"""

from __future__ import annotations

import re

MAX_IDENTIFIERS = 20
"""Of one text."""

# A DOI is a prefix and any characters without a space (ISO 26324); those that a sentence
# puts after it are not part of it.
_DOI = re.compile(r"\b10\.[0-9]{4,9}/[^\s\"<>{}|\\^`]{1,200}")
_ARXIV = re.compile(
    r"\barxiv(?:\.org/(?:abs|pdf)/|[:\s]\s?)"
    r"(?:(?P<new>[0-9]{4}\.[0-9]{4,5})|(?P<archive>[a-z-]{2,12})(?:\.[a-z]{2})?/(?P<old>[0-9]{7}))",
    re.IGNORECASE,
)
_TRAILING = ".,;:!?'\")]*"


def find_identifiers(text: str) -> list[str]:
    """Return the identifiers in a text, each once, in reading order of each kind."""
    found: dict[str, None] = {}
    # Most texts have none: looking for a part of them first is a hundred times faster.
    for match in _DOI.finditer(text) if "10." in text else ():
        doi = match[0].rstrip(_TRAILING if "(" not in match[0] else _TRAILING.replace(")", ""))
        found[f"doi:{doi.lower()}"] = None
    for match in _ARXIV.finditer(text) if "arxiv" in text.lower() else ():
        if match["new"]:
            found[f"arxiv:{match['new']}"] = None
        else:
            found[f"arxiv:{match['archive'].lower()}/{match['old']}"] = None
    return [*found][:MAX_IDENTIFIERS]
