"""PDF documents: papers, and the homework, slides and forms that are not papers."""

from __future__ import annotations

from collections.abc import Sequence

from lycosa.sites.generated.grammar import templates
from lycosa.sites.generated.paper_body import sections
from lycosa.sites.generated.papers import GeneratedPaper, GeneratedReference
from lycosa.sites.generated.pdf import PAGE, PdfWriter, width, wrap
from lycosa.sites.generated.prose import Prose
from lycosa.sites.generated.random_stream import RandomStream
from lycosa.sites.generated.story import Story

_TASKS = templates(
    """
Explain in your own words why {insight}.
Give an example in which {methods} fail because of {obstacles}.
Compare {methods} with {methods2}. Which of them would you use for {task}, and why?
Implement a program for {task} and test it on {objects}.
Describe two ways to reduce {cost}.
Suggest a way to measure {gain} in {use}, and discuss its weaknesses.
What has {task} to do with {task2}?
Read chapter {small} of the textbook and answer the questions at its end.
Prove or disprove: every program for {task} can also be used for {task2}.
"""
)
_SLIDES = templates(
    """
Today: {task} and its applications, for example in {use}.
Last time we saw {methods}; now we turn to {methods2}.
Main difficulty: how to deal with {obstacles}.
Remember that {insight}.
Two quantities matter, namely {gain} and {cost}.
Example: {objects}.
Next week: {task2}. Please read the handout before the lecture.
Summary: use {methods} unless there is a good reason not to.
"""
)
_FIELDS = (
    "Name", "Student number", "Department", "Date of request", "Purpose of travel",
    "Destination", "Estimated cost", "Account", "Signature of the applicant",
    "Signature of the professor", "Approval of the department", "Date of approval", "Phone",
    "Office", "Course", "Term", "Registration number", "Remarks",
)  # fmt: skip


class TextFlow:
    """Layout of text in columns and over pages.

    `writer` receives the lines; `columns` is the number of columns of a page; `font`
    and `size`, in points, are those of paragraphs.
    """

    def __init__(self, writer: PdfWriter, columns: int, font: str, size: float) -> None:
        self._writer = writer
        self._columns = columns
        self._gap = 24.0
        self._left = 72.0 if columns == 1 else 54.0
        total = PAGE[0] - 2 * self._left
        self._measure = (total - self._gap * (columns - 1)) / columns
        self._font = font
        self._size = size
        self._top = PAGE[1] - 72.0
        self._column = 0
        self._pages = 0
        self._y = self._top
        self._new_page()

    def _new_page(self) -> None:
        self._writer.page()
        self._pages += 1
        if self._pages > 1:
            self._writer.line(PAGE[0] / 2, 40, str(self._pages), self._font, 9)
        self._column = 0
        self._top = PAGE[1] - 72.0
        self._y = self._top

    def _next_column(self) -> None:
        self._column += 1
        self._y = self._top
        if self._column == self._columns:
            self._new_page()

    def centre(self, text: str, font: str, size: float) -> None:
        """Write a text across the whole page; columns begin below it."""
        for line in wrap(text, font, size, PAGE[0] - 180):
            x = (PAGE[0] - width(line, font) * size) / 2
            self._writer.line(x, self._y, line, font, size)
            self._y -= size * 1.25
        self._y -= 4
        self._top = self._y

    def heading(self, text: str, font: str, size: float) -> None:
        """Write a heading, never as the last line of a column."""
        if self._y < 72 + 4 * size:
            self._next_column()
        self._y -= size * 0.6
        self._writer.line(self._x, self._y, text, font, size)
        self._y -= size * 1.5

    def paragraph(self, text: str, *, whole: bool = False, gap: float = 4) -> None:
        """Write a text in the columns; a `whole` one stays in one column."""
        step = self._size * 1.2
        lines = wrap(text, self._font, self._size, self._measure)
        while lines:
            room = int((self._y - 60) / step)
            if room < (len(lines) if whole else 1):
                self._next_column()
                continue
            part, lines = lines[:room], lines[room:]
            self._writer.lines(self._x, self._y, part, self._font, self._size, step)
            self._y -= step * len(part)
        self._y -= gap

    @property
    def _x(self) -> float:
        return self._left + self._column * (self._measure + self._gap)


def article(
    paper: GeneratedPaper,
    references: Sequence[GeneratedReference],
    story: Story,
    code: int,
) -> bytes:
    """Return a research paper: header, abstract, sections that cite, references."""
    stream = RandomStream(code)
    citations = [reference.citation for reference in references]
    writer = PdfWriter(paper.title)
    sans = stream.below(4) == 0
    font, bold = ("sans", "heavy") if sans else ("roman", "bold")
    columns = 1 + stream.below(2)
    page = TextFlow(writer, columns, font, 11 - columns + stream.below(3))
    if stream.below(3) == 0:
        page.centre(f"{paper.venue}, {paper.year}", "italic", 9)
    page.centre(paper.title, bold, 16)
    if stream.below(2):
        page.centre(", ".join(paper.authors), font, 11)
    else:
        for author in paper.authors:
            page.centre(author, font, 11)
    for affiliation in paper.affiliations:
        page.centre(affiliation, font, 10)
    if stream.below(4):
        page.centre(", ".join(paper.emails), font, 9)
    if stream.below(2):
        page.centre(("January", "May", "August", "November")[code % 4] + f" {paper.year}", font, 10)
    page.heading("Abstract", bold, 11)
    page.paragraph(paper.abstract)
    if stream.below(3):
        page.paragraph("Keywords: " + ", ".join(paper.keywords) + ".")
    numbered = stream.below(3) > 0
    for n, section in enumerate(sections(story, citations, stream), 1):
        page.heading(f"{n}. {section.heading}" if numbered else section.heading, bold, 11)
        for paragraph in section.paragraphs:
            page.paragraph(paragraph)
    page.heading("References" if stream.below(3) else "REFERENCES", bold, 11)
    for reference in references:
        page.paragraph(reference.text, whole=True, gap=2)
    return bytes(writer)


def handout(title: str, prose: Prose, topic: int, code: int) -> bytes:
    """Return homework, or the slides of a lecture: a document that is not a paper."""
    stream = RandomStream(code)
    writer = PdfWriter(title)
    page = TextFlow(writer, 1, "sans", 12 + stream.below(3))
    page.centre(title, "heavy", 18)
    kind = code % 3
    options = _SLIDES if kind == 2 else _TASKS
    values = prose.research(stream, topic)
    for n, template in enumerate(stream.sample(options, 3 + stream.below(5)), 1):
        page.heading(f"{('Problem', 'Question', 'Slide')[kind]} {n}", "heavy", 13)
        page.paragraph(template.fill(values))
    return bytes(writer)


def form(title: str, code: int) -> bytes:
    """Return a form to be filled in."""
    stream = RandomStream(code)
    return sheet(title, [f"{name}: {'.' * 40}" for name in stream.sample(_FIELDS, 10)])


def sheet(title: str, lines: Sequence[str]) -> bytes:
    """Return a sheet of short lines under a title."""
    writer = PdfWriter(title)
    page = TextFlow(writer, 1, "roman", 11)
    page.centre(title, "bold", 14)
    for line in lines:
        page.paragraph(line)
    return bytes(writer)
