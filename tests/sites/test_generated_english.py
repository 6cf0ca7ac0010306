"""Generated text is grammatical as far as a program can tell, and agrees with itself."""

import re
from itertools import pairwise

import pytest
from tools import abstracts_page

from lycosa.sites.generated import World, company_sentences, page_sentences, paper_sentences
from lycosa.sites.generated.grammar import Template, indefinite, plural
from lycosa.sites.generated.paper_body import sections
from lycosa.sites.generated.prose import Prose
from lycosa.sites.generated.random_stream import RandomStream
from lycosa.sites.generated.story import Story
from lycosa.sites.generated.subjects import SUBJECTS

TOPICS = range(len(SUBJECTS))
DOUBLED = re.compile(r"\b([a-z]+) \1\b", re.IGNORECASE)
ARTICLE = re.compile(r"\b([Aa]n?) (\w[\w-]*)")
# What takes no verb in the present, because its number differs from topic to topic.
PRESENT = re.compile(
    r"(?:^|[.,;:] )\{(?:obstacles2?|gain2?|cost2?|use2?|benefit|trouble)\} "
    r"(?:is|are|has|have|does|do|makes?|shows?|needs?|falls?|rises?)\b"
)


def faults(text: str) -> list[str]:
    found = [match[0] for match in DOUBLED.finditer(text)]
    found += [
        match[0]
        for match in ARTICLE.finditer(text)
        if indefinite(match[2]) != f"{match[1].lower()} {match[2]}" and match[2][0].islower()
    ]
    found += re.findall(r"[{}]|  | [,.;?]|\.\.|,,|,\.", text)
    found += [s for s in re.split(r"(?<=[.?]) ", text) if s and not re.match(r"[A-Z\"0-9]", s)]
    if not text.endswith((".", "?")):
        found.append(text[-20:])
    return found


@pytest.mark.parametrize("topic", TOPICS)
def test_abstracts_have_no_fault_that_a_program_finds(topic):
    for code in range(60):
        story = Story(code * 7919 + topic, topic)
        assert faults(story.abstract) == [], story.abstract
        assert DOUBLED.search(story.title) is None
        assert 40 <= len(story.abstract.split()) <= 190


@pytest.mark.parametrize("topic", TOPICS)
def test_sections_are_told_from_the_story(topic):
    story = Story(topic + 40, topic)
    told = sections(story, [], RandomStream(topic))
    names = [section.heading for section in told]
    assert names[:2] == ["Introduction", "Related Work"]
    assert names[-1] == "Conclusions"
    for section in told:
        for paragraph in section.paragraphs:
            assert faults(paragraph) == [], paragraph
    text = " ".join(paragraph for section in told for paragraph in section.paragraphs)
    assert story.task in text
    assert story.method.one in text


def test_pages_have_no_fault_that_a_program_finds():
    prose = Prose(3, "Ashbridge University")
    extra = {"who": "Ann Lee", "office": "Director"}
    for number in range(3):
        stream = RandomStream(number)
        for kind, options in page_sentences.PAGES.items():
            values = prose.research(stream, number % len(SUBJECTS))
            text = prose.paragraph(options, values, stream, 400)
            assert faults(text) == [], (kind, text)
        for kind, options in company_sentences.PAGES.items():
            values = prose.business(stream, number) | extra
            text = prose.paragraph(options, values, stream, 400)
            assert faults(text) == [], (kind, text)


def test_what_may_be_plural_or_not_takes_no_verb_in_the_present():
    lists = [value for value in vars(paper_sentences).values() if isinstance(value, tuple)]
    lists += [*page_sentences.PAGES.values(), *company_sentences.PAGES.values()]
    sentences = [item for options in lists for item in options if isinstance(item, Template)]
    assert len(sentences) > 250
    for sentence in sentences:
        shown = sentence.fill({slot: f"{{{slot}}}" for slot in sentence.slots})
        assert PRESENT.search(shown) is None, shown


@pytest.mark.parametrize(
    ("one", "many"),
    [("hash", "hashes"), ("committee of networks", "committees of networks"),
     ("timed automaton", "timed automata"), ("trace cache", "trace caches")],
)  # fmt: skip
def test_plurals(one, many):
    assert plural(one) == many


def test_running_text_cites_works_of_the_list():
    library = World(4, departments=2, pages=400).library
    plan = library.plan(0)
    for number in plan.wanted("papers")[::7]:
        references = library.references(0, number)
        for reference in references:
            name, label = reference.citation.text.rsplit(" ", 1)
            assert name.split()[0] in reference.text
            assert label.strip("[]()") in reference.text
        years = [int(re.findall(r"\b(?:19|20)\d\d\b", each.text)[-1]) for each in references]
        assert max(years) < plan.year(number - plan.layout.starts["paper"])


def test_sentences_of_a_section_keep_their_order():
    options = paper_sentences.INTRODUCTION
    story = Story(8, 3)
    told = " ".join(sections(story, [], RandomStream(1))[0].paragraphs)
    places = [told.find(option.fill(story.values)) for option in options]
    found = [place for place in places if place >= 0]
    assert len(found) > 4
    assert all(before < after for before, after in pairwise(found))


def test_the_page_of_abstracts_is_current():
    assert abstracts_page.PAGE.read_text(encoding="utf-8") == abstracts_page.page(), "run make docs"
