"""The sections of a paper, from introduction to conclusions, told from its story."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lycosa.sites.generated import paper_sentences as sentences
from lycosa.sites.generated.grammar import Template
from lycosa.sites.generated.random_stream import RandomStream
from lycosa.sites.generated.story import Story


class Citation(NamedTuple):
    """A work as the running text cites it: authors with a label, and what it is about."""

    text: str
    story: Story


class Section(NamedTuple):
    """A section of a paper: its heading and its paragraphs."""

    heading: str
    paragraphs: list[str]


def sections(story: Story, citations: Sequence[Citation], stream: RandomStream) -> list[Section]:
    """Return the sections of a paper, which cites some of its references by name."""
    formal = story.subject.formal
    method = story.name or stream.choice(("Method", "The Method", "Approach", "Algorithm"))
    result = [
        Section("Introduction", _introduction(story, citations, stream)),
        Section("Related Work", _related(story, citations, stream)),
        Section("Construction" if formal else method, _told(story, sentences.METHOD, 8, stream)),
    ]
    if formal or stream.below(3) == 0:
        result.append(Section("Analysis", _told(story, sentences.ANALYSIS, 6, stream)))
    if not formal:
        if stream.below(2):
            heading = "Implementation"
            result.append(Section(heading, _told(story, sentences.IMPLEMENTATION, 5, stream)))
        result.append(
            Section(
                stream.choice(("Experiments", "Evaluation", "Results")),
                _told(story, sentences.SETUP, 5, stream)
                + _told(story, sentences.FINDINGS, 7, stream),
            )
        )
    if formal or stream.below(2):
        result.append(Section("Discussion", _told(story, sentences.DISCUSSION, 4, stream)))
    result.append(Section("Conclusions", _told(story, sentences.CONCLUSION, 5, stream)))
    return result


def _introduction(story: Story, citations: Sequence[Citation], stream: RandomStream) -> list[str]:
    paragraphs = _told(story, sentences.INTRODUCTION, 6 + stream.below(3), stream)
    near = [citation for citation in citations if citation.story.subject is story.subject]
    if near:
        citing = stream.choice(sentences.CITING).fill({"cite": near[0].text})
        paragraphs[0] = f"{paragraphs[0]} {citing}"
    return paragraphs + _told(story, sentences.AIMS, 2 + stream.below(2), stream)


def _related(story: Story, citations: Sequence[Citation], stream: RandomStream) -> list[str]:
    """Return what earlier work did: first that on the same topic, then a little of other work."""
    near = [citation for citation in citations if citation.story.subject is story.subject]
    far = [citation for citation in citations if citation.story.subject is not story.subject]
    paragraphs = []
    for cited, options in ((near[1:8], sentences.RELATED), (far[:3], sentences.ELSEWHERE)):
        chosen = stream.sample(options, len(cited))
        told = [
            template.fill(citation.story.cited_values(citation.text))
            for citation, template in zip(cited, chosen, strict=True)
        ]
        paragraphs += [" ".join(told[start : start + 4]) for start in range(0, len(told), 4)]
    return paragraphs + _told(story, sentences.CONTRAST, 2, stream)


def _told(
    story: Story, options: tuple[Template, ...], count: int, stream: RandomStream
) -> list[str]:
    """Return the paragraphs of `count` of the options, in their order."""
    left_out = set(stream.sample(range(1, len(options)), len(options) - count))
    kept = [option for n, option in enumerate(options) if n not in left_out]
    length = 3 + stream.below(2)
    starts = list(range(0, len(kept), length))
    if len(starts) > 1 and len(kept) - starts[-1] == 1:
        starts.pop()  # no paragraph of a single sentence at the end
    ends = [*starts[1:], len(kept)]
    return [story.tell(kept[start:end]) for start, end in zip(starts, ends, strict=True)]
