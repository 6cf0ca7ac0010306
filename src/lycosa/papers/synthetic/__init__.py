"""Made-up papers in print: headers and references whose every word is labelled.

A labeller learns from them without any corpus. They are seeded: the same
number gives the same pages.
"""

from lycosa.papers.synthetic.headers import print_headers
from lycosa.papers.synthetic.page import Sheet
from lycosa.papers.synthetic.references import print_reference, print_references
from lycosa.papers.synthetic.styles import STYLES

__all__ = ["STYLES", "Sheet", "print_headers", "print_reference", "print_references"]
