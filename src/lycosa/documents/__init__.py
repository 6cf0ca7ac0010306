"""Documents to text with layout: PDF, PostScript, HTML, plain text; language and paper detector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.documents.conversion import Conversion, Converter
    from lycosa.documents.language import detect_language
    from lycosa.documents.layout import TextLine
    from lycosa.documents.paper_detector import PaperVerdict, detect_paper, word_kinds
    from lycosa.documents.worker import DocumentWorker, ReaderResult

_HOMES = {
    "conversion": "Conversion Converter",
    "language": "detect_language",
    "layout": "TextLine",
    "paper_detector": "PaperVerdict detect_paper word_kinds",
    "worker": "DocumentWorker ReaderResult",
}
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)

__all__ = [
    "Conversion",
    "Converter",
    "DocumentWorker",
    "PaperVerdict",
    "ReaderResult",
    "TextLine",
    "detect_language",
    "detect_paper",
    "word_kinds",
]
