"""Synthetic papers: generated headers and references with a label for every word.

Labellers are trained on them without any corpus. The same seed gives the same items.

`text_generator` draws names, titles and sentences from `vocabulary`; `entities` are the
generated people and works. `references` formats works in the `styles` of bibliographies;
`headers` lays out first pages (`page`) with `contacts` and `notices`. `noise` adds the
errors of scanners and line ends.
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
