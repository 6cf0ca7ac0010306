import pytest

from lycosa.errors import UsageError
from lycosa.portal.web.settings import Settings


@pytest.mark.parametrize(
    ("given", "kept", "origin", "prefix"),
    [
        ("https://a.example", "https://a.example", "https://a.example", ""),
        ("https://A.example:443/", "https://a.example", "https://a.example", ""),
        (
            "http://a.example:8080/b/c/",
            "http://a.example:8080/b/c",
            "http://a.example:8080",
            "/b/c",
        ),
        ("http://[::1]:80", "http://[::1]", "http://[::1]", ""),
    ],
)
def test_normalizes_base_urls(given, kept, origin, prefix):
    settings = Settings(base_url=given)
    assert (settings.base_url, settings.origin, settings.prefix) == (kept, origin, prefix)


@pytest.mark.parametrize(
    "given",
    [
        "a.example",
        "ftp://a.example",
        "https://",
        "https://a.example/?q",
        "https://a.example/#x",
        "https://me@a.example",
        "https://a.example/%2e",
        "https://a.example/a//b",
        "https://a.example:x",
        "javascript:alert(1)",
    ],
)
def test_refuses_invalid_base_urls(given):
    with pytest.raises(UsageError, match="is not a base URL"):
        Settings(base_url=given)


@pytest.mark.parametrize("rate", [-1.0, float("nan"), float("inf")])
def test_refuses_invalid_rates(rate):
    with pytest.raises(UsageError, match="requests per second"):
        Settings(rate=rate)


def test_repr_hides_the_token():
    assert "secret" not in repr(Settings(token="secret of the owner"))
