"""Suggestions for addresses without a scheme."""

import pytest

from lycosa.web.suggestions import suggested_url


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("www.example.org", "https://www.example.org/"),
        ("example.org/papers?x=1", "https://example.org/papers?x=1"),
        ("example.org:8080", "https://example.org:8080/"),
        ("localhost:8000", "http://localhost:8000/"),
        ("robots", None),
        ("./robots", None),
        ("projects/robots", None),
        ("/home/me/robots.d", None),
        ("", None),
    ],
)
def test_suggests_a_scheme_for_what_looks_like_a_host(text, url):
    assert suggested_url(text) == url
