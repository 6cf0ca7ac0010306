import gzip
import random
import time
import zlib
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.web import sitemaps as module
from lycosa.web.sitemaps import Sitemap, SitemapEntry, parse_date, read_sitemap

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
    SitemapEntry("http://www.example.com/", datetime(2005, 1, 1, tzinfo=UTC), 0.8),
    SitemapEntry("http://www.example.com/catalog?item=12&desc=vacation_hawaii"),
    SitemapEntry("/relative?a=1&b=2", datetime(2004, 12, 23, 18, 0, 15, tzinfo=UTC)),
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


def test_sitemap_gives_pages_and_ignores_extensions():
    assert read_sitemap(SITEMAP) == Sitemap(ENTRIES)


def test_an_index_lists_sitemaps():
    assert read_sitemap(INDEX) == Sitemap((), ("http://www.example.com/1.xml.gz", "/2.xml"))


def test_missing_and_undeclared_namespaces_are_accepted():
    bare = SITEMAP.replace(f'xmlns="{NAMESPACE}"'.encode(), b"")
    assert read_sitemap(bare) == Sitemap(ENTRIES)
    undeclared = bare.replace(b"xmlns:image", b"xmlns:other")
    assert read_sitemap(undeclared) == Sitemap(ENTRIES)
    prefixed = b"<s:urlset xmlns:s='x'><s:url><loc>/b</loc><s:loc>/a</s:loc></s:url></s:urlset>"
    assert locs(read_sitemap(prefixed)) == ["/a"]
    inherited = b"<urlset><url><image xmlns='x'><loc>/i</loc></image><loc>/a</loc></url></urlset>"
    assert locs(read_sitemap(inherited)) == ["/a"]


def test_feeds_list_their_items():
    when = datetime(1994, 11, 6, 8, 49, 37, tzinfo=timezone(timedelta(hours=1)))
    assert read_sitemap(RSS).urls == (
        SitemapEntry("http://a.example/1", when),
        SitemapEntry("http://a.example/2"),
    )
    assert not read_sitemap(RSS).damaged
    when = datetime(2003, 12, 13, 18, 30, 2, tzinfo=UTC)
    assert read_sitemap(ATOM) == Sitemap((SitemapEntry("/1", when), SitemapEntry("/2")))
    rdf = b"<rdf:RDF xmlns:rdf='r' xmlns='s'><item><link>/1</link></item></rdf:RDF>"
    assert locs(read_sitemap(rdf)) == ["/1"]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\n\n"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_text_lists_a_page_on_each_line(end, codec):
    text = end.join(["http://a.example/1", " HTTPS://a.example/ü ", ""])
    assert read_sitemap(text.encode(codec)) == Sitemap(
        (SitemapEntry("http://a.example/1"), SitemapEntry("HTTPS://a.example/ü"))
    )
    prose = read_sitemap((text + "nonsense" + end).encode(codec))
    assert len(prose.urls) == 2
    assert prose.damaged


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "gbk", "iso-8859-1", "koi8-r"])
def test_any_encoding_that_is_declared_is_read(codec):
    loc = {"gbk": "/中文", "koi8-r": "/путь"}.get(codec, "/é")
    name = codec.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{name}"?><urlset><url><loc>{loc}</loc></url></urlset>'
    assert read_sitemap(text.encode(codec)) == Sitemap((SitemapEntry(loc),))


def test_blanks_before_the_declaration_are_ignored():
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
def test_other_documents_are_damaged_sitemaps(body):
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
    found = parse_date(text)
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
def test_invalid_date_is_none(text):
    assert parse_date(text) is None
    (entry,) = read_sitemap(
        f"<urlset><url><loc>/a</loc><lastmod>{text}</lastmod></url></urlset>".encode()
    ).urls
    assert entry == SitemapEntry("/a")


@given(st.text(max_size=40) | st.text("0123456789-:TZ+. ,", max_size=30))
def test_any_text_is_a_date_or_none(text):
    found = parse_date(text)
    assert found is None or found.tzinfo is not None


@given(st.datetimes(timezones=st.just(UTC)))
def test_date_round_trip(when):
    assert parse_date(when.isoformat()) == when
    assert parse_date(when.isoformat().replace("+00:00", "Z")) == when
    assert parse_date(when.date().isoformat()) == when.replace(
        hour=0, minute=0, second=0, microsecond=0
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0", 0.0), ("1.0", 1.0), (" .3 ", 0.3)]
    + [(bad, 0.5) for bad in ("", "high", "2", "-0.1", "nan", "inf", "0,7")],
)
def test_priority_is_between_0_and_1_or_the_default(text, expected):
    body = f"<urlset><url><priority>{text}</priority><loc>/a</loc></url></urlset>"
    assert read_sitemap(body.encode()).urls == (SitemapEntry("/a", None, expected),)


def test_entry_without_a_url_is_ignored():
    body = (
        b"<urlset><url><loc> </loc></url><url><lastmod>2005</lastmod></url><loc>/x</loc></urlset>"
    )
    assert read_sitemap(body) == Sitemap()


# --- errors ---


def test_bare_ampersands_and_control_characters_are_repaired():
    found = read_sitemap(urlset("/?a=1&b=2", "/&nbsp;\x01", "<![CDATA[/&c]]>", "/&amp;d"))
    assert locs(found) == ["/?a=1&b=2", "/&nbsp;", "/&c", "/&d"]
    assert found.damaged


def test_entries_before_an_error_are_read():
    found = read_sitemap(urlset("/1", "/2", "/3</lo>", "/4"))
    assert locs(found) == ["/1", "/2"]
    assert found.damaged


def test_complete_url_survives_an_error_later_in_its_entry():
    found = read_sitemap(b"<sitemapindex><sitemap><loc>/1</loc><lastmod>20")
    assert found == Sitemap((), ("/1",), damaged=True)


@given(st.integers(0, len(SITEMAP) - 1), st.booleans())
def test_truncated_sitemap_gives_its_first_pages(size, packed):
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
def test_sitemap_round_trip(names):
    assert locs(read_sitemap(urlset(*names))) == names


# --- hostile sitemaps ---


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


def test_decompression_bomb_is_cut_off():
    packer = zlib.compressobj(wbits=31)
    bomb = packer.compress(b"<urlset>" + b" " * 1000)
    bomb += b"".join(packer.compress(bytes([32]) * (1 << 20)) for _ in range(60)) + packer.flush()
    plain, whole = module._decompress(bomb)
    assert len(plain) == module.MAX_SITEMAP_BYTES
    assert not whole


def test_sitemap_of_exactly_the_limit_is_complete(monkeypatch):
    body = urlset("/a")
    monkeypatch.setattr(module, "MAX_SITEMAP_BYTES", len(body))
    for whole in (body, gzip.compress(body, mtime=0)):
        assert read_sitemap(whole) == Sitemap((SitemapEntry("/a"),))
    for more in (body + b" ", gzip.compress(body + b" ")):
        assert read_sitemap(more) == Sitemap((SitemapEntry("/a"),), damaged=True)


def test_gzip_with_a_damaged_end_gives_its_beginning():
    many = urlset(*(f"/{random.Random(n).random()}" for n in range(20_000)))
    packed = gzip.compress(many, mtime=0)
    packed = packed[:200_000] + bytes(8) + b"\xff" * 200
    found = read_sitemap(packed)
    assert found.damaged
    assert locs(found) == locs(read_sitemap(many))[: len(found.urls)]
    assert len(found.urls) > 5_000


def test_more_pages_than_the_standard_allows_are_not_read(monkeypatch):
    monkeypatch.setattr(module, "MAX_URLS", 3)
    for more in (urlset(*"1234"), b"\n".join(b"http://a/%d" % n for n in range(4))):
        found = read_sitemap(more)
        assert len(found.urls) == 3
        assert found.damaged
    assert not read_sitemap(urlset(*"123")).damaged
    assert len(read_sitemap(urlset(*"123") + b"<").urls) == 3


def test_excessive_depth_or_tag_length_ends_parsing():
    entry = b"<url><loc>/a</loc></url>"
    for deep, damaged in ((50, False), (100, True)):
        body = b"<urlset>" + b"<a>" * deep + entry + b"</a>" * deep + b"</urlset>"
        assert read_sitemap(body) == Sitemap(
            () if damaged else (SitemapEntry("/a"),), damaged=damaged
        )
    for long, damaged in ((100_000, False), (2_000_000, True)):
        body = b"<urlset a='" + b">" * long + b"'>" + entry + b"</urlset>"
        assert read_sitemap(body) == Sitemap(
            () if damaged else (SitemapEntry("/a"),), damaged=damaged
        )


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
def test_slow_inputs_are_parsed_in_bounded_time(body):
    start = time.process_time()
    assert read_sitemap(body).urls == ()
    assert time.process_time() - start < 5
