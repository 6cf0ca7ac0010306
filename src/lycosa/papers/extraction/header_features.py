"""Features of headers for the conditional random fields: of lines first, then of words.

The lines of a header are labelled before its words, because most lines belong to
one field, and a line has more evidence than a word: all its words, its length, and
the section heading above it. The words then have as features the predicted labels of
their line and of the neighbouring lines, with their confidence, and decide what is
left: where in a line an affiliation ends and an address begins. This is
stacking (Wolpert 1992); the features follow Peng & McCallum 2004.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, takewhile

from lycosa.papers.extraction.crf import Row
from lycosa.papers.extraction.features import (
    WordFeatures,
    bucket,
    group_features,
    neighbour_features,
    word_features,
)
from lycosa.papers.extraction.labeller import HeaderLine, Prediction
from lycosa.papers.extraction.tagged import Token

_SECTION_WORDS = {
    "abstract": "abstract",
    "+abstract+": "abstract",
    "summary": "abstract",
    "r\xe9sum\xe9": "abstract",
    "resumen": "abstract",
    "resumo": "abstract",
    "riassunto": "abstract",
    "zusammenfassung": "abstract",
    "kurzfassung": "abstract",
    "samenvatting": "abstract",
    "keywords": "keyword",
    "keyword": "keyword",
    "introduction": "intro",
    "+intro+": "intro",
    "motivation": "intro",
    "+page+": "page",
}
_MAX_HEADING_WORDS = 16  # or letters of a heading that is spaced out
_KEYWORDS = re.compile(
    r"(key|index|general) (words?|terms|phrases)|mots[ -]cl\xe9s|palabras[ -]clave"
    r"|palavras[ -]chave|parole[ -]chiave|schl\xfcsselw"
)
_NUMBERING_FORMS = ("number", "initials", "digits", "letter", "ordinal")
_LENGTH_SHARES = 4  # of the longest line
_HIGH_CONFIDENCE = 0.9
_WRITTEN_FORMS = ("Aa", "AA", "AaA", "aa")
_MIN_NAME_LETTERS = 4  # of a name that is found in an e-mail address
_MIN_HOST_LETTERS = 3  # of an institution that is found in an e-mail address
_MIN_RARE_LETTERS = 5  # of a word that says something by occurring again
_CERTAIN = 0.98  # the confidence from which on a line is not looked at word by word


def line_spans(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Return the range of tokens of each line that has words.

    >>> line_spans([Token("A"), Token("Spider", line=0), Token("Joe", line=2)])
    [(0, 2), (2, 3)]
    """
    starts = [i for i, t in enumerate(tokens) if i == 0 or t.line != tokens[i - 1].line]
    return list(pairwise([*starts, len(tokens)]))


def line_labels(tokens: Sequence[Token]) -> list[str]:
    """Return the most frequent label of each line."""
    return [
        Counter(t.label for t in tokens[a:b]).most_common(1)[0][0] for a, b in line_spans(tokens)
    ]


class _Evidence:
    """What the words of a header say of each other.

    The e-mail addresses of a header name its authors and their institutions, and the words
    of its title occur again in its abstract.
    """

    def __init__(self, words: Sequence[WordFeatures], lines: Sequence[tuple[int, int]]) -> None:
        addresses = [word.bare.partition("@") for word in words if "@" in word.bare]
        self._users = " ".join(user for user, _, _ in addresses)
        self._hosts = {part for _, _, host in addresses for part in re.split(r"[^\w]+", host)}
        self._lines = Counter(bare for a, b in lines for bare in {word.bare for word in words[a:b]})

    def kinds(self, word: WordFeatures) -> Row:
        """Return what is known of a word by the others."""
        found = []
        if word.form in _WRITTEN_FORMS:
            if len(word.bare) >= _MIN_NAME_LETTERS and word.bare in self._users:
                found.append("user")
            if len(word.bare) >= _MIN_HOST_LETTERS and word.bare in self._hosts:
                found.append("host")
            if len(word.bare) >= _MIN_RARE_LETTERS and self._lines[word.bare] > 1:
                found.append("again")
        return found


def line_features(tokens: Sequence[Token], layout: Sequence[HeaderLine] = ()) -> list[Row]:
    """Return the features of each line of a header; `layout` has its lines, if known."""
    lines = [[word_features(t.text) for t in tokens[a:b]] for a, b in line_spans(tokens)]
    numbers = [tokens[a].line for a, _ in line_spans(tokens)]
    longest = max(map(len, lines), default=1)
    sections = [_section(line) for line in lines]
    bags = [sorted({word.bare for word in line}) for line in lines]
    summaries = [
        [
            *group_features(line),
            f"mark={section}",
            f"share={_LENGTH_SHARES * len(line) // longest}",
            f"head={line[0].bare}",
            f"tail={line[-1].closing}",
        ]
        for line, section in zip(lines, sections, strict=True)
    ]
    evidence = _Evidence([word for line in lines for word in line], line_spans(tokens))
    after, since = "top", 0
    rows = []
    for n, line in enumerate(lines):
        if sections[n]:
            after, since = sections[n], 0
        row = list(summaries[n])
        row += [f"form={form}" for form in sorted({word.form for word in line})]
        row += [
            f"n={bucket(n)}",
            f"left={bucket(len(lines) - n)}",
            f"long={bucket(len(line))}",
            f"after={after}",
            f"after={after}{min(since, 4)}",
            f"pattern={' '.join(word.form for word in line[:5])}",
            f"two={' '.join(word.bare for word in line[:2])}",
        ]
        row += [f"w={low}" for low in bags[n]]
        row += _counts(line, evidence)
        row += [f"ww={a.bare} {b.bare}" for a, b in pairwise(line)]
        for d in (-2, -1, 1, 2):
            if 0 <= n + d < len(lines):
                row += [f"{d}:{feature}" for feature in summaries[n + d]]
                if abs(d) == 1:
                    row += [f"{d}:w={low}" for low in bags[n + d]]
            else:
                row.append(f"{d}:edge")
        styles = [
            _layout(layout[numbers[k]]) if 0 <= k < len(lines) and numbers[k] < len(layout) else []
            for k in (n - 1, n, n + 1)
        ]
        row += styles[1]
        row += [f"-1:{feature}" for feature in styles[0]]
        row += [f"1:{feature}" for feature in styles[2]]
        rows.append(row)
        since += 1
    return rows


def _counts(line: Sequence[WordFeatures], evidence: _Evidence) -> Row:
    """Return the shares of kinds of words in a line."""
    known = Counter(kind for word in line for kind in evidence.kinds(word))
    known["commas"] = sum("," in word.closing for word in line)
    known["capitals"] = sum(word.form in ("Aa", "AA", "AaA") for word in line)
    known["names"] = sum("given" in word.lexicons or word.form == "initials" for word in line)
    known["numbers"] = sum(word.form in _NUMBERING_FORMS for word in line)
    return [
        f"{kind}={_LENGTH_SHARES * count // len(line)}" for kind, count in sorted(known.items())
    ]


def opened_section(words: Sequence[str]) -> str:
    """Return the section that a line opens: abstract, keyword, intro or page; "" if none.

    >>> opened_section(["1.", "Introduction"]), opened_section(["Key", "words:", "spiders"])
    ('intro', 'keyword')
    """
    return _section([word_features(word) for word in words[:_MAX_HEADING_WORDS]]) if words else ""


def _section(line: Sequence[WordFeatures]) -> str:
    """Return the section that the first words of a line open; its letters may be spaced out."""
    spaced = "".join(word.bare for word in takewhile(lambda word: len(word.bare) == 1, line))
    if spaced in _SECTION_WORDS:
        return _SECTION_WORDS[spaced]
    for k, word in enumerate(line[:3]):
        low = re.split(r"[^\w+]", word.bare)[0]
        if low in _SECTION_WORDS and (k == 0 or line[0].form in _NUMBERING_FORMS):
            return _SECTION_WORDS[low]
    pair = " ".join(word.bare for word in line[:2])
    return "keyword" if _KEYWORDS.match(pair) else ""


def _layout(line: HeaderLine) -> Row:
    row = []
    if line.size is not None:
        row.append(f"size={round(4 * min(line.size, 3.0))}")
    if line.bold is not None:
        row.append(f"bold={line.bold}")
    if line.centred is not None:
        row.append(f"centred={line.centred}")
    if line.gap is not None:
        row.append(f"gap={round(2 * min(line.gap, 4.0))}")
    if line.italic is not None:
        row.append(f"italic={line.italic}")
    if line.size_change is not None:
        row.append(f"larger={line.size_change}")
    if line.new_block is not None:
        row.append(f"block={line.new_block}")
    return row


def open_words(tokens: Sequence[Token], predictions: Sequence[Prediction]) -> list[int]:
    """Return the words whose label is open, given a prediction for each line.

    The words inside an abstract are not: those of a line that is part of an abstract
    for certain, as the lines above and below are. They are most words of a header.
    """
    certain = [label == "abstract" and share > _CERTAIN for label, share in predictions]
    return [
        i
        for n, (a, b) in enumerate(line_spans(tokens))
        if not (0 < n < len(certain) - 1 and all(certain[n - 1 : n + 2]))
        for i in range(a, b)
    ]


def header_features(
    tokens: Sequence[Token], predictions: Sequence[Prediction], chosen: Sequence[int]
) -> list[Row]:
    """Return the features of the chosen words of a header, given a prediction for each line."""
    words = [word_features(token.text) for token in tokens]
    lines = line_spans(tokens)
    evidence = _Evidence(words, lines)
    rows = []
    wanted = set(chosen)
    for n, (a, b) in enumerate(lines):
        if a not in wanted:
            continue
        shared = _line_predictions(predictions, n)
        shared += [f"line:{kind}" for kind in group_features(words[a:b])]
        shared += [f"long={bucket(b - a)}", f"n={bucket(n)}"]
        label = predictions[n].label
        for i in range(a, b):
            word = words[i]
            rows.append(
                [
                    *word.features,
                    *shared,
                    *neighbour_features(words, i),
                    *(f"{label}&is={kind}" for kind in word.lexicons),
                    f"{label}&form={word.form}",
                    f"{label}&w={word.bare}",
                    f"in={bucket(i - a)}",
                    f"last={min(b - 1 - i, 3)}",
                    *(f"known={kind}" for kind in evidence.kinds(word)),
                    *(f"{label}&known={kind}" for kind in evidence.kinds(word)),
                ]
            )
    return rows


def _line_predictions(predictions: Sequence[Prediction], n: int) -> Row:
    row = []
    for d in (-1, 0, 1):
        if 0 <= n + d < len(predictions):
            label, confidence = predictions[n + d]
            row += [f"{d}line={label}", f"{d}line={label}{confidence > _HIGH_CONFIDENCE}"]
        else:
            row.append(f"{d}line=edge")
    return row
