"""A compact table numbers strings as a plain table does."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.content import Table
from lycosa.snapshots import StateReader, StateWriter
from lycosa.web.compact_table import CompactTable

TEXTS = st.text(st.characters(), max_size=4)  # lone surrogates, too


@settings(max_examples=50)
@given(st.lists(TEXTS), st.lists(TEXTS), st.integers(1, 4))
def test_it_agrees_with_a_plain_table(texts, others, recent):
    plain, compact = Table(), CompactTable(recent=recent)
    assert compact.numbers(texts) == plain.numbers(texts)
    assert [compact.find(text) for text in others] == [plain.find(text) for text in others]
    assert list(map(compact.number, others)) == list(map(plain.number, others))
    assert list(compact) == list(compact.strings) == list(plain)
    assert len(compact) == len(plain)


def test_many_strings_are_found_again_after_all_parts_have_grown():
    texts = [f"http://a.example/{n}" for n in range(20_000)]
    table = CompactTable(texts, recent=10)
    assert table.numbers(texts) == list(range(len(texts)))
    assert [table[n] for n in (0, 65, 19_999)] == [texts[n] for n in (0, 65, 19_999)]
    assert not any(table.find(f"{text}/") for text in texts[::100])
    assert table[-1] == texts[-1]
    assert table.nbytes < sum(map(len, texts)) + 20 * len(texts)


def test_a_table_is_restored_from_a_snapshot_and_goes_on():
    table = CompactTable(["a", "b"])
    first = StateWriter()
    first.strings("table", table.strings)
    table.number("c")
    second = StateWriter({"table": 2})
    second.strings("table", table.strings)
    assert second.logs["table"].added == ["c"]

    again = CompactTable(["x"])
    again.restore(StateReader.of(first).strings("table"))
    assert (again.find("x"), again.number("b"), again.number("c")) == (None, 1, 2)


def test_strings_of_more_than_one_block_keep_their_places():
    texts = [f"{n:x}" for n in range(70_000)]
    table = CompactTable(texts, recent=1)
    assert [table[n] for n in range(65_530, 65_545)] == texts[65_530:65_545]
