"""PostScript through the real Ghostscript; a stand-in only where that one cannot fail."""

import gzip
import shutil
import stat
import time
from pathlib import Path

import pytest

from lycosa.documents.conversion import Conversion, Converter
from lycosa.documents.postscript import NoGhostscript, to_pdf

real = pytest.mark.skipif(
    shutil.which("gs") is None, reason="Ghostscript is not installed: there is no gs on the path"
)

PAGE = b"""%!PS-Adobe-2.0
/Times-Bold findfont 16 scalefont setfont 100 720 moveto (A bold title) show
/Times-Roman findfont 12 scalefont setfont 72 690 moveto (Hello spider) show
showpage
"""
# Each attempt says on the page what became of it.
ATTEMPT = b"""%%!PS
/Times-Roman findfont 12 scalefont setfont
/y 720 def
/try { stopped { (refused) } { (allowed) } ifelse
  72 y moveto show clear /y y 20 sub def } def
%b
showpage
"""


@pytest.fixture(scope="module")
def converter():
    with Converter(seconds=20) as converter:
        yield converter


@pytest.fixture
def temporary(monkeypatch, tmp_path):
    """The folder in which only the worker and Ghostscript make temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def texts(found):
    return [line.text for line in found.lines]


@real
@pytest.mark.parametrize("body", [PAGE, b"\x04" + PAGE, gzip.compress(PAGE, mtime=0)])
def test_text_in_a_standard_font_becomes_lines(converter, body):
    found = converter.convert(body)
    assert (found.outcome, found.pages) == ("text", 1)
    title, hello = found.lines
    assert (title.text, title.x, title.y, title.size, title.bold) == (
        "A bold title", 100, 720, 16, True,
    )  # fmt: skip
    assert (hello.text, hello.x, hello.y, hello.size, hello.bold) == (
        "Hello spider", 72, 690, 12, False,
    )  # fmt: skip


@real
@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (b"%!PS\n", "no-text"),
        (b"%!PS\n100 100 moveto 200 200 lineto stroke showpage\n", "no-text"),
        (b"%!PS\n(no end of the string show\n", "damaged"),
        (b"%!PS\nno-such-operator\n", "damaged"),
        (b"%!PS\n" + bytes(range(128, 256)) * 20, "damaged"),
    ],
)
def test_a_document_without_lines_has_a_named_outcome(converter, body, outcome):
    assert converter.convert(body) == Conversion((), outcome)


@real
def test_the_pages_before_the_damage_are_kept(converter):
    found = converter.convert(PAGE + b"no-such-operator\n" + PAGE)
    assert (texts(found), found.pages) == (["A bold title", "Hello spider"], 1)


@real
def test_ends_a_program_at_its_time_limit_and_removes_its_files(temporary):
    with Converter(seconds=2) as converter:
        assert converter.convert(b"%!PS\n{} loop\n").outcome == "too-long"
        assert converter.convert(b"still here", "text/plain").outcome == "text"
    late = time.monotonic() + 60
    while any(temporary.iterdir()) and time.monotonic() < late:
        time.sleep(0.02)
    assert not list(temporary.iterdir())
    assert not running(temporary)


def running(folder):
    """The processes whose command line names a folder."""
    name = str(folder).encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if name in path.read_bytes():
                found.append(path)
        except OSError:
            continue  # it has ended
    return found


@real
def test_a_program_can_neither_read_nor_write_other_files(temporary):
    # Ghostscript lets a program into the folder of temporary files; these must not be there.
    secret = temporary / "secret.txt"
    secret.write_text("secret words\n")
    target = temporary / "target.txt"
    attempts = [
        f"{{({secret}) (r) file 99 string readline pop 72 600 moveto show}}",
        f"{{({secret}) run}}",
        "{(/etc/passwd) (r) file}",
        f"{{({target}) (w) file dup (x) writestring closefile}}",
        f"{{({target.name}) (w) file}}",
        f"{{({secret}) (a) file dup (x) writestring closefile}}",
        f"{{({secret}) deletefile}}",
        f"{{({secret}) ({target}) renamefile}}",
        f"{{(%pipe%echo x > {target}) (w) file closefile}}",
        "{(PATH) getenv}",
    ]
    body = ATTEMPT % "\n".join(f"{attempt} try" for attempt in attempts).encode()
    with Converter(seconds=20) as converter:
        assert texts(converter.convert(body)) == ["refused"] * len(attempts)
    assert secret.read_text() == "secret words\n"
    assert list(temporary.iterdir()) == [secret]


@real
def test_limits_the_size_of_the_output():
    body, whole = to_pdf(PAGE, 100_000)
    assert body.startswith(b"%PDF-")
    assert whole
    body, whole = to_pdf(PAGE, 1_000)
    assert len(body) <= 1_000
    assert not whole


def test_without_ghostscript_the_outcome_is_no_ghostscript(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with Converter() as converter:
        for body in (PAGE, b"\x04" + PAGE, gzip.compress(PAGE)):
            assert converter.convert(body).outcome == "no-ghostscript"
    with pytest.raises(NoGhostscript, match="install Ghostscript"):
        to_pdf(PAGE, 1_000)


def test_a_ghostscript_that_cannot_run_makes_documents_damaged(monkeypatch, tmp_path):
    program = tmp_path / "gs"
    program.write_text("#!/bin/sh\nexit 127\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with Converter() as converter:
        assert converter.convert(PAGE).outcome == "damaged"
