"""The contract of a store: every implementation keeps it, and the check finds what breaks it."""

import pytest

from lycosa.crawler.storage import MemoryStore, SqliteStore, check_store
from lycosa.errors import ContractError


def test_memory_store_keeps_the_contract():
    store = MemoryStore()
    check_store(lambda: store)
    assert [response.body for response in store.kept] == [b"robots"]


def test_sqlite_store_keeps_the_contract(tmp_path):
    check_store(lambda: SqliteStore.open(tmp_path, limit=5000))


class Forgetful(MemoryStore):
    def get(self, key, default=None):
        return default


class Eager(MemoryStore):
    def add(self, *values, **options):
        super().add(*values, **options)
        self.commit()


class Unordered(MemoryStore):
    def replay(self):
        yield from reversed(list(super().replay()))


class Hoarding(MemoryStore):
    def close(self, *, commit=True):
        super().close()


class Deaf(MemoryStore):
    def amend(self, n, reward):
        pass


@pytest.mark.parametrize(
    ("store", "sentence"),
    [
        (Forgetful(), "get.. returns what was put"),
        (Eager(), "before it is committed"),
        (Unordered(), "in order"),
        (Hoarding(), "discards buffered steps"),
        (Deaf(), "yields the reward of step 1"),
        (object(), "has the members"),
    ],
)
def test_a_broken_contract_is_one_sentence(store, sentence):
    with pytest.raises(ContractError, match=sentence):
        check_store(lambda: store)


def test_a_store_that_is_new_each_time_is_refused():
    with pytest.raises(ContractError, match="opened again has its steps"):
        check_store(MemoryStore)
