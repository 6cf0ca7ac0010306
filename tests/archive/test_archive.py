import gzip
import lzma
import os

import pytest

from lycosa.archive.archive import Archive, surt
from lycosa.errors import ArchiveError
from recorded_sites import record

PAGES = {f"http://{host}.example/{i}": f"page {host} {i}" for host in "bac" for i in range(30)}


@pytest.fixture
def archive(tmp_path):
    return Archive(record(tmp_path / "site", PAGES) / "pages.warc.gz")


def test_gets_any_page_by_its_url(archive):
    for url, text in PAGES.items():
        assert archive.get(url).body == text.encode()
    assert archive.get("http://a.example/31") is None
    assert archive.get("https://a.example/1") is None
    assert archive.get("http://a.example/") is None


def test_index_is_sorted_text_and_made_once(archive):
    archive.get("http://a.example/1")
    index = archive.path.with_name("pages.warc.gz.cdxj")
    lines = index.read_bytes().splitlines()
    assert lines == sorted(lines)
    assert len(lines) == len(PAGES)
    assert lines[0].startswith(b"example,a)/0 20260101000000 {")
    stamp = index.stat().st_ino
    Archive(archive.path).get("http://a.example/1")
    assert index.stat().st_ino == stamp


def test_index_is_rebuilt_when_the_archive_changes(archive, tmp_path):
    archive.get("http://a.example/1")
    other = record(tmp_path / "other", {"http://z.example/": "new"}) / "pages.warc.gz"
    os.replace(other, archive.path)
    assert Archive(archive.path).get("http://z.example/").body == b"new"


def test_archive_compressed_as_a_whole_is_copied_once(archive, tmp_path):
    import gzip

    path = tmp_path / "whole.warc.xz"
    path.write_bytes(lzma.compress(gzip.decompress(archive.path.read_bytes())))
    cache = tmp_path / "cache"
    whole = Archive(path, cache)
    assert whole.get("http://c.example/7").body == b"page c 7"
    assert sorted(p.name for p in cache.iterdir()) == ["whole.copy.warc.gz", "whole.warc.xz.cdxj"]
    assert {url: a.body.decode() for url, a in whole} == PAGES


def test_misuse(tmp_path):
    with pytest.raises(ArchiveError, match="There is no archive"):
        Archive(tmp_path / "no.warc")
    junk = tmp_path / "junk.warc"
    junk.write_bytes(b"junk" * 100)
    with pytest.raises(ArchiveError, match="Nothing could be read"):
        list(Archive(junk))
    assert Archive(junk).get("http://a.example/") is None


def test_surt():
    assert surt("http://[::1]:80/x") == "[::1]:80)/x"


@pytest.mark.parametrize("name", ["old.arc", "old.arc.gz", "renamed.warc.gz"])
def test_arc_files_are_named_as_unsupported(tmp_path, name):
    data = b"filedesc://old.arc 0.0.0.0 19990101000000 text/plain 76\n1 0 Alexa Internet\n"
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    with pytest.raises(ArchiveError, match=r"is an ARC file.* not supported: convert"):
        Archive(path)
