"""Papers: fields, references and citations of documents (McCallum et al. 1999).

`extraction` finds the fields of a header and of its references, `evidence` year, venue
and identifiers around the text. `matching` groups references into works, `synthetic`
generates labelled text, and `training` trains labellers on it. `paper` reads documents,
`library` links many of them, `citations` is the citation graph, and `exports` writes
BibTeX, JSON and tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.papers.citations import Citations, RankedWork
    from lycosa.papers.evidence.evidence import CombinedValue, Evidence
    from lycosa.papers.exports import BibtexEntry, bibtex, paper_json, table_rows
    from lycosa.papers.extraction.extractor import Extractor
    from lycosa.papers.extraction.fields import ExtractedFields, FieldSpan, Header, Reference
    from lycosa.papers.extraction.header_hmm import train_header_hmm
    from lycosa.papers.extraction.labeller import HeaderLine, Labeller, Prediction, TrainedLabeller
    from lycosa.papers.extraction.model_files import load_labeller
    from lycosa.papers.extraction.names import PersonName, parse_names
    from lycosa.papers.extraction.reference_hmm import train_reference_hmm
    from lycosa.papers.extraction.sections import Sections, find_sections
    from lycosa.papers.extraction.tagged import Token, read_headers, read_references, write_tagged
    from lycosa.papers.extraction.tokens import collapse_regions, header_tokens, tokenise
    from lycosa.papers.library import CitationEvidence, Library
    from lycosa.papers.matching.similarity import Similarity, similarity
    from lycosa.papers.matching.works import MatchExplanation, Works
    from lycosa.papers.paper import Paper, PaperReader, PaperReference, load_extractor, read_papers
    from lycosa.papers.synthetic import GeneratedHeader, generate_headers, generate_references
    from lycosa.papers.training.labellers import train_labeller

_HOMES = {
    "citations": "Citations RankedWork",
    "evidence.evidence": "CombinedValue Evidence",
    "exports": "BibtexEntry bibtex paper_json table_rows",
    "extraction.extractor": "Extractor",
    "extraction.fields": "ExtractedFields FieldSpan Header Reference",
    "extraction.header_hmm": "train_header_hmm",
    "extraction.labeller": "HeaderLine Labeller Prediction TrainedLabeller",
    "extraction.model_files": "load_labeller",
    "extraction.names": "PersonName parse_names",
    "extraction.reference_hmm": "train_reference_hmm",
    "extraction.sections": "Sections find_sections",
    "extraction.tagged": "Token read_headers read_references write_tagged",
    "extraction.tokens": "collapse_regions header_tokens tokenise",
    "library": "CitationEvidence Library",
    "matching.similarity": "Similarity similarity",
    "matching.works": "MatchExplanation Works",
    "paper": "Paper PaperReader PaperReference load_extractor read_papers",
    "synthetic": "GeneratedHeader generate_headers generate_references",
    "training.labellers": "train_labeller",
}

__all__ = [
    "BibtexEntry",
    "CitationEvidence",
    "Citations",
    "CombinedValue",
    "Evidence",
    "ExtractedFields",
    "Extractor",
    "FieldSpan",
    "GeneratedHeader",
    "Header",
    "HeaderLine",
    "Labeller",
    "Library",
    "MatchExplanation",
    "Paper",
    "PaperReader",
    "PaperReference",
    "PersonName",
    "Prediction",
    "RankedWork",
    "Reference",
    "Sections",
    "Similarity",
    "Token",
    "TrainedLabeller",
    "Works",
    "bibtex",
    "collapse_regions",
    "find_sections",
    "generate_headers",
    "generate_references",
    "header_tokens",
    "load_extractor",
    "load_labeller",
    "paper_json",
    "parse_names",
    "read_headers",
    "read_papers",
    "read_references",
    "similarity",
    "table_rows",
    "tokenise",
    "train_header_hmm",
    "train_labeller",
    "train_reference_hmm",
    "write_tagged",
]

__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
