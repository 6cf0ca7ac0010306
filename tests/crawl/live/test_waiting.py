from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from lycosa.crawl.live.waiting import Line


@given(st.lists(st.integers(-90, 90), max_size=40))
def test_a_line_is_first_in_first_out_however_it_grows_and_shrinks(changes):
    line, plain, order = Line(), deque(), 0
    for change in changes:
        for _ in range(change):
            line.append(order, 3 * order)
            plain.append((order, 3 * order))
            order += 1
        for _ in range(min(-change, len(plain))):
            assert line.first == plain[0][0]
            assert line.pop() == plain.popleft()
        assert len(line) == len(plain)
        assert line.all() == list(plain)
    assert line.clear() == list(plain)
    assert len(line) == 0


def test_a_line_gives_back_the_memory_of_what_has_left():
    line = Line()
    for order in range(100_000):
        line.append(order, order)
        if order >= 10:
            line.pop()
    assert len(line) == 10
    assert len(line._entries) < 1000
