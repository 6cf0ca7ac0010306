import pytest

from lycosa.archive.writer import WarcWriter
from lycosa.errors import SiteError, UsageError
from lycosa.sites import open_site
from lycosa.sites.importers import import_folder, import_warcs
from recorded_sites import record


@pytest.fixture
def mirror(tmp_path):
    files = {
        "index.html": "<a href=about/index.html>a</a><a href='papers/a b.pdf'>p</a>",
        "about/index.html": "<!-- Mirrored from www.example.org/about-us/ by HTTrack -->"
        "<a href=/>h</a>",
        "papers/a b.pdf": "%PDF",
        "style.css": "b{}",
        "logo.png": "x",
        "page": "<p>no suffix",
        ".hidden": "x",
    }
    for name, text in files.items():
        file = tmp_path / "mirror" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path / "mirror"


def test_imports_a_mirror(mirror, tmp_path):
    done = import_folder(mirror, tmp_path / "site", "http://www.example.org", family="orgs")
    assert (done.pages, done.aliases, done.damage) == (4, 3, ())
    assert done.recording.seeds == ("http://www.example.org/index.html",)
    site = open_site(tmp_path / "site")
    assert site.family == "orgs"
    table = site.tables.urls
    assert sorted(table[n] for n in range(len(site))) == [
        "http://www.example.org/about/index.html",
        "http://www.example.org/index.html",
        "http://www.example.org/page",
        "http://www.example.org/papers/a%20b.pdf",
    ]
    about = table.find("http://www.example.org/about/index.html")
    front = table.find("http://www.example.org/index.html")
    assert site.page(about).targets.tolist() == [front]
    aliases = done.recording.aliases()
    assert aliases["http://www.example.org/about-us/"] == "http://www.example.org/about/index.html"


def test_imports_archives_of_other_tools(tmp_path):
    paths = [tmp_path / "1.warc.gz", tmp_path / "2.warc.gz"]
    kind = {"Content-Type": "text/html"}
    with WarcWriter(paths[0]) as writer:
        writer.response("http://a.example/x", b"<a href=y>y</a>", headers=kind)
        writer.response("http://a.example/s.css", b"b{}", headers={"Content-Type": "text/css"})
        writer.response("http://a.example/lost", b"", status=500)
        writer.response("http://a.example/y", b"", status=302, headers={"Location": "/z"})
    with WarcWriter(paths[1]) as writer:
        writer.response("http://a.example/z", b"there", headers=kind)
        writer.response("http://a.example/x", b"a later copy", headers=kind)
        writer.response("http://a.example/", b"<a href=x>x</a>", headers=kind)
    done = import_warcs(paths, tmp_path / "site")
    assert (done.pages, done.aliases) == (3, 1)
    assert done.recording.seeds == ("http://a.example/",)
    site = open_site(tmp_path / "site")
    assert site.page(0).text == "y"
    assert site.tables.urls[int(site.page(0).targets[0])] == "http://a.example/z"


def test_damage_is_reported(tmp_path):
    source = record(tmp_path / "s", {"http://a.example/": "x" * 500, "http://a.example/1": "y"})
    archive = source / "pages.warc.gz"
    archive.write_bytes(archive.read_bytes()[:-30])
    done = import_warcs([archive], tmp_path / "site")
    assert done.pages == 1
    assert "damaged in 1 place" in done.damage[0]


def test_misuse(mirror, tmp_path):
    with pytest.raises(UsageError, match="not a web address"):
        import_folder(mirror, tmp_path / "o", "example")
    with pytest.raises(UsageError, match="no folder"):
        import_folder(tmp_path / "none", tmp_path / "o", "http://a.example/")
    with pytest.raises(UsageError, match="exists already"):
        import_folder(mirror, mirror, "http://a.example/")
    with pytest.raises(UsageError, match="not among the pages"):
        import_folder(mirror, tmp_path / "o", "http://a.example/", seeds=["http://b.example/"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(SiteError, match="no HTML page to import"):
        import_folder(tmp_path / "empty", tmp_path / "p", "http://a.example/")
    assert not (tmp_path / "p").exists()
