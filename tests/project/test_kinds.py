"""Values of lycosa.toml: what is read, what is written, what is refused."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.project import kinds
from lycosa.project.kinds import toml

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(TEXTS, inside, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_toml_values_round_trip(value: Any) -> None:
    assert tomllib.loads(f"x = {toml(value)}") == {"x": value}


@pytest.mark.parametrize("value", [None, b"bytes", object(), [None]])
def test_refuses_values_that_toml_lacks(value: object) -> None:
    with pytest.raises(UsageError, match="cannot be written as TOML"):
        toml(value)


def test_refuses_surrogates() -> None:
    with pytest.raises(UsageError, match="is not a valid text"):
        toml(["\ud800"])


@pytest.mark.parametrize(
    ("kind", "value", "meant"),
    [
        (kinds.SECONDS, 90, 90.0),
        (kinds.SECONDS, "2h", 7200.0),
        (kinds.SECONDS, " 1.5 M ", 90.0),
        (kinds.SECONDS, "30min", 1800.0),
        (kinds.SECONDS, "1d", 86400.0),
        (kinds.BYTES, "64 KB", 65536),
        (kinds.BYTES, "1.5mb", 3 << 19),
        (kinds.BYTES, 7, 7),
        (kinds.SHARE, 1, 1.0),
        (kinds.TYPES, ["Text/HTML"], ("text/html",)),
        (kinds.DOMAINS, ["Example.ORG", "*.example.com", ".example.net"],
         ("example.org", "example.com", "example.net")),
        (kinds.DOMAINS, ["bücher.example", "::1", "[::1]", "*", "127.0.0.1"],
         ("xn--bcher-kva.example", "::1", "::1", "*", "127.0.0.1")),
        (kinds.PREFIXES, ["HTTPS://Example.org/%7ea"], ("https://example.org/~a",)),
        (kinds.HEADERS, {"Accept-Language": "en"}, (("Accept-Language", "en"),)),
        (kinds.PROXY, "http://me:word@proxy.example:3128", "http://me:word@proxy.example:3128"),
    ],
)  # fmt: skip
def test_reads_valid_values(kind: kinds.Kind, value: object, meant: object) -> None:
    assert kind.read(value) == meant


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (kinds.COUNT, 0),
        (kinds.COUNT, 1.0),
        (kinds.COUNT, True),
        (kinds.COUNT, "3"),
        (kinds.COUNT, 10**400),
        (kinds.TIMES, -1),
        (kinds.LEVEL, 10),
        (kinds.NUMBER, float("nan")),
        (kinds.NUMBER, float("inf")),
        (kinds.NUMBER, False),
        (kinds.FACTOR, 0.5),
        (kinds.SHARE, 0),
        (kinds.SHARE, 1.01),
        (kinds.SECONDS, "2 fortnights"),
        (kinds.SECONDS, "-2h"),
        (kinds.SECONDS, "h"),
        (kinds.SECONDS, "9" * 40 + "h"),
        (kinds.SECONDS, []),
        (kinds.TIMEOUT, 0),
        (kinds.TIMEOUT, "0s"),
        (kinds.BYTES, 0),
        (kinds.BYTES, 1.5),
        (kinds.BYTES, "0.1 B"),
        (kinds.FLAG, 1),
        (kinds.TEXT, " "),
        (kinds.TEXT, "a\nb"),
        (kinds.TEXT, 5),
        (kinds.TEXTS, "one"),
        (kinds.TEXTS, ["one", 2]),
        (kinds.TYPES, ["text/*"]),
        (kinds.TYPES, ["html"]),
        (kinds.DOMAINS, ["https://example.org/"]),
        (kinds.DOMAINS, ["example.org/papers"]),
        (kinds.DOMAINS, ["example.org:8080"]),
        (kinds.DOMAINS, ["a b"]),
        (kinds.DOMAINS, [""]),
        (kinds.PREFIXES, ["example.org/papers"]),
        (kinds.EXPRESSIONS, ["("]),
        (kinds.PROXY, "proxy.example:3128"),
        (kinds.HEADERS, {"A B": "x"}),
        (kinds.HEADERS, {"A": "x\r\nB: y"}),
        (kinds.HEADERS, {"A": 1}),
        (kinds.HEADERS, "A: x"),
    ],
)
def test_refuses_invalid_values(kind: kinds.Kind, value: object) -> None:
    with pytest.raises(ValueError, match=r"^$|could not convert"):
        kind.read(value)


@given(st.integers(0, 2**50) | st.floats(0, 2**50))
def test_times_round_trip(seconds: float) -> None:
    assert kinds.SECONDS.read(tomllib.loads(f"x = {kinds.SECONDS.write(seconds)}")["x"]) == seconds


@given(st.integers(1, 2**53))
def test_sizes_round_trip(size: int) -> None:
    assert kinds.BYTES.read(tomllib.loads(f"x = {kinds.BYTES.write(size)}")["x"]) == size
