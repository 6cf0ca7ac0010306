"""Makes the documents of `sources/`: one invented paper in the layouts that papers have.

`python -m tests.papers.golden.make` writes them again; they are kept in the project, so
that a change of this file or of a library does not change them unseen.
"""

from collections.abc import Callable
from html import escape
from pathlib import Path

from tests.documents.scanned_pdf import scan
from tests.papers.golden.layout import LEFT, WIDTH, Sheets

SOURCES = Path(__file__).parent / "sources"
TITLE = "Learning to Weave Large Orb Webs in Windy Gardens"
AUTHORS = ["Ann Lee", "Robert Miller", "Maria Garcia"]
PLACES = [
    "Department of Computer Science, University of Texas, Austin, TX 78712",
    "Institute of Biology, University of Vienna, Austria",
]
EMAIL = "lee@cs.utexas.example.edu"
ABSTRACT = (
    "We study how spiders learn to repair their webs in the wind. A model of the cost of silk "
    "predicts when a web is given up, and experiments with two hundred animals confirm the "
    "prediction. The results suggest that experience matters more than the strength of the wind."
)
SENTENCES = [
    "Webs are damaged by wind, by rain and by the prey that they catch [1].",
    "A spider can repair a web or build another one, and both cost silk and time [2, 3].",
    "Earlier work has measured the cost of silk in the laboratory, without any wind [4].",
    "We let the animals build in a garden and recorded every thread for three weeks.",
    "The number of threads was counted at dawn, and the speed of the wind every minute.",
    "Animals that had repaired a web before did so again in most of the cases [5].",
]
REFERENCES = [
    "J. Smith. The cost of silk in orb webs. Journal of Arachnology, 12(3):101-112, 1994.",
    "P. Brown and K. White. Repair of damaged webs. Animal Behaviour, 45:220-231, 1997.",
    "L. Green. Building behaviour of garden spiders. PhD thesis, University of Oslo, 1999.",
    "M. Black, S. Stone and T. Wood. Spinning in the laboratory. In Proceedings of the Third "
    "Conference on Spiders, pages 33-40, 2001.",
    "H. King. Experience and memory in spiders. Oxford University Press, 2003.",
    "D. Young. A model of giving up. Theoretical Biology, 77:1-15, 2004.",
]
MASTHEAD = "Journal of Web Studies 18 (2006) 211-219"
NOTICE = "(c) 2006 The Web Society. doi:10.1234/jws.2006.0211"
APPENDIX = [
    "A. Proof of the cost model",
    "Let the cost of a thread be one. Then the cost of a web of n threads is at most n, and "
    "that of repairing m of them is m. In 1996 and 1998 this was assumed without a proof.",
    "B. Table of the animals",
    "Animals 1 to 100 were caught in May 2004, those from 101 to 200 in June 2005.",
]


def body(sheets: Sheets, *, sections: int = 4, notice: str = NOTICE) -> None:
    """Print introduction, sections and references."""
    names = ["1. Introduction", "2. Methods", "3. Results", "4. Discussion"]
    for n, name in enumerate(names[:sections]):
        sheets.heading(name)
        for k in range(3):
            text = " ".join(SENTENCES[(n + k) % 6 :] + SENTENCES[: (n + k) % 6])
            sheets.paragraph(text)
        if not n and notice:
            sheets.put(LEFT, 50, notice, size=8)
    sheets.heading("References")
    for n, text in enumerate(REFERENCES, 1):
        sheets.paragraph(f"[{n}] {text}", size=9, hang=18)


def abstract(sheets: Sheets) -> None:
    sheets.paragraph("Abstract", "bold", 10, gap=12)
    sheets.paragraph(ABSTRACT, size=9)


def one_column(masthead: str = MASTHEAD) -> Sheets:
    sheets = Sheets()
    if masthead:
        sheets.put(LEFT, 750, masthead, size=8)
    sheets.centre(TITLE, "bold", 17)
    sheets.centre(", ".join(AUTHORS[:2]) + f" and {AUTHORS[2]}", size=11, gap=10)
    sheets.centre(PLACES[0], "italic", gap=4)
    sheets.centre(EMAIL, gap=2)
    abstract(sheets)
    return sheets


def appendix() -> bytes:
    """An appendix with headings, prose and years follows the references."""
    sheets = one_column()
    body(sheets)
    for k in (0, 2):
        sheets.heading(APPENDIX[k])
        sheets.paragraph(APPENDIX[k + 1])
    return sheets.pdf()


def two_columns() -> bytes:
    """Authors side by side, two columns, a running head."""
    sheets = Sheets()
    sheets.centre(TITLE, "heavy", 16)
    sheets.y -= 14
    for n, name in enumerate(AUTHORS[:2]):
        place = PLACES[n].split(", ")
        for k, (text, size) in enumerate([(name, 11), (place[0], 9), (", ".join(place[1:3]), 9)]):
            sheets.put(LEFT + 30 + 230 * n, sheets.y - 13 * k, text, size=size)
    sheets.y -= 50
    sheets.begin_columns(2)
    abstract(sheets)
    body(sheets)
    for page in range(sheets.page + 1):
        sheets.page = page
        sheets.put(LEFT, 760, "JOURNAL OF WEB STUDIES, VOL. 18, NO. 4, APRIL 2006", size=8)
        sheets.put(WIDTH - 90, 760, str(211 + page), size=8)
    return sheets.pdf()


def cover_page() -> bytes:
    """The cover of a repository comes before the article."""
    sheets = Sheets()
    sheets.put(LEFT, 700, "See discussions and author profiles for this publication at: "
               "https://www.repository.example.org/publication/1234", size=9)  # fmt: skip
    sheets.put(LEFT, 660, TITLE, "bold", 15)
    sheets.put(LEFT, 630, "Article in Journal of Web Studies \xb7 April 2006", size=10)
    sheets.put(LEFT, 610, "DOI: 10.1234/jws.2006.0211", size=10)
    sheets.put(LEFT, 560, "CITATIONS 12    READS 345", size=10)
    sheets.put(LEFT, 520, "3 authors, including:", size=10)
    sheets.put(LEFT, 480, "All content following this page was uploaded by the author.", size=9)
    own = one_column("")
    body(own, notice="")
    sheets.lines += [line._replace(page=line.page + 1) for line in own.lines]
    sheets.page = own.page + 1
    return sheets.pdf()


def superscripts() -> bytes:
    """Raised marks tie authors to affiliations."""
    sheets = Sheets()
    sheets.put(LEFT, 750, MASTHEAD, size=8)
    sheets.centre(TITLE, "bold", 17)
    sheets.y -= 14
    x = 130.0
    for name, mark in zip(AUTHORS, ["1,*", "2", "1,2"], strict=True):
        sheets.put(x, sheets.y, name, size=11)
        x += 5.6 * len(name)
        sheets.put(x, sheets.y + 4, mark, size=7)
        x += 4 * len(mark) + 12
    sheets.y -= 18
    for mark, place in enumerate(PLACES, 1):
        sheets.put(LEFT + 30, sheets.y + 3, str(mark), size=6)
        sheets.put(LEFT + 35, sheets.y, place, "italic", 9)
        sheets.y -= 12
    sheets.put(LEFT + 30, sheets.y, f"* Corresponding author: {EMAIL}", size=9)
    sheets.y -= 12
    abstract(sheets)
    body(sheets)
    return sheets.pdf()


def type3() -> bytes:
    """A font without a Unicode map, whose digits are control characters."""
    sheets = one_column()
    body(sheets)
    return sheets.type3()


def scanned() -> bytes:
    """Images of two pages."""
    sheets = one_column()
    body(sheets, sections=1)
    return scan(sheets.pdf())


def html() -> bytes:
    parts = [f"<h1>{TITLE}</h1>", f"<p>{', '.join(AUTHORS)}</p>", f"<p>{PLACES[0]}</p>",
             f"<p>{MASTHEAD}</p>", "<h2>Abstract</h2>", f"<p>{ABSTRACT}</p>"]  # fmt: skip
    for name in ("1. Introduction", "2. Methods"):
        parts += [f"<h2>{name}</h2>", f"<p>{' '.join(SENTENCES)}</p>"]
    parts += ["<h2>References</h2>"]
    parts += [f"<p>[{n}] {escape(text)}</p>" for n, text in enumerate(REFERENCES, 1)]
    page = "\n".join(parts)
    return f"<!DOCTYPE html><html lang=en><title>Webs</title><body>{page}</body></html>".encode()


def plain_text() -> bytes:
    parts = [
        MASTHEAD,
        "",
        TITLE,
        "",
        ", ".join(AUTHORS),
        PLACES[0],
        EMAIL,
        "",
        "Abstract",
        ABSTRACT,
    ]
    for name in ("1. Introduction", "2. Methods"):
        parts += ["", name, *SENTENCES]
    parts += ["", "References", *(f"[{n}] {text}" for n, text in enumerate(REFERENCES, 1)), ""]
    return "\n".join(parts).encode()


DOCUMENTS: dict[str, Callable[[], bytes]] = {
    "appendix.pdf": appendix,
    "cover-page.pdf": cover_page,
    "scanned.pdf": scanned,
    "superscripts.pdf": superscripts,
    "two-columns.pdf": two_columns,
    "type3.pdf": type3,
    "paper.html": html,
    "paper.txt": plain_text,
}


if __name__ == "__main__":
    for file, make in DOCUMENTS.items():
        (SOURCES / file).write_bytes(make())
        print(SOURCES / file)
