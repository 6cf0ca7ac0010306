"""Golden pairs: what is read in each document of `sources/` is what `groundtruth/` says."""

import json
import shutil

import pytest
from tests.papers.golden.groundtruth import SOURCES, TRUTH, UPDATE, path_of, summary
from tests.papers.golden.make import DOCUMENTS

from lycosa.papers.paper import PaperReader


@pytest.fixture(scope="module")
def reader():
    with PaperReader() as reader:
        yield reader


@pytest.mark.parametrize("name", DOCUMENTS)
def test_reads_what_is_printed(reader, name):
    if name == "scanned.pdf" and shutil.which("tesseract") is None:
        pytest.skip("Tesseract is not installed")
    source = SOURCES / name
    expected = json.loads(path_of(source).read_text(encoding="utf-8"))
    assert summary(reader.file(source)) == expected, (
        f"{name} is read differently; if that is right, `{UPDATE}` writes {path_of(source)}"
    )


def test_every_source_has_a_groundtruth():
    assert {path.name for path in SOURCES.iterdir()} == set(DOCUMENTS)
    assert {path.name for path in TRUTH.iterdir()} == {f"{name}.json" for name in DOCUMENTS}


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name != "scanned.pdf"])
def test_sources_are_those_that_are_made(name):
    # A scan is drawn by PDFium, whose next version may draw it otherwise.
    assert (SOURCES / name).read_bytes() == DOCUMENTS[name](), (
        "`python -m tests.papers.golden.make` writes the sources again"
    )
