"""Pages of text as printed lines, which are written as PDF in ordinary or in Type 3 fonts."""

from typing import NamedTuple

from tests.documents.type3_pdf import type3_pdf

from lycosa.sites.generated.pdf import PAGE, PdfWriter, width, wrap

WIDTH, HEIGHT = PAGE
TOP, BOTTOM, LEFT, RIGHT = HEIGHT - 72, 72, 72, WIDTH - 72
GUTTER = 24
LEADING = 1.2  # of the font size


class PrintedLine(NamedTuple):
    """A line at a position of a page."""

    page: int
    x: float
    y: float
    size: float
    font: str
    text: str


class Sheets:
    """Pages that are filled from top to bottom, in one column or in two."""

    def __init__(self, columns: int = 1) -> None:
        self.lines: list[PrintedLine] = []
        self.page, self.y, self.top = 0, TOP, TOP
        self.columns, self.column = columns, 0

    @property
    def left(self) -> float:
        """The left end of the column."""
        return LEFT + self.column * (self.measure + GUTTER)

    @property
    def measure(self) -> float:
        """The width of a column."""
        return (RIGHT - LEFT - GUTTER * (self.columns - 1)) / self.columns

    def put(self, x: float, y: float, text: str, font: str = "roman", size: float = 10) -> None:
        """Print a line at a position."""
        self.lines.append(PrintedLine(self.page, x, y, size, font, text))

    def centre(self, text: str, font: str = "roman", size: float = 10, gap: float = 0) -> None:
        """Print lines in the middle of the page, `gap` points below those above."""
        self.y -= gap
        for line in wrap(text, font, size, RIGHT - LEFT - 60):
            self.put((WIDTH - size * width(line, font)) / 2, self.y, line, font, size)
            self.y -= LEADING * size

    def paragraph(
        self, text: str, font: str = "roman", size: float = 10, gap: float = 4, hang: float = 0
    ) -> None:
        """Print a text in the column; all lines but the first are indented by `hang`."""
        self.y -= gap
        for n, line in enumerate(wrap(text, font, size, self.measure - hang)):
            if self.y < BOTTOM:
                self._next_column()
            self.put(self.left + (hang if n else 0), self.y, line, font, size)
            self.y -= LEADING * size

    def heading(self, text: str) -> None:
        """Print the heading of a section."""
        self.paragraph(text, "bold", 12, gap=10)

    def begin_columns(self, columns: int) -> None:
        """Divide the rest of the page into columns."""
        self.y -= 12
        self.top, self.columns, self.column = self.y, columns, 0

    def new_page(self) -> None:
        """Begin a page."""
        self.page += 1
        self.y = self.top = TOP
        self.column = 0

    def _next_column(self) -> None:
        if self.column + 1 < self.columns:
            self.column += 1
            self.y = self.top
        else:
            self.new_page()

    def pdf(self) -> bytes:
        """Return the pages in the standard fonts."""
        writer = PdfWriter("")
        for page in range(self.page + 1):
            writer.page()
            for line in self.lines:
                if line.page == page:
                    writer.line(line.x, line.y, line.text, line.font, line.size)
        return bytes(writer)

    def type3(self) -> bytes:
        """Return the pages in a Type 3 font whose glyphs are renumbered."""
        pages = [
            [(one.x, one.y, one.size, one.text) for one in self.lines if one.page == page]
            for page in range(self.page + 1)
        ]
        return type3_pdf(*pages)
