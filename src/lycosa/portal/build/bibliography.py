"""Bibliography of a document: cut out of its text, by its references as they were read.

The list of references was found when the document was read; its entries are found
again in the text one after the other, each near the end of the one before it. What
is not found there stays in the text. The time is linear in the lengths of the text
and of the references.

>>> text = "Spiders hunt [1]. References [1] B. Roe. Webs. 1998. [2] A. Lee. Flies. Appendix A"
>>> split_bibliography(text, ["[1] B. Roe. Webs. 1998.", "[2] A. Lee. Flies."])
('Spiders hunt [1]. Appendix A', '[1] B. Roe. Webs. 1998. [2] A. Lee. Flies.')
"""

from __future__ import annotations

from collections.abc import Sequence

from lycosa.documents.paper_detector import REFERENCE_HEADINGS

MAX_GAP = 300
"""Characters between two references, for the heads and the numbers of pages."""
MAX_ANCHORS = 5
"""References that are searched in the whole text until the first of them is found."""
MAX_MISSED = 5000
"""Characters of references in a row that are not found; then the rest is not searched."""
MIN_CHARACTERS = 12
"""A shorter reference might be found where it is not meant."""


def split_bibliography(text: str, references: Sequence[str]) -> tuple[str, str]:
    """Return a text without its references and their heading, and the references.

    `references` are in the order of the text. Those that are not found are returned too,
    and the text keeps them.
    """
    spans = _find_spans(text, references)
    if not spans:
        return text, " ".join(references)
    pieces = [_without_heading(text[: spans[0][0]].rstrip())]
    at = spans[0][1]
    for start, end in spans[1:]:
        pieces.append(text[at:start].strip())
        at = end
    pieces.append(text[at:].strip())
    return " ".join(filter(None, pieces)), " ".join(references)


def _find_spans(text: str, references: Sequence[str]) -> list[tuple[int, int]]:
    """Return start and end of the references that are found, in their order."""
    found: list[tuple[int, int]] = []
    missed = 0  # characters of the references that were not found since the last one
    anchors = 0
    for reference in references:
        at = -1
        if len(reference) < MIN_CHARACTERS:
            pass
        elif found:
            end = found[-1][1]
            at = text.find(reference, end, end + missed + MAX_GAP + len(reference))
        elif anchors < MAX_ANCHORS:
            anchors += 1
            # A list of references is mostly at the end, and what it lists may be quoted before.
            at = text.find(reference, len(text) // 2)
            at = at if at >= 0 else text.find(reference)
        if at < 0:
            missed += len(reference) + 1
            if found and missed > MAX_MISSED:
                break
        else:
            found.append((at, at + len(reference)))
            missed = 0
    return found


def _without_heading(text: str) -> str:
    head, space, last = text.rpartition(" ")
    return head if space and last.strip(".:").lower() in REFERENCE_HEADINGS else text
