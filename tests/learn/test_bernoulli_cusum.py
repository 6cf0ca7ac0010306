"""The cumulative sum test: false alarms are rare, falls are found soon, recoveries end them."""

import numpy as np

from lycosa.learn.bernoulli_cusum import BernoulliCusum


def run(shares, batch, seed):
    chance = np.random.default_rng(seed)
    test = BernoulliCusum()
    for day, share in enumerate(shares):
        test.add(str(day), int(chance.binomial(batch, share)), batch)
        if test.fallen_since is not None:
            return day, test
    return None, test


def test_no_alarm_where_nothing_changes():
    alarms = [run([share] * 300, 5, seed)[0] for share in (0.4, 0.8, 0.98) for seed in range(20)]
    assert sum(alarm is not None for alarm in alarms) <= 1  # 90,000 trials


def test_a_fall_is_found_soon_and_dated():
    for seed in range(20):
        alarm, test = run([0.95] * 40 + [0.1] * 20, 5, seed)
        assert 40 <= alarm <= 43
        assert 38 <= int(test.fallen_since) <= 41
        assert test.before > 0.85
        assert test.after < 0.6


def test_it_is_over_when_the_field_is_found_again():
    test = BernoulliCusum()
    test.add("before", 100, 100)
    test.add("fallen", 0, 50)
    assert test.fallen_since == "fallen"
    for day in range(50):
        test.add(str(day), 5, 5)
    assert test.fallen_since is None


def test_little_past_and_what_is_seldom_found_say_nothing():
    test = BernoulliCusum()
    test.add("a", 10, 10)
    test.add("b", 0, 8)
    assert test.fallen_since is None
    seldom = BernoulliCusum()
    seldom.add("a", 20, 100)
    seldom.add("b", 0, 100)
    assert seldom.fallen_since is None
