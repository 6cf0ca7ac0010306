import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import lycosa.crawler.frontier as frontier_module
from lycosa.crawler import Frontier, FrontierEntry
from lycosa.snapshots import StateReader, StateWriter
from lycosa.splitmix import SeededHash

NUMBERS = st.integers(0, 30)
SCORES = st.sampled_from([-1.5, -1e-300, 0.0, 0.1, 0.1 + 1e-17, 1 / 3, 2.0, 1e300])
BATCHES = st.lists(st.tuples(NUMBERS, SCORES), min_size=1, max_size=12, unique_by=lambda p: p[0])


class Naive:
    """The same by sorting a list each time; a seed sorts each batch by a hash first."""

    def __init__(self, seed=0):
        self.hash = SeededHash(seed) if seed else None
        self.waiting = {}
        self.taken = set()
        self.clock = 0

    def set(self, number, score, source):
        self.clock += 1
        self.waiting[number] = (-score, self.clock, source)

    def shaken(self, batch):
        if self.hash is None:
            return batch
        return sorted(batch, key=lambda pair: self.hash(np.array([pair[0]]))[0])

    def push(self, batch, source):
        batch = self.shaken(batch)
        for number, score in batch:
            known = self.waiting.get(number)
            if number not in self.taken and (known is None or score > -known[0]):
                self.set(number, score, source)

    def replace(self, batch):
        batch = self.shaken(batch)
        for number, score in batch:
            known = self.waiting.get(number)
            if known is not None and -known[0] not in (score, np.inf):
                self.set(number, score, self.waiting[number][2])

    def pop(self):
        if not self.waiting:
            return None
        number = min(self.waiting, key=lambda n: self.waiting[n][:2])
        return self.take(number)

    def take(self, number):
        self.taken.add(number)
        if number not in self.waiting:
            return None
        key, _, source = self.waiting.pop(number)
        return FrontierEntry(number, -key, source)

    def put_back(self, entry):
        self.taken.remove(entry.number)
        self.set(entry.number, entry.score, entry.source)

    @property
    def best(self):
        return max((-key for key, _, _ in self.waiting.values()), default=None)


def arrays(batch):
    return np.array([n for n, _ in batch], np.int32), np.array([s for _, s in batch])


class Machine(RuleBasedStateMachine):
    """The frontier beside the naive one, with runs that are merged all the time."""

    def __init__(self):
        super().__init__()
        self.saved = frontier_module.SLACK, frontier_module.MAX_RUNS
        frontier_module.SLACK, frontier_module.MAX_RUNS = 2, 2
        self.seed = 0
        self.real, self.naive = Frontier(), Naive()

    @initialize(seed=st.sampled_from([0, 1, -7, 2**70]))
    def choose_seed(self, seed):
        self.seed = seed
        self.real, self.naive = Frontier(seed), Naive(seed)

    def teardown(self):
        frontier_module.SLACK, frontier_module.MAX_RUNS = self.saved

    @rule(batch=BATCHES, source=NUMBERS)
    def push(self, batch, source):
        self.real.push(*arrays(batch), source)
        self.naive.push(batch, source)

    @rule(batch=BATCHES)
    def replace(self, batch):
        self.real.replace(*arrays(batch))
        self.naive.replace(batch)

    @rule(times=st.integers(1, 5))
    def pop(self, times):
        for _ in range(times):
            assert self.real.pop() == self.naive.pop()

    @rule(number=NUMBERS)
    def take(self, number):
        assert self.real.take(number) == self.naive.take(number)

    @rule(data=st.data(), score=SCORES | st.just(np.inf), source=NUMBERS)
    def put_back(self, data, score, source):
        if self.naive.taken:
            number = data.draw(st.sampled_from(sorted(self.naive.taken)))
            self.real.put_back(FrontierEntry(number, score, source))
            self.naive.put_back(FrontierEntry(number, score, source))

    @rule()
    def pop_and_put_back(self):
        entry = self.real.pop()
        assert entry == self.naive.pop()
        if entry is not None:
            self.real.put_back(entry)
            self.naive.put_back(entry)

    @rule(out=st.integers(0, 3), taken=st.sets(NUMBERS, max_size=2))
    def save_and_restore(self, out, taken):
        """Links that were popped wait again before their equals."""
        popped = [entry for _ in range(out) if (entry := self.real.pop()) is not None]
        state = StateWriter()
        self.real.save(state)
        self.real = Frontier(self.seed)
        self.real.restore(StateReader.of(state), popped, np.array(sorted(taken), np.int32))
        for number in taken:
            self.real.take(number)  # one that was never seen is not taken by `restore`
            self.naive.take(number)

    @invariant()
    def same_length(self):
        assert len(self.real) == len(self.naive.waiting)

    @invariant()
    def same_best(self):
        assert self.real.best == self.naive.best

    @invariant()
    def same_taken(self):
        assert {n for n in range(40) if self.real.is_taken(n)} == self.naive.taken


Machine.TestCase.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
TestAgainstNaive = Machine.TestCase


@given(st.lists(BATCHES, max_size=8))
def test_every_url_is_popped_once_best_first(batches):
    frontier = Frontier()
    best = {}
    for batch in batches:
        frontier.push(*arrays(batch))
        for number, score in batch:
            best[number] = max(score, best.get(number, -np.inf))
    out = []
    while (entry := frontier.pop()) is not None:
        out.append(entry)
    assert {entry.number: entry.score for entry in out} == best
    assert [entry.score for entry in out] == sorted(best.values(), reverse=True)


def test_a_duplicate_in_a_batch_waits_once_with_its_best_score():
    frontier = Frontier()
    frontier.push(np.array([5, 6, 5]), np.array([0.0, 1.0, 2.0]))
    assert len(frontier) == 2
    assert [frontier.pop(), frontier.pop(), frontier.pop()] == [
        FrontierEntry(5, 2.0, -1),
        FrontierEntry(6, 1.0, -1),
        None,
    ]


def test_seeds_are_first_and_in_order():
    frontier = Frontier()
    frontier.push(np.array([9, 3, 4]), np.full(3, np.inf))
    frontier.push(np.array([1]), np.array([1e308]))
    assert [frontier.pop().number for _ in range(4)] == [9, 3, 4, 1]


def test_a_seed_shakes_equal_scores_of_one_call_and_nothing_else():
    numbers = np.arange(3, 60)
    orders = []
    for seed in (0, 1, 2, 2):
        frontier = Frontier(seed)
        frontier.push(np.array([2, 1]), np.full(2, np.inf))
        frontier.push(numbers, np.zeros(len(numbers)), source=2)
        frontier.push(np.array([60, 61]), np.zeros(2), source=1)
        frontier.push(np.array([62]), np.array([1.0]), source=1)
        orders.append([frontier.pop().number for _ in range(len(frontier))])
    still, one, two, again = orders
    assert still == [2, 1, 62, *numbers, 60, 61]
    assert two == again
    assert len({tuple(order) for order in (still, one, two)}) == 3
    for order in (one, two):
        assert order[:3] == [2, 1, 62]
        assert sorted(order[3:-2]) == numbers.tolist()


def test_rescoring_unknown_urls_does_nothing():
    frontier = Frontier()
    frontier.replace(np.array([1, 10**6]), np.array([1.0, 2.0]))
    assert len(frontier) == 0
    assert frontier.pop() is None


def test_memory_is_bounded_when_everything_is_rescored_often():
    frontier = Frontier()
    numbers = np.arange(10_000)
    for turn in range(50):
        frontier.push(numbers, np.full(len(numbers), float(turn)))
        frontier.replace(numbers, np.full(len(numbers), turn - 0.5))
    assert len(frontier) == len(numbers)
    assert frontier.nbytes < 60 * len(numbers)


def test_the_heap_is_bounded_over_many_pages():
    frontier = Frontier()
    rng = np.random.default_rng(0)
    for page in range(20_000):
        frontier.push(np.arange(3 * page, 3 * page + 3), rng.random(3))
    assert len(frontier) == 60_000
    assert len(frontier._heads) <= 2 * frontier_module.MAX_RUNS + 2
    scores = [frontier.pop().score for _ in range(60_000)]
    assert scores == sorted(scores, reverse=True)


def test_rescoring_leaves_seeds_first():
    frontier = Frontier()
    frontier.push(np.array([5, 6]), np.full(2, np.inf))
    frontier.push(np.array([1]), np.array([0.5]))
    frontier.replace(np.array([5, 6, 1]), np.array([0.1, 0.2, 0.9]))
    assert [frontier.pop().number for _ in range(3)] == [5, 6, 1]


def test_an_unknown_url_can_be_taken_and_never_waits():
    frontier = Frontier()
    assert frontier.take(10**6) is None
    assert frontier.is_taken(10**6)
    assert not frontier.is_taken(10**7)
    frontier.push(np.array([10**6]), np.array([1.0]))
    assert (len(frontier), frontier.best, frontier.pop()) == (0, None, None)


def test_a_url_put_back_is_last_among_equals():
    frontier = Frontier()
    frontier.push(np.array([1, 2, 3]), np.array([0.5, 0.5, 0.1]), source=9)
    first = frontier.pop()
    frontier.put_back(first)
    assert (first, frontier.best) == (FrontierEntry(1, 0.5, 9), 0.5)
    assert [frontier.pop().number for _ in range(3)] == [2, 1, 3]
