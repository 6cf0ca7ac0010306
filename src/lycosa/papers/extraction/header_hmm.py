"""Hidden Markov models for headers: the structures of Seymore, McCallum & Rosenfeld 1999.

>>> from lycosa.papers.extraction.tagged import NEW_HEADER, parse_tagged
>>> text = "<NEW_HEADER> <title> Web Spiders </title> <author> Ann Lee </author>"
>>> labeller = train_header_hmm(parse_tagged(text, NEW_HEADER))
>>> [tag.label for tag in labeller.tag([Token("Spiders"), Token("Lee")])]
['title', 'author']
"""

from __future__ import annotations

from collections.abc import Sequence

from lycosa.errors import UnknownName
from lycosa.learn.state_merging import Merge, merge_manually
from lycosa.papers.extraction.hmm_labeller import (
    AUTOMATIC,
    HmmLabeller,
    StructureBuilder,
    neighbour_merged_structure,
)
from lycosa.papers.extraction.tagged import HEADER_LABELS, Token

MERGES: tuple[Merge, ...] = (
    # A note on top names the journal, below the authors the sponsor; at the end it is a footnote.
    Merge("note", after={""}),
    Merge("note", before={"abstract"}),
    Merge("note", past="abstract"),
    Merge("note", before={"author"}),
    Merge("note", before={"affiliation"}),
    Merge("note", past="author"),
    Merge("note", before={"title"}),
    # The first authors follow the title; others follow the affiliation of the first.
    Merge("author", past="abstract"),
    Merge("author", after={"title"}),
    Merge("author", after={"", "note", "pubnum", "date"}),
    # An affiliation stands in a footnote, between name and address, alone, or atop a report.
    Merge("affiliation", past="abstract"),
    Merge("affiliation", after={"author"}, before={"address"}),
    Merge("affiliation", after={"author"}),
    Merge("affiliation", after={"", "note", "pubnum"}),
    Merge("date", past="abstract"),
    Merge("date", past="author"),
    Merge("date", past="title"),
    Merge("title", after={""}),
    Merge("title", after={"note"}),
    Merge("email", past="abstract"),
    Merge("email", before={"author"}),
    Merge("email", before={"abstract"}),
    Merge("degree", past="author"),
    Merge("keyword", past="abstract"),
    # One state for all the rest of each class.
    *(Merge(label) for label in HEADER_LABELS),
)
"""The manual merges, chosen by cross-validation within the first 500 of the tagged headers."""

STRUCTURES: dict[str, StructureBuilder] = {
    **AUTOMATIC,
    "m-merged": lambda sequences: merge_manually(neighbour_merged_structure(sequences), MERGES),
}
"""The structures of a header model, by name."""


def train_header_hmm(
    headers: Sequence[Sequence[Token]],
    structure: str = "one-state",
    reading: str = "printed",
    **metadata: str,
) -> HmmLabeller:
    """Train a labeller on labelled headers; `metadata` is stored in its file."""
    if structure not in STRUCTURES:
        raise UnknownName("structure", structure, STRUCTURES)
    return HmmLabeller.trained("headers", headers, STRUCTURES[structure], reading, **metadata)
