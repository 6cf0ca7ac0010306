r"""Research papers, told from other documents.

McCallum et al. 1999 took a document for a paper if it had an abstract or an
introduction and a reference section. That rule is here a handful of features
and a weight for each, so that a paper may miss one of them, and a thesis, a
form or the slides of a talk may be told by what they have instead.

The weights were learned by logistic regression from papers, handouts and forms
of the generated web and from sketches of other documents (`bench/papers_detector.py`).

>>> from lycosa.documents.markup import plain_lines
>>> from lycosa.papers.extraction.sections import find_sections
>>> lines = plain_lines("Request for leave\nName: ........\nSignature: ........")
>>> judge(lines, find_sections(lines)).is_paper
False
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from lycosa.documents.layout import TextLine
from lycosa.papers.extraction.sections import Sections

WEIGHTS = {
    "abstract": 1.38,
    "introduction": 1.22,
    "references": 1.41,
    "cited": 0.31,
    "length": 0.53,
    "density": 1.05,
    "title block": 0.90,
    "landscape": -0.23,
    "blanks": -0.04,
    "mere list": -0.18,
    "signs of others": -1.58,
    "many pages": -1.14,
}
"""What each feature, a number from 0 to 1, adds to the score."""

BIAS = -3.87
"""The score of a document without any of them."""

_SIGNS = re.compile(
    # forms and contracts; a signature alone may be that of a type, a message or a metric
    r"\b(?:hereby|undersigned|please (?:print|sign|return|fill|complete)|"
    r"signatures? ?(?:[:_]|\.\.|and date|of (?:the )?(?:applicant|author|employee|student))|"
    # letters
    r"dear (?:sir|madam|colleague|prof|dr|mr|ms|editor)|sincerely|best regards|"
    # theses and books
    r"partial fulfil\w*|(?:thesis|dissertation) (?:submitted|presented)|table of contents|"
    r"doctor of philosophy|"
    # courses
    r"homeworks?|problem sets?|office hours|due date|syllabus|"
    # calls, programmes and proposals of meetings
    r"call for papers|program(?:me)? committee|invited speakers|important dates|"
    r"submission deadline|we propose (?:a|this) workshop)(?!\w)",
    re.IGNORECASE,
)
_BLANK = re.compile(r"\.{6,}|_{4,}|(?:\. ){6,}")
_ENOUGH = 30  # words of an abstract
_LATEST = 90  # lines of a header


class Verdict(NamedTuple):
    """How likely a document is a paper, and what each feature had to say."""

    probability: float
    reasons: dict[str, float]
    """What each feature added to the score; the largest are the reasons."""

    @property
    def is_paper(self) -> bool:
        """Whether it is more likely than not."""
        return self.probability > 0.5


def judge(lines: Sequence[TextLine], parts: Sections) -> Verdict:
    """Whether a document is a research paper, by its lines and its parts."""
    values = features(lines, parts)
    reasons = {name: WEIGHTS[name] * value for name, value in values.items()}
    score = BIAS + sum(reasons.values())
    return Verdict(1 / (1 + math.exp(-max(min(score, 50.0), -50.0))), reasons)


def features(lines: Sequence[TextLine], parts: Sections) -> dict[str, float]:
    """What is seen of a document, each as a number from 0 to 1."""
    words = sum(line.text.count(" ") + 1 for line in lines)
    pages = len({line.page for line in lines})
    listed = sum(entry.text.count(" ") + 1 for entry in parts.references)
    cited = sum(map(bool, parts.contexts))
    signs = sum(len(_SIGNS.findall(line.text)) for line in lines)
    blanks = sum(bool(_BLANK.search(line.text)) for line in lines)
    opened = bool(parts.abstract) or parts.introduced
    first = lines[0].page if lines else 0
    late = any(line.page > first + 2 for line in parts.header)
    return {
        "abstract": float(parts.abstract.count(" ") + 1 >= _ENOUGH),
        "introduction": float(parts.introduced),
        "references": len(parts.references) / (len(parts.references) + 5),
        "cited": cited / max(len(parts.references), 1),
        "length": min(math.log1p(words) / math.log1p(4000), 1.0),
        "density": min(words / max(pages, 1) / 400, 1.0),
        "title block": float(opened and 2 <= len(parts.header) <= _LATEST and not late),
        "landscape": float(_is_landscape(lines)),
        "blanks": min(5 * blanks / max(len(lines), 1), 1.0),
        "mere list": max(2 * listed / max(words, 1) - 1, 0.0),
        "signs of others": signs / (signs + 3),
        "many pages": min(max(pages - 50, 0) / 100, 1.0),
    }


def _is_landscape(lines: Sequence[TextLine]) -> bool:
    """Whether what is printed on most pages is wider than high, as on slides."""
    boxes: dict[int, list[float]] = defaultdict(lambda: [math.inf, -math.inf, math.inf, -math.inf])
    for line in lines:
        if line.size > 1.0:
            box = boxes[line.page]
            box[:] = (
                min(box[0], line.x),
                max(box[1], line.end),
                min(box[2], line.y),
                max(box[3], line.y),
            )
    wide = sum(right - left > 1.15 * (top - bottom) for left, right, bottom, top in boxes.values())
    return len(boxes) > 2 and 2 * wide > len(boxes)
