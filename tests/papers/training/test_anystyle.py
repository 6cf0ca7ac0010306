"""Reader of AnyStyle's references, on invented ones."""

import pytest

from lycosa.errors import UsageError
from lycosa.papers.training.anystyle import parse_anystyle, read_anystyle

ONE = """<dataset><sequence>
<citation-number>[3]</citation-number>
<author>Lee, A.,</author>
<title>Webs of &amp; spiders.</title>
<container-title>In Proc. Webs,</container-title>
<volume>12(3):</volume>
<url>http://x.org/</url>
</sequence><sequence></sequence></dataset>"""


def test_labels_follow_those_of_tagged_references():
    (one,) = parse_anystyle(ONE.encode(), "core.xml")
    assert [(token.text, token.label) for token in one] == [
        ("Lee,", "author"), ("A.,", "author"), ("Webs", "title"), ("of", "title"), ("&", "title"),
        ("spiders.", "title"), ("In", "booktitle"), ("Proc.", "booktitle"), ("Webs,", "booktitle"),
        ("12", "volume"), ("(3):", "volume"), ("http://x.org/", "web"),
    ]  # fmt: skip


@pytest.mark.parametrize("data", [b"", b"<dataset><sequence>", b"\x00"])
def test_a_broken_file_is_named(data):
    with pytest.raises(UsageError, match=r"core\.xml is not well-formed XML"):
        parse_anystyle(data, "core.xml")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_anystyle(tmp_path / "none.xml")
