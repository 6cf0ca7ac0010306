"""Documents to text with layout: PDF, PostScript, HTML, plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.documents.conversion import Converter
    from lycosa.documents.paper_detector import detect_paper

_HOMES = {
    "conversion": "Converter",
    "paper_detector": "detect_paper",
}
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)

__all__ = [
    "Converter",
    "detect_paper",
]
