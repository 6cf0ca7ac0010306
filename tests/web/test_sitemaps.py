import gzip
import random
import time
import zlib
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.web import sitemaps as module
from lycosa.web.sitemaps import Entry, Sitemap, date, read_sitemap

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
SITEMAP = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="{NAMESPACE}" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
        xmlns:xhtml="http://www.w3.org/1999/xhtml">
  <url>
    <loc>http://www.example.com/</loc>
    <lastmod>2005-01-01</lastmod>
    <changefreq>monthly</changefreq>
    <priority>0.8</priority>
  </url>
  <!-- <url><loc>http://www.example.com/comment</loc></url> -->
  <url>
    <loc> http://www.example.com/catalog?item=12&amp;desc=vacation_hawaii
    </loc>
    <xhtml:link rel="alternate" hreflang="de" href="http://www.example.com/de"/>
    <image:image><image:loc>http://www.example.com/image.jpg</image:loc></image:image>
  </url>
  <url><loc><![CDATA[/relative?a=1&b=2]]></loc><lastmod>2004-12-23T18:00:15+00:00</lastmod></url>
</urlset>
""".encode()
ENTRIES = (
    Entry("http://www.example.com/", datetime(2005, 1, 1, tzinfo=UTC), 0.8),
    Entry("http://www.example.com/catalog?item=12&desc=vacation_hawaii"),
    Entry("/relative?a=1&b=2", datetime(2004, 12, 23, 18, 0, 15, tzinfo=UTC)),
)
INDEX = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="{NAMESPACE}">
<sitemap><loc>http://www.example.com/1.xml.gz</loc><lastmod>2004-10-01</lastmod></sitemap>
<sitemap><loc>/2.xml</loc></sitemap>
</sitemapindex>""".encode()
RSS = b"""<?xml version="1.0"?>
<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://x.example/rss.dtd">
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<link>http://a.example/</link><atom:link href="http://a.example/feed" rel="self"/>
<image><link>http://a.example/logo</link></image>
<item><title>One</title><link>http://a.example/1</link>
<pubDate>Sun, 06 Nov 1994 08:49:37 +0100</pubDate><atom:link href="http://a.example/no"/></item>
<item><link>http://a.example/2</link></item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://a.example/"/>
<entry><link rel="edit" href="/edit"/><link href=" /1 "/><link href="/also"/>
<updated>2003-12-13T18:30:02Z</updated><source><link href="/source"/></source></entry>
<entry><link rel="alternate" href="/2"/></entry></feed>"""


def urlset(*locs: str) -> bytes:
    inner = "".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
    return f"<urlset>{inner}</urlset>".encode()


def locs(sitemap: Sitemap) -> list[str]:
    return [entry.loc for entry in sitemap.urls]


def test_a_sitemap_lists_its_pages_and_not_its_extensions():
    assert read_sitemap(SITEMAP) == Sitemap(ENTRIES)


def test_an_index_lists_sitemaps():
    assert read_sitemap(INDEX) == Sitemap((), ("http://www.example.com/1.xml.gz", "/2.xml"))


def test_namespaces_matter_as_little_as_can_be():
    bare = SITEMAP.replace(f'xmlns="{NAMESPACE}"'.encode(), b"")
    assert read_sitemap(bare) == Sitemap(ENTRIES)
    undeclared = bare.replace(b"xmlns:image", b"xmlns:nobody")
    assert read_sitemap(undeclared) == Sitemap(ENTRIES)
    prefixed = b"<s:urlset xmlns:s='x'><s:url><loc>/b</loc><s:loc>/a</s:loc></s:url></s:urlset>"
    assert locs(read_sitemap(prefixed)) == ["/a"]
    inherited = b"<urlset><url><image xmlns='x'><loc>/i</loc></image><loc>/a</loc></url></urlset>"
    assert locs(read_sitemap(inherited)) == ["/a"]


def test_feeds_list_their_items():
    when = datetime(1994, 11, 6, 8, 49, 37, tzinfo=timezone(timedelta(hours=1)))
    assert read_sitemap(RSS).urls == (
        Entry("http://a.example/1", when),
        Entry("http://a.example/2"),
    )
    assert not read_sitemap(RSS).damaged
    when = datetime(2003, 12, 13, 18, 30, 2, tzinfo=UTC)
    assert read_sitemap(ATOM) == Sitemap((Entry("/1", when), Entry("/2")))
    rdf = b"<rdf:RDF xmlns:rdf='r' xmlns='s'><item><link>/1</link></item></rdf:RDF>"
    assert locs(read_sitemap(rdf)) == ["/1"]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\n\n"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_text_lists_a_page_on_each_line(end, codec):
    text = end.join(["http://a.example/1", " HTTPS://a.example/ü ", ""])
    assert read_sitemap(text.encode(codec)) == Sitemap(
        (Entry("http://a.example/1"), Entry("HTTPS://a.example/ü"))
    )
    prose = read_sitemap((text + "nonsense" + end).encode(codec))
    assert len(prose.urls) == 2
    assert prose.damaged


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "gbk", "iso-8859-1", "koi8-r"])
def test_any_encoding_that_is_declared_is_read(codec):
    loc = {"gbk": "/中文", "koi8-r": "/путь"}.get(codec, "/é")
    name = codec.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{name}"?><urlset><url><loc>{loc}</loc></url></urlset>'
    assert read_sitemap(text.encode(codec)) == Sitemap((Entry(loc),))


def test_blanks_before_the_declaration_do_not_matter():
    assert read_sitemap(b"\n\n " + SITEMAP) == Sitemap(ENTRIES)


@pytest.mark.parametrize(
    "body", [b"", b" \n", gzip.compress(b"", mtime=0), b"<urlset/>", b"<feed></feed>"]
)
def test_a_sitemap_may_be_empty(body):
    assert read_sitemap(body) == Sitemap()


@pytest.mark.parametrize(
    "body",
    [
        b"<!DOCTYPE html><html><body><url><loc>/x</loc></url></body></html>",
        b"<",
        b"\xff",
        b"Not found",
    ],
)
def test_what_is_no_sitemap_is_a_damaged_one(body):
    assert read_sitemap(body) == Sitemap(damaged=True)


# --- fields ---


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1997", datetime(1997, 1, 1, tzinfo=UTC)),
        ("1997-07", datetime(1997, 7, 1, tzinfo=UTC)),
        ("1997-07-16", datetime(1997, 7, 16, tzinfo=UTC)),
        ("1997-07-16T19:20+01:00", datetime(1997, 7, 16, 18, 20, tzinfo=UTC)),
        ("1997-07-16T19:20:30+01:00", datetime(1997, 7, 16, 18, 20, 30, tzinfo=UTC)),
        ("1997-07-16T19:20:30.45-01:00", datetime(1997, 7, 16, 20, 20, 30, 450000, tzinfo=UTC)),
        ("1997-07-16T19:20:30.123456789Z", datetime(1997, 7, 16, 19, 20, 30, 123456, tzinfo=UTC)),
        ("1997-07-16 19:20:30", datetime(1997, 7, 16, 19, 20, 30, tzinfo=UTC)),
        ("1997-07-16t19:20z", datetime(1997, 7, 16, 19, 20, tzinfo=UTC)),
        ("Sun, 06 Nov 1994 08:49:37 GMT", datetime(1994, 11, 6, 8, 49, 37, tzinfo=UTC)),
    ],
)
def test_dates(text, expected):
    found = date(text)
    assert found == expected
    assert found.tzinfo is not None


@pytest.mark.parametrize(
    "text",
    [
        *("0000", "1997-13", "1997-02-30", "97-07-16", "19970716", "1997-W01", "1997-07-16T"),
        *("", "now", "-1", "١٩٩٧", "1997-07-16T25:00Z", "1997-07-16T19:20+99:99", "2" * 5000),
        "Sun, 99 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37" + " " * 50 + "GMT",
    ],
)
def test_a_date_that_makes_no_sense_is_none(text):
    assert date(text) is None
    (entry,) = read_sitemap(
        f"<urlset><url><loc>/a</loc><lastmod>{text}</lastmod></url></urlset>".encode()
    ).urls
    assert entry == Entry("/a")


@given(st.text(max_size=40) | st.text("0123456789-:TZ+. ,", max_size=30))
def test_any_text_is_a_date_or_none(text):
    found = date(text)
    assert found is None or found.tzinfo is not None


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_date_comes_back(when):
    assert date(when.isoformat()) == when
    assert date(when.isoformat().replace("+00:00", "Z")) == when
    assert date(when.date().isoformat()) == when.replace(hour=0, minute=0, second=0, microsecond=0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0", 0.0), ("1.0", 1.0), (" .3 ", 0.3)]
    + [(bad, 0.5) for bad in ("", "high", "2", "-0.1", "nan", "inf", "0,7")],
)
def test_a_priority_is_between_0_and_1_or_the_middle(text, expected):
    body = f"<urlset><url><priority>{text}</priority><loc>/a</loc></url></urlset>"
    assert read_sitemap(body.encode()).urls == (Entry("/a", None, expected),)


def test_an_entry_without_an_address_is_none():
    body = (
        b"<urlset><url><loc> </loc></url><url><lastmod>2005</lastmod></url><loc>/x</loc></urlset>"
    )
    assert read_sitemap(body) == Sitemap()


# --- faults ---


def test_bare_ampersands_and_control_characters_are_mended():
    found = read_sitemap(urlset("/?a=1&b=2", "/&nbsp;\x01", "<![CDATA[/&c]]>", "/&amp;d"))
    assert locs(found) == ["/?a=1&b=2", "/&nbsp;", "/&c", "/&d"]
    assert found.damaged


def test_what_comes_before_a_fault_is_read():
    found = read_sitemap(urlset("/1", "/2", "/3</lo>", "/4"))
    assert locs(found) == ["/1", "/2"]
    assert found.damaged


def test_an_address_that_was_complete_survives_a_fault_in_its_entry():
    found = read_sitemap(b"<sitemapindex><sitemap><loc>/1</loc><lastmod>20")
    assert found == Sitemap((), ("/1",), damaged=True)


@given(st.integers(0, len(SITEMAP) - 1), st.booleans())
def test_a_torn_sitemap_gives_the_first_pages(size, packed):
    body = gzip.compress(SITEMAP, mtime=0)[: 2 + size % 300] if packed else SITEMAP[:size]
    found = read_sitemap(body)
    # The last newline may be missing.
    assert found.damaged or size >= len(SITEMAP.rstrip()) or body == b""
    assert locs(found) == locs(Sitemap(ENTRIES))[: len(found.urls)]


@given(
    st.binary(max_size=200), st.sampled_from([b"", b"<", b"<urlset>", b"\x1f\x8b\x08", b"http://"])
)
def test_any_bytes_are_harmless(body, start):
    assert isinstance(read_sitemap(start + body), Sitemap)


@given(
    st.sampled_from([SITEMAP, INDEX, RSS, ATOM, gzip.compress(SITEMAP, mtime=0)]),
    st.lists(st.tuples(st.integers(0, 2000), st.binary(max_size=3), st.integers(0, 9)), max_size=4),
)
def test_mutated_sitemaps_are_harmless(body, changes):
    for place, new, dropped in changes:
        at = place % (len(body) + 1)
        body = body[:at] + new + body[at + dropped :]
    found = read_sitemap(body)
    for entry in found.urls:
        assert entry.loc == entry.loc.strip() != ""
        assert 0 <= entry.priority <= 1
    assert all(found.sitemaps)


@given(st.lists(st.text(st.characters(categories=("L", "N")), min_size=1), max_size=5))
def test_what_is_written_is_read(names):
    assert locs(read_sitemap(urlset(*names))) == names


# --- hostile ones ---


def test_entities_are_neither_expanded_nor_fetched(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    for declared in (
        '<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">',
        f'<!ENTITY b SYSTEM "{secret.as_uri()}">',
        f'<!ENTITY % p SYSTEM "{secret.as_uri()}"> %p;',
        '<!ATTLIST urlset b CDATA "aaaa">',
    ):
        body = f"<!DOCTYPE urlset [{declared}]><urlset><url><loc>/&b;</loc></url></urlset>"
        assert read_sitemap(body.encode()) == Sitemap(damaged=True)
    external = (
        f'<!DOCTYPE urlset SYSTEM "{secret.as_uri()}"><urlset><url><loc>/&b;</loc></url></urlset>'
    )
    assert "secret" not in repr(read_sitemap(external.encode()))


def test_a_bomb_is_cut_off():
    packer = zlib.compressobj(wbits=31)
    bomb = packer.compress(b"<urlset>" + b" " * 1000)
    bomb += b"".join(packer.compress(bytes([32]) * (1 << 20)) for _ in range(60)) + packer.flush()
    plain, whole = module._plain(bomb)
    assert len(plain) == module.BYTES
    assert not whole


def test_exactly_the_limit_is_whole(monkeypatch):
    body = urlset("/a")
    monkeypatch.setattr(module, "BYTES", len(body))
    for whole in (body, gzip.compress(body, mtime=0)):
        assert read_sitemap(whole) == Sitemap((Entry("/a"),))
    for more in (body + b" ", gzip.compress(body + b" ")):
        assert read_sitemap(more) == Sitemap((Entry("/a"),), damaged=True)


def test_a_gzip_with_a_broken_end_gives_what_came_before():
    many = urlset(*(f"/{random.Random(n).random()}" for n in range(20_000)))
    packed = gzip.compress(many, mtime=0)
    packed = packed[:200_000] + bytes(8) + b"\xff" * 200
    found = read_sitemap(packed)
    assert found.damaged
    assert locs(found) == locs(read_sitemap(many))[: len(found.urls)]
    assert len(found.urls) > 5_000


def test_more_pages_than_the_standard_allows_are_not_read(monkeypatch):
    monkeypatch.setattr(module, "URLS", 3)
    for more in (urlset(*"1234"), b"\n".join(b"http://a/%d" % n for n in range(4))):
        found = read_sitemap(more)
        assert len(found.urls) == 3
        assert found.damaged
    assert not read_sitemap(urlset(*"123")).damaged
    assert len(read_sitemap(urlset(*"123") + b"<").urls) == 3


def test_a_depth_and_a_tag_that_no_sitemap_has_end_the_reading():
    entry = b"<url><loc>/a</loc></url>"
    for deep, damaged in ((50, False), (100, True)):
        body = b"<urlset>" + b"<a>" * deep + entry + b"</a>" * deep + b"</urlset>"
        assert read_sitemap(body) == Sitemap(() if damaged else (Entry("/a"),), damaged=damaged)
    for long, damaged in ((100_000, False), (2_000_000, True)):
        body = b"<urlset a='" + b">" * long + b"'>" + entry + b"</urlset>"
        assert read_sitemap(body) == Sitemap(() if damaged else (Entry("/a"),), damaged=damaged)


@pytest.mark.parametrize(
    "body",
    [
        b"<urlset>" + b"<a>" * 1_000_000,
        b"<urlset>" + b"<url>" * 1_000_000,
        b"<urlset " + b" ".join(b'a%x=">"' % n for n in range(300_000)),
        b"<urlset>" + b"<![CDATA[" * 300_000,
        b"<urlset>" + b"&<![CDATA[" * 300_000,
        b"<urlset>" + b"<!--" * 1_000_000,
        b"<urlset><url><loc>" + b"a" * 3_000_000,
        b"http:\n" * 500_000,
        b"\r\n" * 1_000_000,
        gzip.compress(bytes(10_000_000), mtime=0),
    ],
    ids=lambda body: repr(body[:20]),
)
def test_what_is_made_to_be_slow_is_not(body):
    start = time.perf_counter()
    assert read_sitemap(body).urls == ()
    assert time.perf_counter() - start < 5
