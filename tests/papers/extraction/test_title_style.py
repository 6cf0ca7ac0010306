"""Correction of titles by their style."""

from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction.fields import FieldSpan, Header
from lycosa.papers.extraction.labeller import HeaderLine
from lycosa.papers.extraction.title_style import (
    choose_title,
    correct_title_style,
    extend_title,
    trim_title,
)

TITLE, SMALL, BODY = (1.6, True), (1.1, False), (1.0, False)


def page(*rows):
    """A header and its lines from rows of a label, a text and a style."""
    lines = [HeaderLine(text, *style) for _, text, style in rows]
    fields: dict[str, tuple[FieldSpan, ...]] = {}
    start, last = 0, ""
    for n, (label, text, _) in enumerate(rows):
        stop = start + len(text.split())
        mine = fields.get(label, ())
        if label == last:
            old = mine[-1]
            whole = FieldSpan(f"{old.text}\n{text}", 0.9, old.start, stop, old.line, n)
            fields[label] = (*mine[:-1], whole)
        else:
            fields[label] = (*mine, FieldSpan(text, 0.9, start, stop, n, n))
        start, last = stop, label
    return Header(fields), lines


def test_moves_a_first_author_out_of_the_title():
    header, lines = page(
        ("title", "Learning to hunt", TITLE),
        ("title", "in webs", TITLE),
        ("title", "Ann Lee", SMALL),
        ("author", "Bob Roe", SMALL),
    )
    better = correct_title_style(header, lines)
    assert better.title == "Learning to hunt in webs"
    assert [str(name) for name in better.authors] == ["Lee, Ann", "Roe, Bob"]
    moved = better.fields["author"][0]
    assert (moved.start, moved.stop, moved.line, moved.last_line) == (5, 7, 2, 2)


def test_moves_all_authors_out_of_the_title():
    header, lines = page(
        ("title", "Learning to hunt in webs", TITLE),
        ("title", "Ann Lee, Bob Roe", SMALL),
        ("affiliation", "University of Texas", BODY),
    )
    better = correct_title_style(header, lines)
    assert better.title == "Learning to hunt in webs"
    assert [name.family for name in better.authors] == ["Lee", "Roe"]


def test_keeps_a_subtitle_in_another_style_than_the_authors():
    header, lines = page(
        ("title", "Learning to hunt", TITLE),
        ("title", "A survey", (1.3, True)),
        ("author", "Ann Lee", SMALL),
    )
    assert correct_title_style(header, lines) == header


def test_keeps_the_title_below_a_larger_journal_name():
    header, lines = page(
        ("title", "spiders", TITLE),
        ("title", "Learning to hunt in webs", SMALL),
        ("affiliation", "University of Texas", BODY),
    )
    assert correct_title_style(header, lines) == header


def test_moves_a_running_head_to_the_notes():
    header, lines = page(
        ("title", "Letters on Spiders, 1999", (0.9, False)),
        ("title", "Learning to hunt", TITLE),
        ("author", "Ann Lee", SMALL),
    )
    better = correct_title_style(header, lines)
    assert better.title == "Learning to hunt"
    assert better.text("note") == "Letters on Spiders, 1999"


def test_unchanged_without_layout():
    header, _ = page(("title", "Hunt", TITLE), ("title", "Ann Lee", SMALL))
    assert correct_title_style(header, [HeaderLine("Hunt"), HeaderLine("Ann Lee")]) == header
    assert correct_title_style(header, []) == header
    assert correct_title_style(Header(), []) == Header()


rows = st.lists(
    st.tuples(
        st.sampled_from(["title", "author", "note", "affiliation"]),
        st.sampled_from(["Ann Lee", "Learning to hunt", "x"]),
        st.sampled_from([TITLE, SMALL, BODY, (None, None)]),
    ),
    max_size=7,
)


def words(header):
    parts = [part for parts in header.fields.values() for part in parts]
    return sorted((part.start, part.stop, part.text) for part in parts)


@given(rows)
def test_keeps_all_words_in_order(rows):
    header, lines = page(*rows)
    better = correct_title_style(header, lines)

    def spoken(header):
        return " ".join(text for _, _, text in words(header)).split()

    assert spoken(better) == spoken(header)
    for start, stop, text in words(better):
        assert stop - start == len(text.split())
    assert correct_title_style(better, lines).title == better.title


def test_only_the_surest_run_of_words_is_the_title():
    header, _ = page(
        ("title", "Letters on Spiders", BODY),
        ("note", "1999", BODY),
        ("title", "Learning to hunt in webs of other spiders", TITLE),
        ("author", "Ann Lee", SMALL),
    )
    better = choose_title(header)
    assert better.title == "Learning to hunt in webs of other spiders"
    assert [part.text for part in better.fields["note"]] == ["Letters on Spiders", "1999"]
    assert choose_title(better) == better


def test_a_title_has_all_lines_of_its_block():
    header, lines = page(
        ("note", "Learning to", TITLE),
        ("title", "hunt in webs", TITLE),
        ("author", "of Exponential Families", TITLE),
        ("author", "Ann Lee", SMALL),
    )
    lines = [line._replace(new_block=n in (0, 3)) for n, line in enumerate(lines)]
    better = extend_title(header, lines)
    assert better.title == "Learning to hunt in webs of Exponential Families"
    assert better.text("author") == "Ann Lee"
    apart = [line._replace(new_block=True) for line in lines]
    assert extend_title(header, apart).title == "hunt in webs"


def test_a_guessed_title_has_whole_lines_of_one_style():
    header, lines = page(
        ("note", "World Scientific", BODY),
        ("title", "Company", BODY),
        ("title", "Output-Sensitive Hunting in Webs", (0.8, True)),
        ("author", "Ann Lee", BODY),
    )
    title = header.fields["title"][0]._replace(confidence=0.1)
    better = extend_title(Header({**header.fields, "title": (title,)}), lines)
    assert better.title == "Output-Sensitive Hunting in Webs"
    assert better.text("note") == "World Scientific Company"
    assert extend_title(header, lines) == header


def test_the_end_of_a_running_head_is_not_in_the_title():
    lines = [
        HeaderLine("World Scientific Company", *BODY),
        HeaderLine("Hunting in Webs", 0.8, True),
    ]
    fields = {
        "note": (FieldSpan("World Scientific", 0.9, 0, 2, 0, 0),),
        "title": (FieldSpan("Company\nHunting in Webs", 0.9, 2, 6, 0, 1),),
    }
    trimmed = trim_title(Header(fields), lines)
    assert (trimmed.title, trimmed.text("note")) == ("Hunting in Webs", "World Scientific Company")
    assert trim_title(trimmed, lines) == trimmed
    plain = [HeaderLine(line.text) for line in lines]
    assert trim_title(Header(fields), plain) == Header(fields)


def test_a_title_has_all_lines_of_its_block_where_only_changes_of_size_are_known():
    header, _ = page(
        ("note", "Letters on Spiders", SMALL),
        ("note", "Hunting:", TITLE),
        ("title", "Webs of Other Spiders", TITLE),
        ("author", "and Ants", TITLE),
        ("author", "Ann Lee", SMALL),
    )
    changes = ((1, True), (1, True), (0, False), (0, False), (-1, True))
    lines = [
        HeaderLine("", bold=False, size_change=change, new_block=new) for change, new in changes
    ]
    better = extend_title(header, lines)
    assert better.title == "Hunting: Webs of Other Spiders and Ants"
    assert (better.text("note"), better.text("author")) == ("Letters on Spiders", "Ann Lee")
    for n, other in ((1, {"size_change": 0}), (4, {"size_change": 0})):
        like_text = [*lines[:n], lines[n]._replace(**other), *lines[n + 1 :]]
        assert extend_title(header, like_text) == header
