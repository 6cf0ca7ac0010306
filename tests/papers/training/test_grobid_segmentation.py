"""Whole documents with labelled lines."""

import io
import tarfile
from pathlib import Path

import pytest

from lycosa.errors import UsageError
from lycosa.papers.extraction.segmentation import FURNITURE, SECTIONS
from lycosa.papers.training.grobid_archive import archive_files, document_name
from lycosa.papers.training.grobid_raw import RawRow, read_raw
from lycosa.papers.training.grobid_segmentation import labelled_lines, read_segmentation
from realdata import CORPORA

TEI = """<tei xml:space="preserve"><teiHeader><fileDesc xml:id="_a"/></teiHeader><text>
<titlePage>Archive of webs<lb/></titlePage>
<front>Spiders that <hi>hunt</hi><lb/>Ann Lee<lb/></front>
<note place="headnote">Journal of Webs<lb/></note><page>1<lb/></page>
<body>Introduction<lb/>They hunt at<lb/>night.<lb/></body>
<note place="footnote">1 Or by day.<lb/></note>
<div type="acknowledgement">Thanks to flies.<lb/></div>
<listBibl>[1] B. Roe. Webs.<lb/></listBibl>
<div type="annex">Appendix<lb/></div></text></tei>"""
EXPECTED = [
    ("Archive of webs", "cover"), ("Spiders that hunt", "front"), ("Ann Lee", "front"),
    ("Journal of Webs", "head"), ("1", "page"), ("Introduction", "body"), ("They hunt at", "body"),
    ("night.", "body"), ("1 Or by day.", "footnote"), ("Thanks to flies.", "acknowledgement"),
    ("[1] B. Roe. Webs.", "references"), ("Appendix", "annex"),
]  # fmt: skip


def row(text: str, page: str = "in", bold: bool = False) -> RawRow:
    return RawRow(text, page=page, bold=bold)


def raw_line(text: str, page: str = "IN") -> str:
    words = [*text.split(), ""][:2]
    return " ".join([*words, *["x"] * 5, "BLOCKIN", f"PAGE{page}", "SAMEFONT", "SAMEFONTSIZE",
                     "0", "1", *["0"] * 20])  # fmt: skip


def archive(path: Path, files: dict[str, str]) -> Path:
    with tarfile.open(path, "w:xz") as opened:
        for name, text in files.items():
            info = tarfile.TarInfo(f"segmentation/corpus/{name}")
            info.size = len(text.encode())
            opened.addfile(info, io.BytesIO(text.encode()))
    return path


def test_lines_have_the_label_of_the_element_around_them() -> None:
    found = labelled_lines(TEI.encode(), [])
    assert [(line.text, label) for line, label in found] == EXPECTED
    assert {label for _, label in EXPECTED} == {*SECTIONS, *FURNITURE}


def test_text_outside_of_sections_has_no_label() -> None:
    tei = b"<tei><text>Stray<lb/><front>Spiders<lb/></front></text></tei>"
    assert [label for _, label in labelled_lines(tei, [])] == ["", "front"]


def test_pages_and_styles_come_from_the_layout() -> None:
    tei = b"<tei><text><body>Spiders<lb/>hunt<lb/>flies<lb/></body></text></tei>"
    rows = [row("Spiders", "start", bold=True), row("hunt", "end"), row("flies", "start")]
    lines = [line for line, _ in labelled_lines(tei, rows)]
    assert [(line.page, line.bold) for line in lines] == [(0, True), (0, False), (1, False)]


def test_rows_without_a_line_and_lines_without_a_row_are_skipped() -> None:
    tei = b"<tei><text><body>Spiders<lb/>that<lb/>hunt<lb/>flies<lb/></body></text></tei>"
    rows = [row("Spiders", "start"), row("+"), row("+"), row("hunt", "start", bold=True),
            row("flies", bold=True), row("+")]  # fmt: skip
    lines = [line for line, _ in labelled_lines(tei, rows)]
    assert [line.bold for line in lines] == [False, None, True, True]
    assert [line.page for line in lines] == [0, 0, 1, 1]


def test_documents_without_layout_or_without_labels_are_left_out(tmp_path: Path) -> None:
    bare = "<tei><text>Stray<lb/>lines<lb/><front>Spiders<lb/></front></text></tei>"
    layout = "\n".join(raw_line(text) for text, _ in EXPECTED)
    path = archive(tmp_path / "segmentation.tar.xz", {
        "tei/b.training.segmentation.tei.xml": TEI, "raw/b.training.segmentation": layout,
        "tei/a.training.segmentation.tei.xml": TEI, "raw/c.training.segmentation": layout,
        "tei/d.training.segmentation.tei.xml": bare, "raw/d.training.segmentation": layout,
    })  # fmt: skip
    (found,) = read_segmentation(path)
    assert found.name == "b"
    assert list(found.labels) == [label for _, label in EXPECTED]
    assert all(line.italic for line in found.lines)
    assert len(read_raw(layout, "segmentation")) == len(EXPECTED)


def test_a_damaged_annotation_is_named(tmp_path: Path) -> None:
    files = {"tei/b.xml": "<tei><text>", "raw/b": raw_line("Spiders")}
    path = archive(tmp_path / "segmentation.tar.xz", files)
    with pytest.raises(UsageError, match="b is damaged"):
        read_segmentation(path)


@pytest.mark.realdata
@pytest.mark.skipif(not CORPORA.is_dir(), reason=f"the corpora are not at {CORPORA}")
def test_most_documents_of_the_corpus_have_labels_and_layout(tmp_path: Path) -> None:
    files = dict(archive_files(CORPORA / "grobid" / "segmentation.tar.xz"))
    names = sorted({document_name(file) for file in files if "/tei/" in file})
    assert len(names) > 500
    part = tmp_path / "part.tar"
    with tarfile.open(part, "w") as archive:
        for file, body in files.items():
            if document_name(file) in names[:30]:
                member = tarfile.TarInfo(file)
                member.size = len(body)
                archive.addfile(member, io.BytesIO(body))
    documents = read_segmentation(part)
    assert len(documents) >= 27
    lines = [line for document in documents for line in document.lines]
    assert sum(line.bold is None for line in lines) < 0.02 * len(lines)
    assert all(document.lines[-1].page > 0 for document in documents)
