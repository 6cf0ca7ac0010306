from hypothesis import given
from hypothesis import strategies as st

from lycosa.reporting.text import MAX_CHARACTERS, duration, printable, size


@given(st.text())
def test_sanitised_text_is_printable_and_short(text):
    assert printable(text).isprintable()
    assert len(printable(text * 100)) <= MAX_CHARACTERS


@given(st.text(st.characters(categories=["L", "N", "P", "S"])))
def test_printable_text_is_unchanged(text):
    assert printable(text) == text


@given(st.floats(0, 1e18))
def test_sizes_and_times_are_short(number):
    assert len(size(number)) <= 11
    assert len(duration(number)) <= 25


@given(st.floats(0, 1e7), st.floats(0, 1e7))
def test_durations_are_monotonic(one, other):
    units = {"d": 86_400, "h": 3600, "min": 60, "s": 1}

    def seconds(text):
        words = text.replace(",", "").split()
        return sum(float(n) * units[u] for n, u in zip(words[::2], words[1::2], strict=True))

    low, high = sorted((one, other))
    assert seconds(duration(low)) <= seconds(duration(high))
