"""Made-up papers in print: headers and references whose every word is labelled.

A labeller learns from them without any corpus. They are seeded: the same
number gives the same pages.
"""

from lycosa.papers.synthetic.headers import generate_headers
from lycosa.papers.synthetic.page import GeneratedHeader
from lycosa.papers.synthetic.references import generate_reference, generate_references
from lycosa.papers.synthetic.styles import STYLES

__all__ = [
    "STYLES",
    "GeneratedHeader",
    "generate_headers",
    "generate_reference",
    "generate_references",
]
