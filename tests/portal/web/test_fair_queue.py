import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.web import fair_queue
from lycosa.portal.web.fair_queue import ClientQueueFull, FairQueue, QueueFull

UNLIMITED = 10**9


def serve(queue, rounds, seconds):
    """Serve one request after another; return what each client received, in seconds."""
    received = {}
    for number in range(rounds):
        client, _ = queue.take()
        took = seconds(client, number)
        received.setdefault(client, []).append(took)
        queue.finish(client, took)
        yield received


@given(
    st.lists(st.integers(0, 30), min_size=2, max_size=6),
    st.integers(1, 60),
)
def test_clients_that_always_wait_get_the_same_number_of_requests(extra, rounds):
    queue = FairQueue(1, UNLIMITED, UNLIMITED)
    names = [str(k) for k in range(len(extra))]
    for name, more in zip(names, extra, strict=True):
        for number in range(rounds + more):  # some have many more waiting
            queue.put(name, number)
    for received in serve(queue, rounds, lambda *_: 1.0):
        counts = [len(received.get(name, ())) for name in names]
        assert max(counts) - min(counts) <= 1


@given(st.data(), st.integers(2, 5), st.integers(1, 80))
def test_seconds_of_service_differ_by_no_more_than_one_request_of_each(data, clients, rounds):
    queue = FairQueue(1, UNLIMITED, UNLIMITED)
    names = [str(k) for k in range(clients)]
    longest = {name: data.draw(st.floats(0.001, 10)) for name in names}
    for name in names:
        for number in range(rounds):
            queue.put(name, number)

    def seconds(name, _):
        return data.draw(st.floats(0.0, longest[name]))

    for received in serve(queue, rounds, seconds):
        for one in names:
            for other in names:
                gap = sum(received.get(one, ())) - sum(received.get(other, ()))
                assert gap <= longest[one] + longest[other] + 1e-6


def test_requests_of_a_client_are_served_in_their_order():
    queue = FairQueue(1, UNLIMITED, UNLIMITED)
    for number in range(5):
        queue.put("a", number)
    order = []
    while taken := queue.take():
        order.append(taken[1])
        queue.finish("a", 1.0)
    assert order == [0, 1, 2, 3, 4]


def test_a_newcomer_does_not_wait_behind_a_backlog():
    queue = FairQueue(1, UNLIMITED, UNLIMITED)
    for number in range(100):
        queue.put("greedy", number)
    for _ in range(50):
        queue.take()
        queue.finish("greedy", 1.0)
    queue.put("new", 0)
    assert queue.take() == ("new", 0)


def test_an_idle_client_saves_no_service():
    queue = FairQueue(1, UNLIMITED, UNLIMITED)
    queue.put("idle", 0)
    queue.take()
    for number in range(50):
        queue.put("busy", number)
    queue.finish("idle", 0.1)
    for _ in range(20):
        queue.take()
        queue.finish("busy", 1.0)
    for number in range(50):
        queue.put("idle", number)
    order = []
    for _ in range(10):
        client, _ = queue.take()
        order.append(client)
        queue.finish(client, 1.0)
    assert order.count("idle") <= 6


def test_a_client_of_few_expensive_requests_gets_no_more_seconds():
    queue = FairQueue(1, UNLIMITED, UNLIMITED)
    for number in range(1000):
        queue.put("cheap", number)
        queue.put("expensive", number)
    *_, received = serve(queue, 200, lambda client, _: 1.0 if client == "expensive" else 0.1)
    assert sum(received["expensive"]) <= sum(received["cheap"]) + 1.1


def test_one_client_leaves_a_thread_to_others():
    queue = FairQueue(1, UNLIMITED, UNLIMITED)
    queue.put("a", 0)
    queue.put("a", 1)
    assert queue.take() == ("a", 0)
    assert queue.take() is None
    queue.put("b", 0)
    assert queue.take() == ("b", 0)
    queue.finish("a", 1.0)
    assert queue.take() == ("a", 1)


def test_the_number_of_waiting_requests_is_bounded():
    queue = FairQueue(1, max_waiting=3, max_total_waiting=5)
    for number in range(3):
        queue.put("a", number)
    with pytest.raises(ClientQueueFull):
        queue.put("a", 3)
    queue.put("b", 0)
    queue.put("c", 0)
    with pytest.raises(QueueFull) as refused:
        queue.put("d", 0)
    assert not isinstance(refused.value, ClientQueueFull)
    assert len(queue) == 5
    queue.take()
    queue.put("d", 0)


def test_a_discarded_request_is_not_served():
    queue = FairQueue()
    queue.put("a", 0)
    queue.put("a", 1)
    queue.discard("a", 0)
    queue.discard("a", 7)
    queue.discard("b", 0)
    assert len(queue) == 1
    assert queue.take() == ("a", 1)
    assert queue.take() is None


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(fair_queue, "MAX_IDLE", 10)
    queue = FairQueue(1, UNLIMITED, UNLIMITED)
    queue.put("always", 0)
    queue.take()
    for number in range(500):
        queue.put(str(number), 0)
        client, _ = queue.take()
        queue.finish(client, 1.0)
        assert len(queue._clients) <= 12


@given(st.lists(st.tuples(st.sampled_from("pftd"), st.sampled_from("abc")), max_size=80))
def test_counts_agree_with_a_plain_model(steps):
    queue = FairQueue(1, max_waiting=3, max_total_waiting=6)
    waiting = {name: [] for name in "abc"}
    running = dict.fromkeys("abc", 0)
    for number, (step, name) in enumerate(steps):
        if step == "p":
            full = len(waiting[name]) == 3 or sum(map(len, waiting.values())) == 6
            if full:
                with pytest.raises(QueueFull):
                    queue.put(name, number)
            else:
                queue.put(name, number)
                waiting[name].append(number)
        elif step == "t":
            taken = queue.take()
            eligible = [each for each in "abc" if waiting[each] and not running[each]]
            if taken is None:
                assert not eligible
            else:
                client, item = taken
                assert client in eligible
                assert item == waiting[client].pop(0)
                running[client] += 1
        elif step == "f" and running[name]:
            queue.finish(name, 1.0)
            running[name] -= 1
        elif step == "d" and waiting[name]:
            queue.discard(name, waiting[name].pop())
        assert len(queue) == sum(map(len, waiting.values()))
