import os
import re

import pytest

from lycosa.compiled import source_of
from lycosa.errors import SiteError, UnknownName
from lycosa.sites import Graph, Recording, find_sites, open_site
from lycosa.sites.checks import check_site
from recorded_sites import REAL, needs_real_sites, realdata, record

SITE = {
    "http://a.example/": "<title>Front</title><a href=x.html>to x</a> <a href=Y/>to y</a>"
    "<a href=http://out.example/>out</a>",
    "http://a.example/x.html": "<a href=tr.ps>paper</a> <a href=/>home</a> <a href=y>also y</a>",
    "http://a.example/y/": "<a href=../x.html>x</a> <a href=/x.html#2>x again</a>",
}
EXTRA = {
    "leaves": ("http://a.example/tr.ps",),
    "aliases": {
        "http://a.example/Y/": "http://a.example/y/",
        "http://a.example/y": "http://a.example/Y/",
    },
    "targets": {"papers": ("http://a.example/tr.ps", "http://a.example/nowhere.ps")},
}


@pytest.fixture
def site(tmp_path):
    return open_site(record(tmp_path / "a", SITE, **EXTRA))


def urls(site, numbers):
    return [site.tables.urls[n].removeprefix("http://a.example/") for n in numbers.tolist()]


def test_compiles_a_recorded_site(site):
    check_site(site)
    assert len(site) == 4
    assert urls(site, site.seeds) == [""]
    assert urls(site, site.page(0).targets) == ["x.html", "y/"]
    assert urls(site, site.page(1).targets) == ["tr.ps", "", "y/"]
    assert urls(site, site.page(2).targets) == ["x.html"]
    assert urls(site, site.wanted("papers")) == ["tr.ps"]
    assert site.page(3).text == ""
    assert site.damage is None
    assert Graph.of(site).distances(site.seeds).tolist() == [0, 1, 1, 2]


def test_compiled_pages_keep_their_words(site):
    front = site.page(0)
    assert (front.title, front.text) == ("front", "front to x to y out")
    assert front.link(1).bags["anchor"] == ("to", "y")
    assert front.link(1).bags["url"] == ("y",)
    assert front.link(1).bags["near"] == ("to", "x", "out")
    both = site.page(2).link(0)
    assert both.bags["anchor"] == ("x", "x", "again")


def test_unknown_goal(site):
    with pytest.raises(UnknownName, match="did you mean 'papers'"):
        site.wanted("paper")


def test_the_cache_is_used_until_something_changes(tmp_path):
    folder = record(tmp_path / "a", SITE, **EXTRA)
    called = []
    open_site(folder, lambda at, end: called.append(at))
    assert called
    called.clear()
    open_site(folder, lambda at, end: called.append(at))
    assert not called
    (folder / "leaves.txt").write_text("")
    assert len(open_site(folder, lambda at, end: called.append(at))) == 3
    assert called
    assert len(list((folder / ".lycosa").iterdir())) == 1


def test_cache_key_depends_on_the_code(tmp_path, monkeypatch):
    from lycosa.sites import compiler

    folder = record(tmp_path / "a", SITE)
    recording = Recording.open(folder)
    before = compiler._fingerprint(recording)
    monkeypatch.setattr(compiler, "_SOURCE_MODULES", compiler._SOURCE_MODULES[:-1])
    assert compiler._fingerprint(recording) != before


def test_source_modules_are_all_modules_that_compile():
    """Every module that the compiler imports is in its list, or cannot change what it stores."""
    from lycosa.sites import compiler

    harmless = {"compiled", "core", "errors", "files", "processes", "sites.compiled",
                "sites.recording", "web.links"}  # fmt: skip
    imported, pending = set(), ["sites.compiler"]
    while pending:
        name = pending.pop()
        if name not in imported and name not in harmless:
            imported.add(name)
            source = source_of(name).read_text()
            pending += re.findall(r"^from lycosa\.([\w.]+) import", source, re.MULTILINE)
    assert imported == set(compiler._SOURCE_MODULES)


def test_processes_do_not_change_the_result(tmp_path, monkeypatch):
    from lycosa.sites import compiler

    pages = {
        f"http://a.example/{i}": f"<a href={i + 1}>w{i % 7}</a><a href={i * 7 % 50}>v</a>"
        for i in range(50)
    }
    one = open_site(record(tmp_path / "one" / "a", pages))
    monkeypatch.setattr(compiler, "_MIN_PARALLEL_BYTES", 0)
    monkeypatch.setattr(compiler, "_BATCH_BYTES", 200)
    two = open_site(record(tmp_path / "two" / "a", pages), jobs=2)
    caches = [tmp_path / n / "a" / ".lycosa" for n in ("one", "two")]
    files = [{f.name: f.read_bytes() for f in c.glob("*/*")} for c in caches]
    assert files[0] == files[1]
    assert len(one) == len(two) == 50


def test_read_only_folder_is_not_changed(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    folder = record(tmp_path / "a", SITE)
    folder.chmod(0o555)
    try:
        open_site(folder)
        assert not (folder / ".lycosa").exists()
        assert len(list((tmp_path / "home" / "lycosa").iterdir())) == 1
    finally:
        folder.chmod(0o755)


def test_cache_folder_is_configurable(tmp_path, monkeypatch):
    monkeypatch.setenv("LYCOSA_CACHE", str(tmp_path / "cache"))
    open_site(record(tmp_path / "a", SITE))
    assert len(list((tmp_path / "cache").glob("a-*/compiled-*"))) == 1
    monkeypatch.setenv("LYCOSA_CACHE", "/proc/nowhere")
    with pytest.raises(SiteError, match="LYCOSA_CACHE"):
        open_site(record(tmp_path / "b", SITE))


def test_redirects_in_the_archive_are_aliases(tmp_path):
    from lycosa.archive.writer import WarcWriter

    folder = record(tmp_path / "a", SITE)
    with WarcWriter(folder / "pages.warc.gz") as writer:
        writer.response("http://a.example/", b"<a href=old>o</a><a href=gone>g</a>")
        writer.response("http://a.example/old", b"", status=301, headers={"Location": "/older"})
        writer.response("http://a.example/older", b"", status=302, headers={"Location": "new"})
        writer.response("http://a.example/new", b"here")
        writer.response("http://a.example/gone", b"<a href=/>home</a>", status=404)
    site = open_site(folder)
    assert urls(site, site.page(0).targets) == ["new", "gone"]
    gone = site.page(2)
    assert (gone.status, len(gone.targets)) == (404, 0)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda f: (f / "site.toml").unlink(), "not a recorded site"),
        (lambda f: (f / "site.toml").write_text("name = "), "cannot be read"),
        (lambda f: (f / "site.toml").write_text("name = 'a'"), "names no seeds"),
        (lambda f: (f / "site.toml").write_text("seeds=['http://b.example/']"), "seed http://b"),
        (lambda f: (f / "pages.warc.gz").unlink(), "has no pages"),
        (lambda f: (f / "pages.warc.gz").write_bytes(b""), "is empty"),
        (lambda f: (f / "pages.warc.gz").write_bytes(b"junk" * 99), "Nothing could be read"),
        (lambda f: (f / "aliases.tsv").write_text("no tab"), "no tab in"),
    ],
)
def test_invalid_folders_are_refused_with_one_sentence(tmp_path, change, sentence):
    folder = record(tmp_path / "a", SITE)
    change(folder)
    with pytest.raises(SiteError, match=sentence):
        open_site(folder)
    assert not list(folder.glob(".lycosa/*"))


def test_damage_is_reported_and_the_rest_is_used(tmp_path):
    folder = record(tmp_path / "a", {**SITE, "http://a.example/last": os.urandom(5000).hex()})
    archive = folder / "pages.warc.gz"
    archive.write_bytes(archive.read_bytes()[:-900])
    for _ in range(2):  # also when it comes from the cache
        site = open_site(folder)
        assert len(site) == 3
        assert "damaged in 1 place" in site.damage
        assert "4 records" in site.damage


def test_finding_sites(tmp_path):
    first, second = (record(tmp_path / "all" / f / "s", SITE) for f in ("x", "y"))
    assert find_sites([tmp_path]) == [first, second]
    assert find_sites([second, tmp_path]) == [second, first]
    with pytest.raises(SiteError, match="no folder"):
        find_sites([tmp_path / "none"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(SiteError, match="no recorded site"):
        find_sites([tmp_path / "empty"])


@realdata
@needs_real_sites
def test_a_real_site(tmp_path, monkeypatch):
    monkeypatch.setenv("LYCOSA_CACHE", str(tmp_path))
    site = open_site(REAL / "departments" / "webkb-cornell")
    check_site(site)
    reached = Graph.of(site).distances(site.seeds) >= 0
    assert (int(reached.sum()), int(reached[site.wanted("papers")].sum())) == (1954, 372)
