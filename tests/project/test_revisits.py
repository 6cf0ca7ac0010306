"""The plan of revisits from a step log."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from lycosa.crawler.storage.reader import LoggedStep
from lycosa.project.revisits import Revisits, plan_of
from lycosa.snapshots import StateReader, StateWriter

START = datetime(2026, 3, 1, tzinfo=UTC)


class Log:
    """A step log in the making."""

    def __init__(self):
        self.steps = []
        self.day = 0.0

    def add(self, url, *, status=200, digest="a", reward=0.0, source=0, final=None, fault=None):
        when = (START + timedelta(days=self.day)).isoformat()
        step = LoggedStep(
            len(self.steps) + 1, url, final or url, 0 if fault else status, "text/html", fault,
            reward, source, 0.5, when, 1, 0, 1, digest if status == 200 else None,
        )  # fmt: skip
        self.steps.append(step)
        return step.n

    def due(self, count=10):
        now = START + timedelta(days=self.day)
        return self.urls(plan_of(self.steps).due(count, now))

    def urls(self, steps):
        return [self.steps[n - 1].final for n in steps]


def test_pages_that_change_are_visited_before_those_that_do_not():
    log = Log()
    for url in ("still", "moving"):
        log.add(url, reward=1.0)
    for number in range(1, 10):
        log.day = float(number)
        log.add("still", status=304)
        log.add("moving", digest=f"version {number}")
    log.day += 3
    assert log.due(1) == ["moving"]
    found = plan_of(log.steps)
    assert (found.visits, found.changes) == (18, 9)


def test_the_same_body_is_no_change():
    log = Log()
    log.add("page", digest="a")
    log.day = 5
    log.add("page", digest="a")
    assert plan_of(log.steps).changes == 0


def test_a_hub_that_brought_targets_is_visited_before_one_that_did_not():
    log = Log()
    for url in ("hub", "other"):
        log.add(url)
    for number in range(1, 8):
        log.day = float(number)
        log.add("other", status=304)
        again = log.add("hub", digest=f"{number}")
        log.add(f"paper{number}", reward=1.0, source=again)
    log.day += 10
    due = [url for url in log.due(20) if url in ("hub", "other")]
    assert due == ["hub", "other"]


def test_pages_that_are_gone_or_have_moved_are_not_requested_again():
    log = Log()
    for url in ("gone", "moved", "there"):
        log.add(url, reward=1.0)
    log.day = 2
    log.add("gone", status=404)
    log.add("moved", final="elsewhere", reward=1.0)
    log.day = 2.5
    assert set(log.due()) == {"there", "elsewhere"}
    assert plan_of(log.steps).gone == 2
    log.day = 300
    assert set(log.due()) == {"there", "elsewhere"}


def test_a_page_that_is_gone_is_tried_again_and_is_a_target_when_it_is_back():
    log = Log()
    log.add("page", reward=1.0)
    tried = []
    log.day = 1
    log.add("page", status=404)
    for _ in range(200):
        log.day += 1
        if log.due():
            tried.append(log.day)
            log.add("page", status=404)
    assert tried == [2, 3, 5, 9, 17, 33]  # each time twice as long, for 60 days
    log.add("page", digest="b")  # its reward was given before
    assert plan_of(log.steps).gone == 0
    log.day += 20
    assert log.due() == ["page"]


def test_a_visit_that_failed_says_nothing():
    log = Log()
    log.add("page", reward=1.0)
    log.day = 2
    log.add("page", fault="time-out")
    log.add("page", status=503)
    found = plan_of(log.steps)
    assert (found.visits, found.gone) == (0, 0)
    log.day = 9
    assert log.due() == ["page"]


def test_an_empty_log():
    assert plan_of([]).due(5) == []


@given(
    st.lists(
        st.tuples(
            st.sampled_from("abcd"),
            st.sampled_from((200, 304, 404, 500)),
            st.sampled_from("xy"),
            st.booleans(),
            st.integers(0, 12),
            st.sampled_from("abcd"),
        ),
        max_size=30,
    )
)
def test_any_log_gives_a_plan_of_pages_it_has_in_one_pass_or_in_two(rows):
    log = Log()
    for url, status, digest, target, source, final in rows:
        log.day += 0.5
        log.add(url, status=status, digest=digest, reward=float(target), source=source, final=final)
    log.day += 10
    found = plan_of(log.steps)
    now = START + timedelta(days=log.day)
    due = log.urls(found.due(3, now))
    assert len(set(due)) == len(due) <= 3
    assert set(due) <= {step.final for step in log.steps}
    half = plan_of(log.steps[: len(rows) // 2])
    state = StateWriter()
    half.save(state)
    resumed = Revisits()
    resumed.restore(StateReader.of(state))
    assert resumed.steps == len(rows) // 2
    resumed.read(log.steps[len(rows) // 2 :])
    assert resumed.due(9, now) == found.due(9, now)
    for name in ("pages", "visits", "changes", "gone", "steps"):
        assert getattr(resumed, name) == getattr(found, name)
    assert resumed.effort.brought == found.effort.brought
