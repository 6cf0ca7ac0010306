"""The canonical record of a work."""

from collections import Counter
from statistics import median

from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.matching.canonical_record import FIELDS, canonical_record, comparison_key
from lycosa.papers.matching.normal_form import fold_text

TEXTS = st.text("aAbéÉ ,;.-_12", max_size=6)
REFERENCES = st.lists(st.dictionaries(st.sampled_from(FIELDS), TEXTS), max_size=8)


def elected(texts):
    """Return the winning text by counting every vote."""
    votes = [(letters(text.strip(" ,;")), text.strip(" ,;")) for text in texts]
    votes = [(same, text) for same, text in votes if same]
    if not votes:
        return None
    middle = median(len(same) for same, _ in votes)
    parties = Counter(same for same, _ in votes)
    best = max(parties, key=lambda same: (parties[same], -abs(len(same) - middle), same))
    mine = Counter(text for same, text in votes if same == best)
    return max(mine, key=lambda text: (mine[text], text))


def letters(text):
    return "".join(c for c in fold_text(text) if c.isalnum())


@given(st.text())
def test_comparison_key_has_the_letters_and_digits_of_the_folded_text(text):
    assert comparison_key(text) == letters(text)


@given(REFERENCES)
def test_every_field_is_the_majority_within_the_winning_year(references):
    record = canonical_record(references)
    assert list(record) == [name for name in FIELDS if name in record]

    def said(name, among):
        return elected([fields[name] for fields in among if name in fields])

    year = letters(said("year", references) or "")
    same = [fields for fields in references if letters(fields.get("year", "")) == year]
    for name in ("authors", "title", "year"):
        assert record.get(name) == said(name, references)
    for name in ("venue", "pages", "volume"):
        assert record.get(name) == (said(name, same) or said(name, references))
