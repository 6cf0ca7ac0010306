import pickle
import time
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.web import robots as module
from lycosa.web.robots import (
    GIVE_UP_SECONDS,
    MAX_LIFETIME_SECONDS,
    MAX_ROBOTS_BYTES,
    MIN_LIFETIME_SECONDS,
    RETRY_SECONDS,
    Robots,
    interpret_outcome,
)
from lycosa.web.robots_rules import normalise_rule

HOST = "https://example.com"
RULES = st.text(st.sampled_from("ab*$/?:%"), max_size=6).map(lambda text: "/" + text)
PATHS = st.text(st.sampled_from("ab*$/?:%"), max_size=8).map(lambda text: "/" + text)


def allowed(body: str | bytes, path: str, agent: str = "foobot") -> bool:
    body = body if isinstance(body, bytes) else body.encode()
    return Robots.parse(body).allows(HOST + path, agent)


def disallows(rule: str, path: str) -> bool:
    return not allowed(f"User-agent: *\nDisallow: {rule}\n", path)


# --- the examples of RFC 9309 ---

SIMPLE = """\
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""


@pytest.mark.parametrize(
    ("agent", "path", "expected"),
    [
        ("otherbot", "/a.gif", False),
        ("otherbot", "/a.gif?x", True),
        ("otherbot", "/example/", False),
        ("otherbot", "/example", True),
        ("otherbot", "/publications/", True),
        ("otherbot", "/publications/a.gif", True),
        ("otherbot", "/", True),
        ("foobot", "/", False),
        ("foobot", "/publications/", False),
        ("foobot", "/example/page.html", True),
        ("foobot", "/example/allowed.gif", True),
        ("barbot", "/example/page.html", False),
        ("bazbot", "/example/page.html", False),
        ("bazbot", "/a.gif", True),
        ("barbot", "/", True),
        ("quxbot", "/example/page.html", True),
        ("quxbot", "/a.gif", True),
    ],
)
def test_the_simple_example_of_the_standard(agent, path, expected):
    assert allowed(SIMPLE, path, agent) is expected


def test_the_longest_match_example_of_the_standard():
    body = "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n"
    assert not allowed(body, "/example/page/disallowed.gif")
    assert allowed(body, "/example/page/other.gif")
    assert allowed(body, "/example/page/")


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
    ],
)
def test_encoding_table_of_the_standard_matches_both_ways(rule, path):
    for one, other in product((rule, path), repeat=2):
        assert disallows(one, other)
        assert not disallows(one + "x", other)


@pytest.mark.parametrize(
    ("rule", "path", "expected"),
    [
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html", True),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-b.html", False),
        ("/path/foo-%24", "/path/foo-$", True),
        ("/path/foo-%24", "/path/foo-$-and-on", True),
        ("/path/foo-%24", "/path/foo-", False),
        ("/a$b", "/a$bc", True),
        ("/a$b", "/a", False),
        ("/this/*/exactly", "/this/a/b/exactly", True),
        ("/this/*/exactly", "/this/exactly", False),
        ("/this/path/exactly$", "/this/path/exactly", True),
        ("/this/path/exactly$", "/this/path/exactly/not", False),
    ],
)
def test_special_characters_and_their_escapes(rule, path, expected):
    assert disallows(rule, path) is expected


def test_groups_of_one_robot_are_combined_and_others_ignored():
    body = (
        "user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n"
        "user-agent: *\ndisallow: /all\n"
        "user-agent: examplebot\ndisallow: /baz\n"
    )
    seen = {p: allowed(body, p, "ExampleBot") for p in ("/foo", "/bar", "/baz", "/all")}
    assert seen == {"/foo": False, "/bar": False, "/baz": False, "/all": True}
    assert not allowed(body, "/all", "other")


def test_a_sitemap_or_an_unknown_line_does_not_end_a_group():
    body = "User-agent: a\nSitemap: /s.xml\nHost: x\nUser-agent: foobot\nDisallow: /\n"
    assert not allowed(body, "/", "a")
    assert not allowed(body, "/", "foobot")
    body = "User-agent: a\nDisallow: /a\nSitemap: /s.xml\nDisallow: /b\n"
    assert not allowed(body, "/b", "a")


# --- robot names ---


@pytest.mark.parametrize(
    ("line", "agent", "named"),
    [
        ("foobot", "FooBot", True),
        ("FOOBOT", "foobot/2.1 (+http://example.com)", True),
        ("foobot/1.0", "foobot", True),
        ("foo-bot_x", "Foo-Bot_X/3", True),
        ("foo", "foobot", False),
        ("foobot", "foo", False),
        ("foobot-news", "foobot", False),
        ("", "foobot", False),
        ("", "123", False),
        ("*foobot", "foobot", False),
        ("123", "123", False),
    ],
)
def test_a_robot_is_named_by_its_whole_product_token(line, agent, named):
    body = f"User-agent: {line}\nDisallow: /named\nUser-agent: *\nDisallow: /all\n"
    assert allowed(body, "/named", agent) is not named
    assert allowed(body, "/all", agent) is named


def test_a_star_may_be_followed_by_words_but_not_by_letters():
    assert not allowed("User-agent: * all of you\nDisallow: /\n", "/")
    assert allowed("User-agent: *bot\nDisallow: /\n", "/")


def test_group_without_rules_overrides_the_star_group():
    assert allowed("User-agent: foobot\nDisallow:\n\nUser-agent: *\nDisallow: /\n", "/x")


def test_rules_before_any_user_agent_are_ignored():
    assert allowed("Disallow: /\nUser-agent: foobot\nDisallow: /x\n", "/y")


# --- precedence ---


def test_allow_wins_between_rules_of_equal_length():
    for lines in ("Allow: /page\nDisallow: /page", "Disallow: /page\nAllow: /page"):
        assert allowed("User-agent: *\n" + lines, "/page")
    assert allowed("User-agent: *\nDisallow: /abcd\nAllow: /*cd/", "/abcd/") is True
    assert allowed("User-agent: *\nDisallow: /abc/\nAllow: /*c/x", "/abc/x") is True
    assert allowed("User-agent: *\nDisallow: /abc/x\nAllow: /*c/x", "/abc/x") is False


def test_end_anchor_counts_as_an_octet():
    assert not allowed("User-agent: *\nDisallow: /ab$\nAllow: /*b\n", "/ab")
    assert allowed("User-agent: *\nDisallow: /ab$\nAllow: /*ab\n", "/ab")


def test_consecutive_stars_match_as_one_and_count_as_octets():
    body = "User-agent: *\nDisallow: *a**\nAllow: *a*$\n"
    assert allowed(body, "/a")
    assert not allowed(body.replace("**", "***"), "/a")


def test_length_is_counted_after_normalising():
    """Three spellings of one path are one length, so the rule that allows wins the tie."""
    for one, other in product(("/ツ", "/%E3%83%84", "/%e3%83%84"), repeat=2):
        assert allowed(f"User-agent: *\nAllow: {one}\nDisallow: {other}\n", "/ツ")
    assert allowed("User-agent: *\nAllow: /~a\nDisallow: /%7Ea\n", "/~a")
    assert allowed("User-agent: *\nAllow: /~ab\nDisallow: /%7Ea\n", "/~ab")


def test_an_encoded_slash_in_a_path_is_not_a_slash():
    assert not disallows("/a%2Fb", "/a/b")
    assert not disallows("/a/b", "/a%2fb")
    assert disallows("/a%2Fb", "/a%2fb")


def test_a_slash_in_a_query_is_matched_through_a_star():
    assert disallows("/*/x", "/a?b=/x")
    assert disallows("/*u=http://", "/a?u=http://b")
    assert disallows("/*u=http%3A%2F%2F", "/a?u=http%3a%2f%2fb")


@pytest.mark.parametrize("path", ["/a b", "/a%20b", '/"', "/100%", "/100%25", "/é", "/\ud800"])
def test_a_rule_written_like_the_path_matches_it(path):
    body = b"User-agent: *\nDisallow: " + path.encode(errors="surrogatepass") + b"\n"
    assert not allowed(body, path)


def test_octets_that_are_not_utf_8_are_matched_as_octets():
    assert not allowed(b"User-agent: *\nDisallow: /caf\xe9\n", "/caf%E9")
    assert allowed(b"User-agent: *\nDisallow: /caf\xe9\n", "/caf%C3%A9")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com", False),
        ("https://example.com?q", False),
        ("https://example.com#f", False),
        ("http://u:p@[::1]:8080/a", True),
        ("/b", True),
        ("http://example.com/b#/c", True),
    ],
)
def test_only_path_and_query_are_matched(url, expected):
    body = b"User-agent: *\nDisallow: /\nAllow: /a$\nAllow: /b$\n"
    assert Robots.parse(body).allows(url, "x") is expected


# --- the file ---


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\n\n", "\r\n\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_line_ends_a_byte_order_mark_and_a_missing_last_newline(end, bom):
    body = bom + end.join(["User-agent: *", "Disallow: /x", "Allow: /x/y"]).encode()
    assert not allowed(body, "/x")
    assert allowed(body, "/x/y")


def test_comments_blanks_and_case():
    body = "#\n uSeR-aGeNt\t:\t* # all\n\n  DISALLOW :/x#y\nnonsense\n: /\n:\n"
    assert not allowed(body, "/x")
    assert allowed(body, "/y")


@pytest.mark.parametrize("key", ["Useragent", "User agent", "user-agent", "USER-AGENT"])
@pytest.mark.parametrize("rule", ["Dissallow", "Disalow", "Dissalow", "disallow "])
def test_common_misspellings_are_accepted(key, rule):
    assert not allowed(f"{key}: *\n{rule}: /x\n", "/x")


def test_missing_colon_is_accepted_but_prose_is_not_a_rule():
    assert not allowed("User-agent *\nDisallow /x\n", "/x")
    assert allowed("User-agent: *\nDisallow / or not\n", "/x")


def test_html_instead_of_robots_txt_has_no_rules():
    page = "<!DOCTYPE html><html><head><title>Not found</title>\n<p>User-agent: *\n<p>Disallow: /\n"
    assert allowed(page, "/")


def test_bytes_beyond_the_limit_are_ignored():
    start = b"User-agent: *\nDisallow: /x\n"
    line = b"Disallow: /y"
    padding = MAX_ROBOTS_BYTES - len(start) - len(line) - 1
    full = start + b"#" * padding + b"\n" + line
    assert len(full) == MAX_ROBOTS_BYTES
    assert not allowed(full, "/y")
    assert not allowed(full + b"\nDisallow: /z\n", "/y"), "the last line ends at the limit"
    assert allowed(full + b"\nDisallow: /z\n", "/z")
    torn = full + b"yy\nDisallow: /z\n"
    assert allowed(torn, "/y"), "half a rule is ignored"
    assert not allowed(torn, "/x")
    assert len(Robots.parse(torn).body) <= MAX_ROBOTS_BYTES
    assert Robots.parse(b"Disallow: /" * MAX_ROBOTS_BYTES).body == b""


@given(st.binary(max_size=300))
def test_any_bytes_are_harmless_and_garbage_has_no_rules(body):
    robots = Robots.parse(b"User-agent: *\n" + body)
    robots.allows("http://a.example/x?y", "foobot")
    assert robots.allows("http://a.example/robots.txt", "foobot")
    if b"allow" not in body.lower() and b"llaw" not in body.lower():
        assert robots.allows("http://a.example/x", "foobot")


@given(st.text(max_size=40), st.text(max_size=20))
def test_any_url_and_any_name_are_harmless(url, agent):
    assert Robots.allow_all().allows(url, agent)
    assert Robots.disallow_all().allows(url, agent) is (module._path(url) == "/robots.txt")


def test_sitemaps_belong_to_the_file_and_keep_their_order():
    body = (
        "Sitemap: http://a/1.xml\nUser-agent: x\nsite-map:/é.xml\nSitemap:\nSitemap: http://a/1.xml"
    )
    assert Robots.parse(body.encode()).sitemaps == ("http://a/1.xml", "/é.xml")
    assert Robots.parse(b"Sitemap: \xff").sitemaps == ("\ufffd",)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("10", 10.0), ("0.5", 0.5), (".5", 0.5), ("0", 0.0), ("3. # s", 3.0)]
    + [(v, None) for v in ("", "-1", "ten", "nan", "inf", "1e3", "1_0", "0,5", "10s", "9" * 400)],
)
def test_delay_is_a_plain_number_or_none(value, expected):
    robots = Robots.parse(f"User-agent: *\nCrawl-delay: {value}\n".encode())
    assert robots.delay("foobot") == expected


def test_a_delay_belongs_to_its_group_and_the_longest_counts():
    body = (
        b"User-agent: a\nUser-agent: b\nCrawl-delay: 5\n\n"
        b"User-agent: *\nCrawl-delay: 1\n\nUser-agent: c\nDisallow: /\n\n"
        b"User-agent: a\nCrawl-delay: 7\nCrawl-delay: 6\n"
    )
    robots = Robots.parse(body)
    assert [robots.delay(agent) for agent in "abcd"] == [7.0, 5.0, None, 1.0]
    assert not robots.allows(HOST, "d"), "a delay does not end the names of a group"


@pytest.mark.parametrize("delay", ["Crawl-delay: 5", "Crawl-delay: soon", "crawl delay: 0"])
def test_a_delay_does_not_end_a_group(delay):
    body = f"User-agent: a\n{delay}\nUser-agent: b\nDisallow: /x\nCrawl-delay: 1\n".encode()
    robots = Robots.parse(body)
    assert [robots.allows(HOST + "/x", agent) for agent in "abc"] == [False, False, True]
    assert robots.delay("b") == 1.0
    assert robots.delay("a") == (5.0 if "5" in delay else 1.0)


def test_a_delay_before_any_name_is_ignored():
    robots = Robots.parse(b"Crawl-delay: 5\nDisallow: /\nUser-agent: *\nDisallow: /x")
    assert robots.delay("a") is None
    assert robots.allows(HOST + "/y", "a")


def test_many_names_with_many_delays_are_parsed_in_linear_time():
    body = b"User-agent: a\n" * 15_000 + b"Crawl-delay: 1\n" * 15_000
    start = time.process_time()
    assert Robots.parse(body).delay("a") == 1.0
    assert time.process_time() - start < 1


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_a_file_in_utf_16_is_read_by_its_byte_order_mark(codec):
    text = "\ufeffUser-agent: *\r\nDisallow: /ツ\r\nSitemap: http://a.example/é.xml"
    robots = Robots.parse(text.encode(codec))
    assert not robots.allows(HOST + "/%E3%83%84/x", "foobot")
    assert robots.allows(HOST + "/x", "foobot")
    assert robots.sitemaps == ("http://a.example/é.xml",)
    assert Robots.parse(robots.body) == robots


def test_the_limit_of_a_file_in_utf_16_counts_its_characters():
    head = "User-agent: *\nDisallow: /x\n"
    long = head + "#" * (MAX_ROBOTS_BYTES - len(head)) + "\nDisallow: /y\n"
    robots = Robots.parse(("\ufeff" + long).encode("utf-16-le"))
    assert not robots.allows(HOST + "/x", "foobot")
    assert robots.allows(HOST + "/y", "foobot")
    assert len(robots.body) <= MAX_ROBOTS_BYTES


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("foobot, barbot", ["foobot", "barbot"]),
        ("foobot/1.0 ,barbot/2", ["foobot", "barbot"]),
        ("barbot, *", ["foobot", "barbot", "other"]),
        ("Mozilla/5.0 (compatible, foobot)", []),
        ("barbot, and all of its friends", ["barbot"]),
    ],
)
def test_one_line_may_name_several_robots(line, named):
    robots = Robots.parse(f"User-agent: {line}\nDisallow: /".encode())
    found = [a for a in ("foobot", "barbot", "other") if not robots.allows(HOST + "/x", a)]
    assert found == named


# --- storing ---


@given(st.binary(max_size=60), st.sampled_from([b"", b"User-agent: *\nDisallow: /x\n"]))
def test_parsing_the_stored_body_gives_equal_rules(body, rules):
    robots = Robots.parse(rules + body)
    for again in (Robots.parse(robots.body), pickle.loads(pickle.dumps(robots))):
        assert again == robots
        assert hash(again) == hash(robots)
        assert again.sitemaps == robots.sitemaps
        for path in ("/x", "/y"):
            assert again.allows(HOST + path, "f") is robots.allows(HOST + path, "f")
    assert Robots.parse(Robots.disallow_all().body) == Robots.disallow_all() != Robots.allow_all()


# --- matching against the definition ---


def naive(pattern: str, path: str) -> bool:
    """Return whether a pattern matches, by its definition, in exponential time."""
    if pattern == "":
        return True
    if pattern == "$":
        return path == ""
    if pattern[0] == "*":
        return any(naive(pattern[1:], path[i:]) for i in range(len(path) + 1))
    return path[:1] == pattern[0] and naive(pattern[1:], path[1:])


@given(st.text("ab*$", max_size=7), st.text("ab", max_size=9))
def test_matching_agrees_with_a_naive_matcher(pattern, path):
    inner, last = pattern[:-1].replace("$", ""), pattern[-1:]
    pattern = "/" + inner + last
    assert disallows(pattern, "/" + path) is naive(pattern, "/" + path)


def test_matching_agrees_for_every_small_case():
    paths = ["/" + "".join(p) for n in range(5) for p in product("ab", repeat=n)]
    for size in range(5):
        for letters in product("ab*", repeat=size):
            for end in ("", "$"):
                pattern = "/" + "".join(letters) + end
                robots = Robots.parse(f"User-agent: *\nDisallow: {pattern}".encode())
                got = [not robots.allows(HOST + path, "f") for path in paths]
                assert got == [naive(pattern, path) for path in paths], pattern


@given(st.lists(st.tuples(st.text("ab*", max_size=4), st.booleans(), st.booleans()), max_size=6))
def test_the_longest_rule_decides(rules):
    written = [("/" + text + "$" * whole, allow) for text, whole, allow in rules]
    lines = [f"{'Allow' if allow else 'Disallow'}: {pattern}" for pattern, allow in written]
    robots = Robots.parse("\n".join(["User-agent: *", *lines]).encode())
    for letters in product("ab", repeat=3):
        path = "/" + "".join(letters)
        matching = [(len(p), allow) for p, allow in written if naive(p, path)]
        assert robots.allows(HOST + path, "f") is max(matching, default=(0, True))[1]


@given(st.lists(st.tuples(RULES, st.booleans()), max_size=5), PATHS)
def test_the_order_of_rules_does_not_matter(rules, path):
    lines = [f"{'Allow' if allow else 'Disallow'}: {rule}" for rule, allow in rules]
    forward, backward = ("\n".join(["User-agent: *", *order]) for order in (lines, lines[::-1]))
    assert allowed(forward, path) is allowed(backward, path)


@given(PATHS)
def test_normalising_twice_changes_nothing(path):
    once = module._path(HOST + path)
    assert module._path(HOST + once) == once
    assert normalise_rule(once) == once


@pytest.mark.parametrize(
    "rule",
    [
        "/" + "*a" * 1000 + "$",
        "/" + "a*" * 1000 + "b",
        "/" + "*" * 1000 + "b$",
        "/*" + "a*b" * 1000,
    ],
)
def test_a_thousand_stars_are_matched_quickly(rule):
    robots = Robots.parse(f"User-agent: *\nDisallow: {rule}\n".encode())
    robots.allows(HOST, "foobot")
    start = time.process_time()
    robots.allows(HOST + "/" + "a" * 5000, "foobot")
    assert time.process_time() - start < 1


def test_a_file_full_of_names_and_rules_takes_no_more_than_linear_space():
    names = b"".join(b"User-agent: a%s\n" % (b"b" * (n % 50)) for n in range(8000))
    body = names + b"Allow: /*x\n" * 8000
    start = time.process_time()
    assert Robots.parse(body).allows(HOST + "/y", "abb")
    assert time.process_time() - start < 1


# --- outcomes ---


@pytest.mark.parametrize(
    ("status", "open", "reached"),
    [
        (200, False, True),
        (203, False, True),
        (301, True, True),
        (308, True, True),
        (400, True, True),
        (401, True, True),
        (403, True, True),
        (404, True, True),
        (410, True, True),
        (429, False, False),
        (500, False, False),
        (503, False, False),
        (None, False, False),
        (100, False, False),
        (0, False, False),
        (999, False, False),
    ],
)
def test_interpretation_of_outcomes(status, open, reached):
    found = interpret_outcome(status, b"User-agent: *\nDisallow: /\n")
    assert found.robots.allows(HOST + "/x", "foobot") is open
    assert found.reached is reached
    assert found.lifetime == (MAX_LIFETIME_SECONDS if reached else RETRY_SECONDS)


def test_an_empty_file_allows_everything():
    assert interpret_outcome(204).robots == Robots.allow_all()


def test_site_unreachable_for_a_month_has_no_rules():
    for status in (None, 503):
        assert not interpret_outcome(status, unreachable_for=GIVE_UP_SECONDS - 1).robots.allows(
            HOST, "foobot"
        )
        assert interpret_outcome(status, unreachable_for=GIVE_UP_SECONDS).robots.allows(
            HOST, "foobot"
        )


@pytest.mark.parametrize(
    ("max_age", "lifetime"),
    [
        (None, MAX_LIFETIME_SECONDS),
        (0, MIN_LIFETIME_SECONDS),
        (-5, MIN_LIFETIME_SECONDS),
        (7200, 7200),
        (1e9, MAX_LIFETIME_SECONDS),
        (float("nan"), MIN_LIFETIME_SECONDS),
    ],
)
def test_a_lifetime_is_kept_within_bounds(max_age, lifetime):
    assert interpret_outcome(200, max_age=max_age).lifetime == lifetime
    assert interpret_outcome(404, max_age=max_age).lifetime == lifetime
    assert interpret_outcome(500, max_age=max_age).lifetime == RETRY_SECONDS
