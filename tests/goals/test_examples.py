import gzip
import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.core import Page
from lycosa.errors import UsageError
from lycosa.goals import Examples
from lycosa.goals.combined import warning_goals
from lycosa.goals.language import Language
from lycosa.sites import open_site
from lycosa.sites.generated.pdf import PdfWriter
from lycosa.web.reader import Reader
from recorded_sites import REAL, needs_real_sites, realdata

COURSE = "homework exam lecture syllabus grading assignment midterm textbook".split()
OTHER = "research lab staff project funding visitor seminar building".split()
BOTH = "university department computer science office phone email room hall".split()


def written(rng, topic, blur=0.2):
    """Words of a page: mostly of its topic, some of the other, many of both."""
    wrong = OTHER if topic is COURSE else COURSE
    return [rng.choice(wrong if rng.random() < blur else topic) for _ in range(8)] + rng.sample(
        BOTH, 5
    )


def several(topic, count, seed, blur=0.2):
    rng = random.Random(seed)
    return [written(rng, topic, blur) for _ in range(count)]


def page(words, reader=None):
    return (reader or Reader()).page("http://a.edu/", " ".join(words).encode())


def test_separates_unseen_pages():
    goal = Examples(several(COURSE, 20, 1), several(OTHER, 20, 2))
    assert [goal(page(words)) for words in several(COURSE, 20, 3)].count(1) >= 18
    assert [goal(page(words)) for words in several(OTHER, 20, 4)].count(0) >= 18
    assert set(goal.words[:5]) <= set(COURSE)
    assert goal.name == "examples"
    assert repr(goal).startswith("<Examples examples: ")


def test_without_negative_examples_the_score_is_a_rank_among_them():
    goal = Examples(several(COURSE, 20, 1))
    shares = [goal.probability(page(words)) for words in several(COURSE, 200, 3)]
    # Pages like the examples are spread over all places, whatever the topic.
    assert 0.35 < np.mean(np.array(shares) >= 0.5) < 0.65
    assert np.mean([goal(page(words)) for words in several(OTHER, 50, 4)]) < 0.1
    assert goal.probability(page(["nothing", "known"])) == 0


def test_probabilities_are_calibrated():
    """Topics that overlap: of pages with a probability of 0.8, eight in ten are targets."""
    goal = Examples(several(COURSE, 150, 1, 0.42), several(OTHER, 150, 2, 0.42))
    reader = Reader()
    probabilities = np.array(
        [
            goal.probability(page(words, reader))
            for topic, seed in ((COURSE, 3), (OTHER, 4))
            for words in several(topic, 1000, seed, 0.42)
        ]
    )
    wanted = np.arange(2000) < 1000
    for low, high in ((0.0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 1.0)):
        chosen = (probabilities >= low) & (probabilities < high)
        assert chosen.sum() > 100
        assert wanted[chosen].mean() == pytest.approx(probabilities[chosen].mean(), abs=0.08)


def test_a_share_shifts_the_probability_by_bayes_rule():
    positive, negative = several(COURSE, 20, 1), several(OTHER, 40, 2)
    plain = Examples(positive, negative)
    rare = Examples(positive, negative, share=0.05)
    for words in several(COURSE, 5, 3) + several(OTHER, 5, 4):
        p, q = plain.probability(page(words)), rare.probability(page(words))
        assert q / (1 - q) == pytest.approx(p / (1 - p) * (0.05 / 0.95) / (20 / 40))


def test_least_and_graded():
    positive, negative = several(COURSE, 20, 1), several(OTHER, 20, 2)
    sure = Examples(positive, negative, least=0.9, graded=True)
    for words in several(COURSE, 20, 3, 0.4):
        shown = page(words)
        probability = sure.probability(shown)
        assert sure(shown) == (probability if probability >= 0.9 else 0)


def test_pages_that_failed_or_have_no_words():
    goal = Examples(several(COURSE, 10, 1), several(OTHER, 10, 2))
    shown = page(several(COURSE, 1, 3)[0])
    assert goal(shown) == 1
    assert goal(Page(shown.number, shown.tables, content=shown.content, status=404)) == 0
    assert 0 < goal.probability(page([])) < 1


@settings(max_examples=10, deadline=None)
@given(st.lists(st.lists(st.sampled_from(["a", "bb", "cc", "the", "7"])), min_size=3, max_size=8))
def test_any_examples_are_learned_or_refused(words):
    enough = sum(not {"bb", "cc"}.isdisjoint(words) for words in words) >= 3
    for negative in ([], words[::-1]):
        if enough:
            assert 0 <= Examples(words, negative).probability(page(["bb"])) <= 1
        else:
            with pytest.raises(UsageError, match="too few to learn from"):
                Examples(words, negative)


def test_pages_serve_as_examples_and_copies_are_equal():
    reader = Reader()
    positive = [page(words, reader) for words in several(COURSE, 10, 1)]
    negative = [page(words, reader) for words in several(OTHER, 10, 2)]
    goal = Examples.of(positive, negative, name="courses")
    copy = pickle.loads(pickle.dumps(goal))
    assert copy.name == "courses"
    for shown in positive + negative:
        assert copy.probability(shown) == goal.probability(shown)
    words = Examples(several(COURSE, 10, 1), several(OTHER, 10, 2))
    assert words.probability(positive[0]) == goal.probability(positive[0])


def test_files_and_folders_serve_as_examples(tmp_path):
    (tmp_path / "yes" / "deep").mkdir(parents=True)
    (tmp_path / "no").mkdir()
    for n, words in enumerate(several(COURSE, 6, 1)):
        html = "<title>{}</title><p>{}".format(words[0], " ".join(words[1:]))
        (tmp_path / "yes" / f"{n}.html").write_text(html)
    writer = PdfWriter("exam")
    writer.page()
    writer.line(72, 700, " ".join(COURSE), "roman", 9)
    (tmp_path / "yes" / "deep" / "exam.PDF").write_bytes(bytes(writer))
    (tmp_path / "yes" / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    (tmp_path / "yes" / "photo.jpg").write_bytes(gzip.compress(b"not read"))
    for n, words in enumerate(several(OTHER, 6, 2)):
        (tmp_path / "no" / f"{n}.txt").write_text(" ".join(words))
    goal = Examples.read([tmp_path / "yes"], [tmp_path / "no", tmp_path / "no" / "0.txt"])
    assert goal(page(COURSE)) == 1
    assert goal(page(OTHER)) == 0
    assert goal.skipped == (tmp_path / "yes" / "broken.pdf",)


def test_refuses_files_that_cannot_be_examples(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "page.doc").write_text("x")
    for name, message in {
        "empty": "There are no examples in",
        "page.doc": "cannot be read; give .html, .htm, .txt, .pdf",
        "nothing": "There is no example",
    }.items():
        with pytest.raises(UsageError, match=message):
            Examples.read([tmp_path / name])


@pytest.mark.parametrize(
    ("positive", "negative", "options", "message"),
    [
        (2, 0, {}, "2 positive examples with words are too few"),
        (5, 2, {}, "2 negative examples with words are too few"),
        (5, 5, {"least": 0}, "above 0 and at most 1, not 0"),
        (5, 0, {"share": 0.1}, "needs negative examples"),
        (5, 5, {"share": 1.0}, "between 0 and 1"),
    ],
)
def test_refuses_too_few_examples_and_senseless_options(positive, negative, options, message):
    with pytest.raises(UsageError, match=message):
        Examples(several(COURSE, positive, 1), several(OTHER, negative, 2), **options)


@realdata
@needs_real_sites
@pytest.mark.parametrize(("negatives", "precision", "recall"), [(3, 0.4, 0.6), (0, 0.3, 0.3)])
def test_real_course_pages_by_sixty_examples_of_other_universities(negatives, precision, recall):
    """Floors below what was measured; `python -m bench.examples` measures more."""
    rng = np.random.default_rng(0)
    positive, negative = [], []
    for name in ("texas", "washington", "wisconsin"):
        site = open_site(REAL / "departments" / f"webkb-{name}")
        wanted = site.wanted("courses")
        others = [site.page(n) for n in np.setdiff1d(np.arange(len(site)), wanted).tolist()]
        others = [page for page in others if len(page.content.tokens)]
        positive += [site.page(n) for n in rng.permutation(wanted)[:20].tolist()]
        negative += [others[n] for n in rng.permutation(len(others))[: 20 * negatives]]
    goal = Examples.of(positive, negative)
    site = open_site(REAL / "departments" / "webkb-cornell")
    found = {n for n in range(len(site)) if goal(site.page(n))}
    true = set(site.wanted("courses").tolist())
    assert len(found & true) / len(found) >= precision
    assert len(found & true) / len(true) >= recall


# Warnings


def _page(words):
    return Reader().page("http://a.edu/", " ".join(words).encode())


def _examples(count, words=COURSE):
    return [[words[n % 8], words[(n + 1) % 8], words[(n + 3) % 8]] for n in range(count)]


def test_warns_that_examples_are_few():
    assert [one.kind for one in Examples(_examples(4)).warnings()] == ["few-examples"]
    few = Examples(_examples(12), _examples(5, OTHER)).warnings()
    assert [one.kind for one in few] == ["few-examples"]
    assert "12 positive and 5 negative" in few[0].words
    assert Examples(_examples(12), _examples(12, OTHER)).warnings() == []


def test_warns_when_half_of_what_is_seen_is_accepted():
    goal = Examples(_examples(12), _examples(12, OTHER))
    for n in range(19):
        assert goal(_page(COURSE if n % 2 == 0 else OTHER)) == float(n % 2 == 0)
    assert goal.warnings() == []
    goal(_page(OTHER))
    [warning] = goal.warnings()
    assert warning.kind == "accepts-half"
    assert "10 of the 20 pages" in warning.words
    for _ in range(5):
        goal(_page(OTHER))
    assert goal.warnings() == []
    assert warning_goals(goal & Language("en")) == (goal,)
    [few] = warning_goals(~Examples(_examples(4)))
    assert [one.kind for one in few.warnings()] == ["few-examples"]
