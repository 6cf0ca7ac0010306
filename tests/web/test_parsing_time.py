"""The time to parse a page is linear in its size, whatever construct it consists of."""

import time

import pytest
from bench.hostile_pages import CARRIERS, TAGS, constructs, of_tag

from lycosa.web import html_limits
from lycosa.web.reader import Reader

SMALL, LARGE = 2_500, 20_000
GROWTH = 3 * LARGE / SMALL
"""Of the time: linear would be a third of it, quadratic more than twice as much."""
SLACK_SECONDS = 0.05
ATTEMPTS = 4
ORDINARY = frozenset(
    "abbr acronym audio bdi bdo canvas cite data datalist del dfn ins isindex kbd label legend map "
    "mark meter output picture progress q samp slot span sub sup time var video".split()
)
"""Elements without rules of their own in HTML: in all forms they are tested as <own-element>."""
BY_TAG = {tag: of_tag(tag) for tag in TAGS}
TAGGED = {name for made in BY_TAG.values() for name in made}
OTHERS = {name: made for name, made in constructs().items() if name not in TAGGED}
GROUPS = {
    **{
        f"<{tag}>": {
            name: made
            for name, made in forms.items()
            if tag not in ORDINARY or name in (f"<{tag}> repeated", f"<{tag}> nested")
        }
        for tag, forms in BY_TAG.items()
    },
    **{
        f"attributes of <{carrier}>": {
            name: made for name, made in OTHERS.items() if name.startswith(f"<{carrier} ")
        }
        for carrier in CARRIERS
    },
    "others": {name: made for name, made in OTHERS.items() if not name.startswith("<")},
}
LARGEST = (
    "<a> repeated",
    "<link> in a script",
    "parts of no ruby, repeated",
    "a refresh with blanks",
    "a base of x and links",
    "distinct elements",
    "distinct attributes",
    "distinct links",
    "<div> with many attributes",
)


def seconds(html: str) -> float:
    """Return the CPU time of parsing a page: first its links alone, then everything."""
    body = html.encode()
    started = time.process_time()
    page = Reader().lazy_page("http://a.example/", body, on_content=int)
    assert page.content is not None
    return time.process_time() - started


@pytest.mark.parametrize("group", GROUPS)
def test_time_grows_with_the_size_and_no_faster(group, monkeypatch):
    monkeypatch.setattr(html_limits, "MAX_UNCHECKED_CHARACTERS", 0)
    for name, made in GROUPS[group].items():
        small, large = made(SMALL), made(LARGE)
        for _ in range(ATTEMPTS):  # other processes may disturb one
            taken = seconds(large)
            if taken <= SLACK_SECONDS or taken <= GROWTH * seconds(small) + SLACK_SECONDS:
                break
        else:
            pytest.fail(f"parsing {name} takes more than linear time")


@pytest.mark.parametrize("name", LARGEST)
def test_a_megabyte_is_parsed_in_seconds(name):
    # Expected are 0.3 to 2 seconds for both ways; without the limits it would be minutes.
    html = constructs()[name](1_000_000)
    assert any(seconds(html) < 10 for _ in range(2))


@pytest.mark.parametrize("group", ["<a>", "<svg>"])
def test_an_unchecked_page_is_parsed_in_a_moment(group):
    for name, made in GROUPS[group].items():
        # Expected are 0.1 seconds at most.
        assert seconds(made(html_limits.MAX_UNCHECKED_CHARACTERS)[:65_535]) < 2, name
