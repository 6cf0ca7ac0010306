"""Compiled modules give what their sources give, and are used only if they are current."""

import json
import re
import shutil
import subprocess
import sys
from array import array
from importlib.util import module_from_spec
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from uuid import RFC_4122, UUID

import numpy as np
import pytest
from bench.hostile_pages import constructs
from bench.modern_pages import modern_pages
from bench.papers_conversion import generated_files
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdfium2 import PdfDocument
from selectolax.lexbor import LexborHTMLParser
from tests.documents.type3_pdf import type3_pdf

from heading_pages import pages
from lycosa import compiled
from lycosa.archive import record_text
from lycosa.compiled import HOT_MODULES, SourceFinder, compiled_modules, digest_of, source_of
from lycosa.content import Content, Table, Tables
from lycosa.core import Page
from lycosa.documents import pdf_words, pdfium_text
from lycosa.documents.plain_text import plain_lines
from lycosa.learn import link_reader, model_averaging, row_sums
from lycosa.learn.hashed_model import HashedModel
from lycosa.papers.extraction import crf_tagger, reference_features, segmentation_features
from lycosa.papers.extraction.crfsuite_file import Weights, write_weights
from lycosa.papers.extraction.segmentation import segment_lines
from lycosa.papers.matching import correlation_clustering
from lycosa.papers.matching.constraints import Constraints
from lycosa.spiders.default import link_rows, link_shapes
from lycosa.spiders.default.row_store import RowStore
from lycosa.spiders.default.words import WordColumns
from lycosa.spiders.traps import sketches
from lycosa.web import (
    html,
    html_limits,
    limit_check,
    markup_walk,
    numberer,
    url_resolver,
    word_scanner,
)
from lycosa.web.outline import Outline

ROOT = Path(__file__).parents[1]

needs_compiled = pytest.mark.skipif(
    not compiled.is_compiled(), reason="the hot modules are not compiled here, or turned off"
)


def from_source(module):
    """Return a module imported from its source, whatever is beside it."""
    name = f"source_of_{module.replace('.', '_')}"
    spec = SourceFinder({name: source_of(module)}).find_spec(name)
    loaded = sys.modules[name] = module_from_spec(spec)  # where dataclasses look it up
    spec.loader.exec_module(loaded)
    return loaded


HTML, NUMBERER, RESOLVER, LIMITS, ELEMENTS, WALK, SCANNER, PDFIUM, PDF_WORDS = map(
    from_source,
    (
        "web.html",
        "web.numberer",
        "web.url_resolver",
        "web.html_limits",
        "web.open_elements",
        "web.markup_walk",
        "web.word_scanner",
        "documents.pdfium_text",
        "documents.pdf_words",
    ),
)
TAGGER, REFERENCES, SEGMENTS = (
    from_source(f"papers.extraction.{name}")
    for name in ("crf_tagger", "reference_features", "segmentation_features")
)
AVERAGING = from_source("learn.model_averaging")
RECORD_TEXT, READER, ROW_SUMS, LINK_ROWS, LINK_SHAPES, SKETCHES, CLUSTERING = map(
    from_source,
    (
        "archive.record_text",
        "learn.link_reader",
        "learn.row_sums",
        "spiders.default.link_rows",
        "spiders.default.link_shapes",
        "spiders.traps.sketches",
        "papers.matching.correlation_clustering",
    ),
)
LIMITS.OpenElements, LIMITS.is_plain = ELEMENTS.OpenElements, ELEMENTS.is_plain


def facts(module, html, nofollow):
    """Return all that a version of the walk writes; the name of what it raises."""
    outline = Outline()
    try:
        module.walk_markup(html, outline, nofollow=nofollow)
    except Exception as error:
        return type(error).__name__
    outline.text[:] = ("".join(outline.text),)  # in whatever pieces it was written
    return {name: getattr(outline, name) for name in Outline.__slots__}


def assert_same(html):
    """Check limits of the page, and the walk over its markup and over the page as markup."""
    assert html_limits._limited_pieces(html) == LIMITS._limited_pieces(html)
    markup = LexborHTMLParser(html).root.html if html else ""
    for nofollow in (False, True):
        assert facts(markup_walk, markup, nofollow) == facts(WALK, markup, nofollow)
        assert facts(markup_walk, html, nofollow) == facts(WALK, html, nofollow)


PIECES = st.sampled_from(
    "<a href=x>|<a rel='nofollow' href=\"y\">|</a>|<h1>|</h1>|<title>|</title>|<p class='a b'>|"
    "<table><tr><td>|</table>|<script>|</script>|<!--|-->|<b>|</b>|<img alt='a &lt; b'>|<object>|"
    '</object>|<iframe src=i>|</iframe>|word |日本 |<svg>|</svg>|<g a="b"/>|&amp;lt;|<|>|"|\'|=|'
    "<br>|<plaintext>|<x<y|<li>|</li>|<div>|</div>|<own a=1>|<base href=b>|</p>".split("|")
)


@needs_compiled
@given(st.lists(PIECES | st.text(max_size=4), max_size=40).map("".join))
def test_compiled_modules_agree_with_their_sources_on_any_markup(html):
    assert_same(html.encode("utf-8", "replace").decode())


def is_within(html, depth=5):
    """Return whether the compiled check knows that few limits change nothing."""
    return limit_check.is_within_limits(html, depth, 2, 60)


def is_unchanged(html, monkeypatch, depth=5):
    """Return whether they change nothing."""
    with monkeypatch.context() as patch:
        for name, limit in (("DEPTH", depth), ("ATTRIBUTES", 2), ("START_TAGS", 60)):
            patch.setattr(LIMITS, f"MAX_{name}", limit)
        # The expression has the number of attributes in it.
        first = re.sub("64", "2", LIMITS._FIRST.pattern)
        patch.setattr(LIMITS, "_FIRST", re.compile(first))
        return "".join(LIMITS._limited_pieces(html)) == html


ELEMENT_NAMES = set().union(
    *(some for some in vars(ELEMENTS).values() if isinstance(some, frozenset))
)
NAMES = [
    *sorted(ELEMENT_NAMES - {"plaintext", "image"}),
    "span", "own-element", "select", "option", "optgroup",
]  # fmt: skip
ENDS = st.sampled_from(["", " ", "/", " a", " a=b", ' a="<>"', " a='b'c", " a = b /", " x y z"])
TAGS = st.builds("<{}{}{}>".format, st.sampled_from(["", "", "/"]), st.sampled_from(NAMES), ENDS)


@needs_compiled
@settings(max_examples=600)
@given(st.lists(TAGS, max_size=70).map("".join))
def test_the_compiled_check_of_limits_follows_all_rules_for_open_elements(html):
    with pytest.MonkeyPatch.context() as patch:
        assert is_within(html) == is_unchanged(html, patch)


@needs_compiled
@settings(max_examples=300)
@given(st.lists(PIECES | TAGS | st.text(max_size=4), max_size=40).map("".join))
def test_the_compiled_check_of_limits_passes_no_page_that_they_change(html):
    with pytest.MonkeyPatch.context() as patch:
        assert not is_within(html) or is_unchanged(html, patch)


@needs_compiled
def test_the_compiled_check_of_limits_passes_modern_pages():
    for _, body in modern_pages(5):
        assert limit_check.is_within_limits(body.decode(), 256, 64, 200_000)


@needs_compiled
def test_compiled_modules_agree_with_their_sources_on_hostile_and_modern_pages():
    for made in list(constructs().values())[::5]:
        assert_same(made(100))
    assert_same(next(modern_pages(1, seed=2))[1].decode())


def parsed(parser, names, resolvers, pages):
    """Return all that versions of parser, numberer and resolver make of pages."""
    words, targets, paths = Table(), Table(), Table()
    numbers, resolver = names.Numberer(words), resolvers.Resolver(capacity=4)
    url_words = names.UrlNumberer(numbers, targets, capacity=2)
    found = []
    for url, text in pages:
        links, content = parser.parse_html(
            text, url, numbers, paths, targets.number, resolver, url_words=url_words
        )
        every = (getattr(content, name) for name in content.__slots__)
        found.append(
            (
                links.tolist(),
                [each.tolist() if isinstance(each, np.ndarray) else each for each in every],
            )
        )
    return found, list(words), list(targets), list(paths)


def assert_same_pages(texts):
    pages = [(f"http://a.example/b{n}/?c", text) for n, text in enumerate(texts)]
    assert parsed(html, numberer, url_resolver, pages) == parsed(HTML, NUMBERER, RESOLVER, pages)


HREFS = st.sampled_from("/ ../x ?a=%7e //c.example/ http://a.example:80/y# mailto:z . %zz".split())


@needs_compiled
@given(
    st.lists(
        st.lists(PIECES | HREFS.map("<a href='{}'>".format), max_size=20).map("".join), max_size=3
    )
)
def test_compiled_parser_of_pages_agrees_with_its_source(texts):
    assert_same_pages(texts)


@needs_compiled
def test_compiled_parser_agrees_with_its_source_on_a_modern_page():
    assert_same_pages([body.decode() for _, body in modern_pages(2, seed=2)])


WORDS = st.text(max_size=80) | st.text("aZ9 ,_é’–😀\0Σ日", max_size=80)


@needs_compiled
@given(st.lists(WORDS.map(lambda text: text.replace("\0", " \0 ")), max_size=8))
def test_compiled_scanner_of_words_agrees_with_its_source(texts):
    found = []
    # Of unusual characters the compiled one knows some; what it makes of them, `Numberer` tests.
    usual = [text for text in texts if SCANNER.WordScanner(Table(), 4).scan(text) is not None]
    for module in (word_scanner, SCANNER):
        table = Table()
        scanner = module.WordScanner(table, 4)
        scanned = [scanner.scan(text) for text in usual]
        found.append((list(table), [(numbers.tolist(), marks) for numbers, marks in scanned]))
    assert found[0] == found[1]


@needs_compiled
def test_compiled_scanner_remembers_more_words_than_it_has_places_for_at_first():
    table = Table()
    scanner = word_scanner.WordScanner(table, 100_000)
    text = " ".join(f"word{n}" for n in range(20_000))
    for _ in range(2):
        assert scanner.scan(text)[0].tolist() == list(range(20_000))
    assert len(table) == 20_000


def page_facts(module, handle, chance):
    """Return all that a version of the reader of characters reads from a page."""
    page = module.TextPage(handle)
    codes = page.unicodes()
    some = sorted(chance.choices(range(len(codes)), k=30)) if codes else []
    firsts, middles, lasts = some[::3], some[1::3], some[2::3]
    objects = page.text_objects(range(len(codes)))
    return {
        "codes": codes,
        "errors": [page.map_errors(step) for step in (1, 7)],
        "objects": objects,
        "baselines": page.baselines(some),
        # Beyond the page there are no characters.
        "boxes": page.boxes([*firsts, 10**6], [*middles, 10**6], [*lasts, 10**6]),
        "faces": page.faces({address for address in objects if address}),
    }


@needs_compiled
def test_compiled_characters_agree_with_their_source():
    kinds = set()
    bodies = [*islice(generated_files(100), 3), type3_pdf([(72, 700, 10, "Webs, 1999")])]
    for n, body in enumerate(bodies):
        document = PdfDocument(body)
        for number in range(len(document)):
            handle = document[number].get_textpage()
            found = page_facts(pdfium_text, handle.raw, Random(n))
            assert found == page_facts(PDFIUM, handle.raw, Random(n))
            kinds.update(map(type, found["boxes"]))
            for split in (False, True):
                assert pdf_words.page_words(handle, split) == PDF_WORDS.page_words(handle, split)
    assert kinds == {tuple, type(None)}


TEXTS = st.text("aAbé.,;:()[]\"'/-–0129 \t日@&", max_size=30)


@needs_compiled
@given(st.lists(TEXTS, min_size=1, max_size=12))
def test_compiled_features_agree_with_their_source(texts):
    words = [word for text in texts for word in text.split()]
    assert reference_features.reference_features(words) == REFERENCES.reference_features(words)
    lines = segment_lines(plain_lines("\n".join(texts)))
    if lines:
        assert [*map(sorted, segmentation_features.segmentation_features(lines))] == [
            *map(sorted, SEGMENTS.segmentation_features(lines))
        ]


WEIGHT = st.floats(-5, 5, allow_subnormal=False)


@st.composite
def random_fields(draw):
    """Draw the weights of a CRF whose attributes are short strings."""
    labels = draw(st.lists(st.text("abé", min_size=1), min_size=1, max_size=4, unique=True))
    names = draw(st.lists(st.text("xyzé日0=", min_size=1, max_size=40), max_size=9, unique=True))
    numbers = st.integers(0, len(labels) - 1)
    states = {
        (n, label): draw(WEIGHT)
        for n in range(len(names))
        for label in sorted(draw(st.sets(numbers, min_size=1)))
    }
    transitions = {
        (n, label): draw(WEIGHT)
        for n in range(len(labels))
        for label in sorted(draw(st.sets(numbers)))
    }
    return Weights(labels, names, states, transitions)


@needs_compiled
@given(random_fields(), st.data())
def test_compiled_inference_agrees_with_crfsuite(weights, data):
    model = write_weights(weights)
    ours, theirs = crf_tagger.Tagger(model), TAGGER.Tagger(model)
    assert ours.labels() == theirs.labels() == weights.labels
    features = st.sampled_from([*weights.attributes, "unknown", "日"])
    for _ in range(2):  # a second sequence finds nothing of the first
        rows = data.draw(st.lists(st.lists(features, max_size=5), max_size=6))
        assert ours.tag(rows) == theirs.tag(rows)
        for i in range(len(rows)):
            for label in weights.labels:
                assert ours.marginal(label, i) == pytest.approx(theirs.marginal(label, i), 1e-9)


@needs_compiled
@pytest.mark.parametrize("size", [1, 500, 3000])
def test_compiled_inference_finds_the_features_of_a_large_model(size):
    chance = Random(size)
    names = [f"{chance.choice('wps')}={n}{'é' * (n % 3)}{'x' * (n % 50)}" for n in range(size)]
    pairs = [(n, label) for n in range(size) for label in range(n % 5)]
    states = {pair: chance.gauss(0, 1) for pair in pairs}
    between = {(n, label): chance.gauss(0, 1) for n in range(4) for label in range(4)}
    model = write_weights(Weights(list("abcd"), names, states, between))
    ours, theirs = crf_tagger.Tagger(model), TAGGER.Tagger(model)
    rows = [chance.choices([*names, "w=", "unknown"], k=chance.choice([0, 63, 64, 65, 200]))
            for _ in range(40)]  # fmt: skip
    assert ours.tag(rows) == theirs.tag(rows)
    for i in range(len(rows)):
        for label in "abcd":
            assert ours.marginal(label, i) == pytest.approx(theirs.marginal(label, i), 1e-9)


@needs_compiled
def test_compiled_inference_refuses_what_is_not_there():
    tagger = crf_tagger.Tagger(write_weights(Weights(["a"], ["x"], {(0, 0): 1.0}, {})))
    with pytest.raises(IndexError):
        tagger.marginal("a", 0)
    tagger.tag([["x"]])
    assert tagger.marginal("a", 0) == 1.0
    for label, i in (("a", 1), ("a", -1), ("b", 0)):
        with pytest.raises((IndexError, KeyError)):
            tagger.marginal(label, i)
    with pytest.raises(TypeError):
        tagger.tag([[1]])


@needs_compiled
@given(pages(least=1), st.data())
def test_compiled_reader_of_links_agrees_with_its_source(page, data):
    content, size = page.content, len(page.tables.words)
    links = data.draw(st.lists(st.integers(0, len(page.targets) - 1), max_size=6))

    def columns(module):
        computed = []

        def new(kind, word):
            computed.append((kind, word))
            return 7 * word + kind + 1

        hashes = array("I", [(k + 1) * 2**20 for k in range(size)])
        every = [array("H", [3 * k % 5 for k in range(size)]) for _ in range(6)]
        known = hashes, every[:4], every[4:], new, new, 0x9E3779B97F4A7C15, 2**63 + 5
        return module.read_columns(content, links, 3, known), set(computed)

    assert columns(link_reader) == columns(READER)
    codes = np.arange(size, dtype=np.uint8) % 4
    text = codes, np.array([0.0, 0.3, 1.0, 0.1])
    url = codes[::-1].copy(), np.array([0.0, 1.0, 0.3, 0.7])
    by = 0.3, 0.3, 0.2, 2
    ours = link_reader.keyword_scores(content, links, text, url, by)
    assert ours == READER.keyword_scores(content, links, text, url, by)


COLUMN = st.integers(0, 2**16 - 1)
OTHER_BAGS = st.tuples(*(st.lists(COLUMN, max_size=4) for _ in range(3)))


@needs_compiled
@given(pages(least=1), st.data())
def test_compiled_rows_of_links_agree_with_their_source(page, data):
    links = data.draw(st.lists(st.integers(0, len(page.targets) - 1), min_size=1, unique=True))
    others = data.draw(st.lists(OTHER_BAGS, min_size=len(links), max_size=len(links)))
    weights = np.random.default_rng(len(links)).normal(size=2**16)
    found = []
    for module in (link_rows, LINK_ROWS):
        words = WordColumns()
        each = []
        for model in (None, HashedModel(weights, 0.3, 1.0, 1.0, 0.0)):
            rows, trained = module.read_few(words, page, links, others, model)
            each.append((list(map(list, rows)), trained))
        sizes, columns = module.read_many(words, page, links, others)
        arrays = sizes, columns, *module.distinct_rows(sizes, columns)
        sums = module.bag_sums(sizes, columns, weights)
        found.append((*each, *(part.tolist() for part in (*arrays, sums))))
    assert found[0] == found[1]


@needs_compiled
@given(st.lists(st.lists(COLUMN, max_size=200), min_size=1, max_size=3))
def test_compiled_distinct_rows_are_sorted_however_long_they_are(lists):
    sizes = np.zeros((len(lists), link_rows.BAGS), np.int32)
    sizes[:, 3] = [len(one) for one in lists]
    columns = np.array([column for one in lists for column in one], np.uint16)
    starts, words = link_rows.distinct_rows(sizes, columns)
    found = [words[start:stop].tolist() for start, stop in pairwise(starts.tolist())]
    assert found == [sorted(set(one)) for one in lists]


@needs_compiled
@given(st.integers(0, 2000), st.sampled_from([9, 300, 2**16]), st.integers(0, 99))
def test_compiled_rows_of_few_links_are_sorted_however_long_they_are(size, span, seed):
    columns = np.random.default_rng(seed).integers(0, span, size).tolist()
    one = np.zeros(1, np.int32)
    content = Content(paths=one, url_start=one, url_stop=one, owner=one, start=one, stop=one,
                      heading=one - 1)  # fmt: skip
    bare = Page(0, Tables(Table(), Table(["a"]), Table()), one, content)
    rows, _ = link_rows.read_few(WordColumns(), bare, [0], [(columns[:5], columns[5:], [])], None)
    assert [list(row) for row in rows] == [sorted(set(columns))]


FOUND_URLS = st.lists(
    st.sampled_from(["http:", "https://", "/", "//", "a.org", "?", "b=c", "x1.ps", "é", "日", ":"]),
    max_size=7,
).map("".join)


@needs_compiled
@given(st.lists(FOUND_URLS, max_size=7), st.data())
def test_compiled_other_bags_agree_with_their_source(urls, data):
    assert list(map(link_shapes.split_url, urls)) == list(map(LINK_SHAPES.split_url, urls))
    number = st.integers(0, 3)
    paths = data.draw(st.lists(number, min_size=300, max_size=300))
    links = data.draw(st.lists(st.integers(0, 299), min_size=len(urls), max_size=len(urls)))
    found = []
    for module in (link_shapes, LINK_SHAPES):
        files, asked = {"": [1, 2]}, []

        def path(number, asked=asked):
            asked.append(number)
            return [number, number + 10], number + 20

        def file(name, asked=asked, files=files):
            asked.append(name)
            return files.setdefault(name, [len(name), 5])

        def folder(name, asked=asked):
            asked.append(name)
            return len(name) + 30, 40

        facts = 50, 51, 52, 53, [60, 61, 62, 63]
        bags = module.other_bags(links, urls, paths, files, (path, file, folder), facts)
        found.append((bags, asked))
    assert found[0] == found[1]


@needs_compiled
def test_compiled_other_bags_refuse_links_that_are_not_there():
    facts = 50, 51, 52, 53, [60]
    for link in (1, -1):
        with pytest.raises(IndexError):
            link_shapes.other_bags([link], ["http://a/"], [0], {}, (None, None, None), facts)


@needs_compiled
def test_compiled_rows_of_links_refuse_what_is_not_there():
    sizes, columns = np.ones((2, link_rows.BAGS), np.int32), np.zeros(18, np.uint16)
    for bad in (sizes[:1], sizes[:, :8], sizes - 2):
        with pytest.raises(ValueError, match="bag"):
            link_rows.distinct_rows(bad, columns)
    with pytest.raises(ValueError, match="weight"):
        link_rows.bag_sums(sizes, columns, np.zeros(2**16 - 1))
    bare, words = Page(0, Tables(Table(), Table(["a"]), Table())), WordColumns()
    for number in (0, 7, -1):
        with pytest.raises(IndexError):
            link_rows.read_many(words, bare, [number], [([1], [2], [3])])
    for others in (([1], [2]), ([1], [2], [3], [4])):
        with pytest.raises((ValueError, IndexError)):
            link_rows.read_few(words, bare, [0], [others], None)


NUMBER = st.floats(-1e3, 1e3)


@needs_compiled
@given(st.lists(st.lists(st.integers(0, 40), max_size=9), max_size=9), st.data())
def test_compiled_sums_of_rows_agree_with_their_source(rows, data):
    starts = np.cumsum([0, *map(len, rows)])
    words = np.array([column for row in rows for column in row], np.int32)
    weights = np.array(data.draw(st.lists(NUMBER, min_size=41, max_size=41)))
    values = np.array(data.draw(st.lists(NUMBER, min_size=len(rows), max_size=len(rows))))
    inputs = [(value, 0.1, value / 3) for value in values.tolist()]
    found = []
    for module in (row_sums, ROW_SUMS):
        matrix = module.RowMatrix(starts, words, 41)
        sums = module.sums_of_rows(starts, words, weights)
        back = matrix.back_times(values).tolist()
        every = np.append(weights, (0.3, 2.0, 0.7, -2))
        few = module.few_sums([sorted(set(row)) for row in rows], inputs, every)
        arrays = module.few_sums([array("H", row) for row in rows], inputs, every)
        many = module.add_inputs(sums, np.array(inputs).reshape(-1, 3), every).tolist()
        assert many == arrays
        passed = matrix.weighted_back_times(weights, values, values / 3)
        passed = [part.tolist() for part in passed]
        found.append((sums.tolist(), matrix.times(weights).tolist(), back, few, arrays, passed))
    assert found[0] == found[1]


@needs_compiled
@given(st.lists(st.tuples(NUMBER, NUMBER)), st.floats(0, 1))
def test_compiled_averages_agree_with_their_source(pairs, share):
    first, second = np.array(pairs, float).reshape(-1, 2).T
    found = []
    for module in (model_averaging, AVERAGING):
        many = module.averaged(first, second, share, 1 - share).tolist()
        few = module.averaged_few(first.tolist(), second.tolist(), share, 1 - share)
        assert many == few
        found.append(few)
    assert found[0] == found[1]


@needs_compiled
@given(st.data())
def test_compiled_sums_of_packed_rows_agree_with_their_source(data):
    store = RowStore(min_plain=12)
    store.grow(20)
    column = st.integers(0, 3) | st.integers(0, 2**16 - 1)
    for number, row in data.draw(st.lists(st.tuples(st.integers(0, 19), st.sets(column)))):
        store.set(number, sorted(row))
        store.tidy()
    numbers = np.array(data.draw(st.lists(st.integers(0, 19))), np.int32)
    weights = np.random.default_rng(len(numbers)).normal(size=2**16 + 5)
    view, found = store.stored(numbers).store, []
    for module in (row_sums, ROW_SUMS):
        starts, words = module.read_packed(view, numbers)
        sums = module.sums_of_packed(view, numbers, weights)
        found.append((starts.tolist(), words.tolist(), sums.tolist()))
    assert found[0] == found[1]


@needs_compiled
def test_compiled_sums_refuse_what_is_not_there():
    starts, words = np.array([0, 2]), np.array([0, 5], np.int32)
    for bad in (np.array([0, 3]), np.array([2, 0]), np.array([-1, 2])):
        with pytest.raises(ValueError, match="rows"):
            row_sums.RowMatrix(bad, words, 6)
    with pytest.raises(ValueError, match="column"):
        row_sums.sums_of_rows(starts, words, np.zeros(5))
    with pytest.raises(IndexError):
        row_sums.few_sums([[9]], [(1.0,)], np.zeros(4))
    with pytest.raises(IndexError):
        row_sums.few_sums([array("H", [9])], [(1.0,)], np.zeros(4))
    with pytest.raises(ValueError, match="input"):
        row_sums.add_inputs(np.zeros(1), np.zeros((1, 4)), np.zeros(4))
    with pytest.raises(ValueError, match="numbers"):
        row_sums.add_inputs(np.zeros(2), np.zeros((1, 2)), np.zeros(4))
    with pytest.raises(ValueError, match="numbers"):
        model_averaging.averaged(np.zeros(3), np.zeros(2), 0.5, 0.5)


@needs_compiled
@given(st.integers(3, 6000), st.integers(1, 6000), st.integers(0, 99))
def test_compiled_sketches_agree_with_their_source(size, words, seed):
    text = np.random.default_rng(seed).integers(0, words, size).astype(np.int32)
    assert sketches.sketch(text) == SKETCHES.sketch(text)


@needs_compiled
@given(
    st.integers(2, 60),
    st.integers(0, 900),
    st.sampled_from([3, 40, 4000, 1 << 55]),
    st.booleans(),
    st.integers(0, 10_000),
)
def test_compiled_clustering_agrees_with_its_source(size, count, most, constrained, seed):
    """Also with equal averages, pairs that are certain, and sums that no double has exactly."""
    chance = Random(seed)
    weights = []
    for _ in range(count):
        weight = chance.choice([chance.randint(-most, most) // 16, correlation_clustering.CERTAIN])
        weights.append((*chance.sample(range(size), 2), weight))
    lists = [set(chance.sample(range(9), chance.randint(0, 1))) for _ in range(size)]
    rules = [Constraints([set(each) for each in lists]) if constrained else None for _ in range(2)]
    assert correlation_clustering.cluster_greedily(
        size, weights, rules[0]
    ) == CLUSTERING.cluster_greedily(size, weights, rules[1])


@needs_compiled
def test_compiled_clustering_of_many_pairs_agrees_with_its_source():
    chance = Random(5)
    weights = [(*chance.sample(range(900), 2), chance.randint(-30, 20)) for _ in range(60_000)]
    found = correlation_clustering.cluster_greedily(900, weights)
    assert found == CLUSTERING.cluster_greedily(900, weights)
    with pytest.raises(IndexError):
        correlation_clustering.cluster_greedily(2, [(0, 2, 1)])


# Halves of surrogate pairs, too, which have no bytes in UTF-8.
ANY_TEXT = st.text(st.characters(exclude_categories=()) | st.sampled_from("\r\n\0"), max_size=9)
LINES = st.lists(st.tuples(ANY_TEXT, ANY_TEXT), max_size=5)


@needs_compiled
@given(ANY_TEXT, LINES, st.binary(), st.binary(max_size=4))
def test_compiled_text_of_records_agrees_with_its_source(first, fields, block, end):
    made = record_text.serialise_header(first, fields, block, end)
    assert made == RECORD_TEXT.serialise_header(first, fields, block, end)
    assert record_text.serialise_lines(fields) == RECORD_TEXT.serialise_lines(fields)
    assert record_text.digest_of(block) == RECORD_TEXT.digest_of(block)


@pytest.mark.parametrize("module", [record_text, RECORD_TEXT])
def test_ids_of_records_are_random_uuids(module):
    ids = {module.random_id() for _ in range(99)}
    assert len(ids) == 99
    for each in map(UUID, ids):
        assert (each.version, each.variant) == (4, RFC_4122)
    assert set(map(str, map(UUID, ids))) == ids


@pytest.fixture
def package(tmp_path):
    """Return a copy of the hot modules with files that stand for compiled ones."""
    package = tmp_path / "src" / "lycosa"
    for module in ("compiled", *HOT_MODULES):
        source_of(module, package).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source_of(module), source_of(module, package))
    for module in HOT_MODULES:
        source_of(module, package).with_suffix(compiled.EXTENSION_SUFFIXES[0]).touch()
    digests = {module: digest_of(module, package) for module in HOT_MODULES}
    (package / compiled.RECORD).write_text(json.dumps(digests))
    return package


def test_a_compiled_module_is_used_if_its_source_is_the_same(package, monkeypatch):
    monkeypatch.delenv(compiled.PURE, raising=False)
    assert compiled_modules(package) == list(HOT_MODULES)
    with source_of(HOT_MODULES[0], package).open("a") as source:
        source.write("\n")
    source_of(HOT_MODULES[1], package).with_suffix(".pxd").write_text("cdef int new")
    source_of(HOT_MODULES[2], package).with_suffix(".pyx").write_text("cdef int new")
    assert compiled_modules(package) == list(HOT_MODULES[3:])


def test_a_compiled_module_depends_on_all_declarations_that_it_names(tmp_path):
    def digest_with(**texts):
        for name, text in texts.items():
            (tmp_path / name.replace("_p", ".p")).write_text(text)
        return digest_of("walk", tmp_path)

    former = digest_with(
        walk_py="",
        walk_pyx="from lycosa.tags cimport Tag\n",
        tags_pxd="from lycosa.names cimport Name\nfrom lycosa.tags cimport Tag\n",
        names_pxd="",
        others_pxd="",
    )
    assert digest_with(others_pxd="cdef int new") == former
    assert digest_with(names_pxd="cdef int new") != former


def test_compiled_modules_can_be_turned_off(package, monkeypatch):
    monkeypatch.setenv(compiled.PURE, "1")
    assert compiled_modules(package) == []


def test_the_source_is_found_beside_a_compiled_module(package):
    source = source_of(HOT_MODULES[0], package)
    finder = SourceFinder({"some.module": source})
    assert finder.find_spec("some.module").origin == str(source)
    assert finder.find_spec("another.module") is None


def test_what_does_not_compile_is_left_uncompiled(package):
    shutil.copy(ROOT / "hatch_build.py", package.parents[1])
    for module in HOT_MODULES:
        source_of(module, package).write_text("def broken(:\n")
    former = package / f"former{compiled.EXTENSION_SUFFIXES[0]}"
    former.touch()
    done = subprocess.run(
        [sys.executable, package.parents[1] / "hatch_build.py"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("Lycosa is installed uncompiled: ")
    assert not (package / compiled.RECORD).exists()
    assert not former.exists()  # of a module that is not compiled any more
    assert compiled_modules(package) == []
