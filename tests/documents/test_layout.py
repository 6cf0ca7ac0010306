import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.documents.columns import PositionedWord
from lycosa.documents.layout import (
    TextLine,
    document_lines,
    join_lines,
    line_vocabulary,
    remove_running_heads,
)


def words(text, x, y, size=10.0, bold=False):
    out = []
    for word in text.split():
        end = x + 0.5 * size * len(word)
        out.append(PositionedWord(word, x, end, y, size, bold, False))
        x = end + 0.3 * size
    return out


def column(name, x, rows=20, top=700.0):
    text = [f"{name}{chr(97 + n)} has some eight words of text" for n in range(rows)]
    return [words(line, x, top - 12 * n) for n, line in enumerate(text)]


def texts(page, number=0):
    return [line.text for line in document_lines({number: [w for row in page for w in row]})]


def test_one_column_is_read_from_top_to_bottom_in_any_file_order():
    rows = column("l", 72)
    assert texts(rows[::-1]) == texts(rows)
    assert [text.split()[0] for text in texts(rows)] == [f"l{chr(97 + n)}" for n in range(20)]


def test_two_columns_are_read_one_after_the_other():
    left, right = column("l", 60), column("r", 330)
    title = [words("A title that runs across the whole page from left to right here", 60, 740)]
    by_row = title + [row for pair in zip(left, right, strict=True) for row in pair]
    firsts = [text.split()[0] for text in texts(by_row)]
    assert firsts == ["A", *(f"l{chr(97 + n)}" for n in range(20)),
                      *(f"r{chr(97 + n)}" for n in range(20))]  # fmt: skip


def test_a_line_across_the_page_ends_the_columns_above_it():
    across = words("A table that runs across the whole page from left to right here", 60, 570)
    page = [*column("l", 60, 10), *column("r", 330, 10), across,
            *column("m", 60, 10, 540), *column("s", 330, 10, 540)]  # fmt: skip
    firsts = "".join(text[0] for text in texts(page))
    assert firsts == 10 * "l" + 10 * "r" + "A" + 10 * "m" + 10 * "s"


def test_notes_in_the_margin_are_read_after_the_text():
    note = [words(f"note {n} here", 10, 700 - 12 * n) for n in range(15)]
    page = [*note, *column("t", 120, 20)]
    assert [text[0] for text in texts(page)] == 20 * ["t"] + 15 * ["n"]


def test_authors_side_by_side_are_read_before_the_columns_of_a_first_page():
    title = words("A title that runs across the whole page from left to right here", 60, 760)
    authors = [words("Ann Lee", 120, 730), words("Bob Roe", 400, 730)]
    abstract = words("Abstract", 60, 700, bold=True)
    page = [title, *authors, abstract, *column("l", 60, 20, 680), *column("r", 330, 21, 692)]
    assert texts(page)[:4] == [
        "A title that runs across the whole page from left to right here",
        "Ann Lee", "Bob Roe", "Abstract",
    ]  # fmt: skip


def test_an_author_in_the_margin_is_read_above_an_abstract_with_its_heading():
    title = words("A title that runs across the whole page from left to right here", 20, 760)
    author, place = words("Ann Lee", 20, 730), words("University of Webs and some more", 180, 715)
    abstract = words("Abstract: We hunt in webs and more words", 180, 690)
    note = [words(f"note {n} here", 20, 640 - 12 * n) for n in range(15)]
    found = texts([title, author, place, abstract, *note, *column("t", 180, 20, 678)])
    assert found.index("Ann Lee") < 3
    assert found[-1] == "note 14 here"


def test_an_index_stays_with_its_line():
    base = words("Take x", 72, 700)
    index = [PositionedWord("2", base[-1].end + 0.5, base[-1].end + 4, 704, 7, False, False)]
    rest = words("and more", base[-1].end + 8, 700)
    (line,) = document_lines({0: [*base, *index, *rest]})
    assert line.text == "Take x 2 and more"
    assert (line.y, line.size) == (700, 10)


def test_a_label_stays_with_its_entry_across_any_gap():
    page = [[*words("[Lee97]", 72, 700), *words("A. Lee. Spiders.", 150, 700)]]
    assert texts(page) == ["[Lee97] A. Lee. Spiders."]


def pages(count, head, foot="{n}", body=8):
    lines = []
    for n in range(count):
        lines.append(TextLine(head, n, 72, 760, 100, 9))
        lines += [
            TextLine(f"Body {chr(97 + n)}{chr(97 + k)}", n, 72, 700 - k, 99, 10)
            for k in range(body)
        ]
        lines.append(TextLine(foot.format(n=n + 17), n, 300, 40, 9, 9))
    return lines


@pytest.mark.parametrize("foot", ["{n}", "- {n} -", "Page {n} of 99"])
@pytest.mark.parametrize("count", [2, 3, 9])
def test_removes_running_heads_and_page_numbers(count, foot):
    kept = remove_running_heads(pages(count, "A. Lee and B. Roe", foot))
    assert len(kept) == 8 * count
    assert all(line.text.startswith("Body") for line in kept)


def test_keeps_lines_of_a_single_page_and_lines_that_move():
    assert len(remove_running_heads(pages(1, "A head"))) == 10
    lines = pages(5, "A head")
    moved = [x._replace(y=760 - 30 * x.page) if x.text == "A head" else x for x in lines]
    assert sum(x.text == "A head" for x in remove_running_heads(moved)) >= 4


def test_keeps_hyphens_that_the_document_has_elsewhere():
    lines = [TextLine(t) for t in ("a well-known, a wellness", "of a well-", "known inter-", "net")]
    assert join_lines(lines[1:], line_vocabulary(lines)) == "of a well-known internet"
    assert join_lines([TextLine("see Lee-"), TextLine("Smith")]) == "see Lee-Smith"
    assert join_lines([TextLine("pages 3-"), TextLine("7")]) == "pages 3- 7"


numbers = st.floats(-1000, 1000, allow_nan=False)
any_word = st.builds(
    lambda text, x, width, y, size: PositionedWord(text, x, x + width, y, size, False, False),
    st.text("abc1[]-", min_size=1, max_size=8), numbers, st.floats(0, 200), numbers,
    st.floats(0.5, 60),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(any_word, max_size=80), st.integers(0, 1))
def test_no_word_is_lost_or_repeated(found, page):
    printed = [w for line in document_lines({page: found}) for w in line.text.split(" ")]
    assert sorted(printed) == sorted(w.text for w in found)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.builds(TextLine, st.text("ab 1-", min_size=1, max_size=9), st.integers(0, 4),
                          numbers, numbers), max_size=60))  # fmt: skip
def test_removing_running_heads_keeps_the_order(lines):
    rest = iter(lines)
    assert all(line in rest for line in remove_running_heads(lines))


def test_authors_side_by_side_are_read_before_a_column_that_begins_higher_than_the_abstract():
    def line(x, y, text, size=10.0):
        return [PositionedWord(text, x, x + 200, y, size, False, False)]

    words = line(150, 740, "Title" * 8, 16.0)[0]._replace(end=450)
    page = [words, *line(72, 700, "Ann Lee"), *line(330, 700, "Bob Roe")]
    page += line(72, 640, "Abstract")
    page += [w for n in range(30) for w in line(72, 628 - 12 * n, f"left {n}")]
    page += [w for n in range(30) for w in line(330, 652 - 12 * n, f"right {n}")]
    texts = [found.text for found in document_lines({0: page})]
    assert texts[1:5] == ["Ann Lee", "Bob Roe", "Abstract", "left 0"]
