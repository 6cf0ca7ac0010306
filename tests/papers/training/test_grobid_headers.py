"""Reading of annotated headers, from invented files in the format of the corpus."""

import io
import lzma
import tarfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.papers.training.grobid_headers import parse_header, read_headers

TEI = """<?xml version="1.0" ?>
<tei xml:space="preserve"><teiHeader><fileDesc xml:id="_a"/></teiHeader><text xml:lang="en"><front>
<lb/>
  <note type="doctype">RESEARCH ARTICLE<lb/></note>
  <docTitle><titlePart>Hunting web spiders<lb/> in the dark<lb/></titlePart></docTitle>
  <byline><docAuthor>Ann Lee 1 and Zoe Roe<lb/></docAuthor></byline>
  <byline><affiliation>1<lb/> University of Webs</affiliation></byline>,
  <address>Spidertown</address>
  A B S T R A C T<lb/>
  <div type="abstract">They hunt.<lb/></div>
  Keywords:
  <keyword>spiders</keyword>
  E-mail: <email>ann@webs.edu</email>
  .<lb/>
</front></text></tei>"""


def row(text, block="IN", line="IN", size="SAMEFONTSIZE", bold=0):
    head = [text, text.lower(), *["x"] * 8]
    layout = [f"BLOCK{block}", f"LINE{line}", "ALIGNEDLEFT", "SAMEFONT", size, str(bold), "0"]
    return " ".join([*head, *layout, *["0"] * 15])


RAW = "\n".join(
    [
        row("RESEARCH", "START", "START", "HIGHERFONT"),
        row("ARTICLE", "END", "END"),
        row("Hunting", "START", "START", "HIGHERFONT", 1),
        row("web", bold=1),
        row("spiders", line="END", bold=1),
        row("in", line="START", bold=1),
        row("the", bold=1),
        row("dark", "END", "END", bold=1),
        row("Ann", "START", "START", "LOWERFONT"),
        row("Lee"),
        row("1", size="LOWERFONT"),
        row("and", size="HIGHERFONT"),
        row("Zoe"),
        row("Roe", "END", "END"),
    ]
)


def labels(header, word):
    return [token.label for token in header.tokens if token.text == word]


def test_words_have_the_label_of_their_element():
    header = parse_header("a", TEI)
    assert labels(header, "Hunting") == ["title"]
    assert labels(header, "RESEARCH") == ["note"]
    assert labels(header, "Webs,") == ["affiliation"]
    assert labels(header, "Spidertown") == ["address"]


def test_headings_have_the_label_of_what_follows():
    header = parse_header("a", TEI)
    assert set(labels(header, "A")) == set(labels(header, "T")) == {"abstract"}
    assert labels(header, "Keywords:") == ["keyword"]
    assert labels(header, "E-mail:") == ["email"]


def test_punctuation_behind_a_tag_belongs_to_the_word_before_it():
    assert labels(parse_header("a", TEI), "ann@webs.edu.") == ["email"]


def test_a_mark_alone_on_a_line_belongs_to_the_line_below():
    texts = [line.text for line in parse_header("a", TEI).lines]
    assert "1 University of Webs, Spidertown A B S T R A C T" in texts
    assert texts[1:3] == ["Hunting web spiders", "in the dark"]


def test_layout_is_that_of_the_raw_tokens():
    header = parse_header("a", TEI, RAW)
    banner, title, second, author = header.lines[:4]
    assert (banner.bold, banner.size_change, banner.new_block) == (False, 1, True)
    assert (title.bold, title.size_change, title.new_block) == (True, 1, True)
    assert (second.bold, second.size_change, second.new_block) == (True, 0, False)
    # The superscript is smaller, the line is not.
    assert (author.text, author.size_change) == ("Ann Lee 1 and Zoe Roe", -1)


def test_without_raw_tokens_the_layout_is_not_known():
    assert {line[1:] for line in parse_header("a", TEI).lines} == {(None,) * 7}


@given(st.lists(st.sampled_from(["<lb/>", " Lee", "1", ",", " <email>a@b.de</email>", "\n"])))
def test_no_word_is_lost_and_lines_are_in_order(parts):
    text = "".join(parts)
    header = parse_header("a", f"<tei><text><front>{text}</front></text></tei>", RAW)
    plain = text.replace("<lb/>", " ").replace("<email>", " ").replace("</email>", " ")
    assert "".join(token.text for token in header.tokens) == "".join(plain.split())
    lines = [token.line for token in header.tokens]
    assert lines == sorted(lines)
    assert len(header.lines) == len(set(lines))


def write(path, files):
    with lzma.open(path, "wb") as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(f"header/corpus/{name}")
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))


def test_reads_an_archive_without_its_damaged_files(tmp_path):
    write(
        tmp_path / "header.tar.xz",
        {
            "tei/b.training.header.tei.xml": TEI,
            "raw/b.training.header": RAW,
            "tei/broken.training.header.tei.xml": TEI[:-30],
            "tei/empty.header.tei.xml": "<tei><text><front/></text></tei>",
            "tei/a.header.tei.xml": TEI,
        },
    )
    without, with_layout = read_headers(tmp_path / "header.tar.xz")
    assert (without.name, with_layout.name) == ("a", "b")
    assert with_layout.lines[1].bold
    assert without.lines[1].bold is None


def test_a_missing_archive_is_misuse(tmp_path):
    with pytest.raises(UsageError, match="check the archive"):
        read_headers(tmp_path / "none.tar.xz")
