"""The store of a shard keeps the contract, survives restarts of PostgreSQL, and is fenced."""

import os
import time
from datetime import UTC, datetime

import numpy as np
import pytest

from lycosa import Budget, Listed, Scope
from lycosa.archive.reader import read_members
from lycosa.cluster.archive_volumes import ArchiveFolder, move_volumes
from lycosa.cluster.crawl_folder import write_folder
from lycosa.cluster.database import Database
from lycosa.cluster.exchange import Exchange
from lycosa.cluster.leases import Lease, LeaseLost, read_leases, take_leases
from lycosa.cluster.postgres_store import PostgresStore
from lycosa.cluster.schema import create_tables
from lycosa.cluster.shard_buffer import SentLink, ShardEvent, ShardState
from lycosa.crawler.crawl import Crawl
from lycosa.crawler.http.response import Response
from lycosa.crawler.live.page_reader import PageReader
from lycosa.crawler.politeness.scheduler import Scheduler
from lycosa.crawler.storage.checks import check_store
from lycosa.crawler.storage.store import CheckpointStore, ConversionStore
from lycosa.errors import StoreError
from lycosa.snapshots import StateWriter
from lycosa.spiders import BreadthFirst
from small_disk import small_disk


@pytest.fixture
def connections(database):
    with Database(database) as found:
        found.run(lambda connection: create_tables(connection, shards=2, project="p"))
        yield found


def take(connections, shard=0, owner="a"):
    async def work(connection):
        rows = [row for row in await read_leases(connection) if row.shard == shard]
        return await take_leases(connection, owner, rows)

    sent = time.monotonic()
    ((_, epoch),) = connections.run(work)
    return Lease(shard, epoch, sent=sent, seconds=600.0)


@pytest.fixture
def open_store(connections, tmp_path):
    def open_it(shard=0, **options):
        folder = tmp_path / f"checkpoints-{shard}"
        given = {"archive": tmp_path / "archive", "folder": folder, **options}
        return PostgresStore.open(connections, take(connections, shard), **given)

    return open_it


def page(body=b"Hello", url="http://a.example/"):
    headers = ((b"Content-Type", b"text/html"),)
    return Response(url, datetime.now(UTC), 200, "HTTP/1.1 200 OK", headers, body)


def add(store, *numbers, size=5):
    for n in numbers:
        store.add(n, f"http://a.example/{n}", page(b"%d" % n * size))


def test_keeps_the_contract_of_a_store(open_store):
    check_store(open_store)


def test_is_a_store_with_checkpoints_and_conversions(open_store):
    store = open_store()
    assert isinstance(store, CheckpointStore)
    assert isinstance(store, ConversionStore)
    store.close()


def test_shards_do_not_see_each_other(open_store):
    first, second = open_store(0), open_store(1)
    add(first, 1, 2)
    first.put("note", 1)
    first.commit()
    assert (second.steps, second.get("note"), list(second.replay())) == (0, None, [])


def test_a_former_owner_cannot_commit(open_store):
    old = open_store()
    add(old, 1)
    old.commit()
    add(old, 2)
    new = open_store()
    with pytest.raises(LeaseLost):
        old.commit()
    assert new.steps == 1
    add(new, 2)
    new.commit()
    assert [step.n for step, _ in new.replay()] == [1, 2]


def test_a_repeated_commit_whose_answer_was_lost_writes_nothing_twice(open_store, connections):
    store = open_store()
    add(store, 1, 2)
    real, lost = connections.run, []

    def lose_the_first_answer(work, **options):
        from lycosa.cluster.database import Unreachable

        found = real(work, **options)
        if not lost:
            lost.append(found)
            raise Unreachable("lost")
        return found

    connections.run = lose_the_first_answer
    store.commit()
    connections.run = real
    add(store, 3)
    store.commit()
    assert store.steps == 3
    assert [response.body for _, response in store.replay()] == [b"1" * 5, b"2" * 5, b"3" * 5]


def test_a_step_and_its_links_are_committed_together(open_store, connections):
    store = open_store()
    store.buffer.stage([SentLink(1, 1, "http://b.example/", 0.5, 1)])
    store.put("note", 1)
    store.commit()
    count = "SELECT count(*) FROM links"
    assert connections.run(lambda connection: connection.fetchval(count)) == 0
    add(store, 1)
    store.commit()
    assert connections.run(lambda connection: connection.fetchval(count)) == 1


def test_a_shard_that_got_something_is_not_idle(open_store, connections):
    store = open_store()
    store.publish(ShardState(idle=True))
    store.buffer.add_event(ShardEvent(1, 0, "links", "{}"))
    store.commit()
    idle = "SELECT idle FROM shards WHERE shard = 0"
    assert connections.run(lambda connection: connection.fetchval(idle)) is False
    store.publish(ShardState(idle=True))
    store.commit()
    assert connections.run(lambda connection: connection.fetchval(idle)) is True


def test_what_changes_between_the_state_and_its_commit_is_committed_later(open_store, connections):
    """Else the last step of a crawl could leave a request in flight that has long ended."""
    store = open_store()
    reader = PageReader(Scope(domains=("a.example",)))
    exchange = Exchange(store, connections, store._lease)
    crawl = Crawl(BreadthFirst(), Listed("x", ()), Budget(), np.array([], np.int32))
    exchange.attach(crawl, reader, Scheduler(), lambda: None)
    exchange.replayed()
    number = reader.number("http://a.example/1")
    crawl.link(np.array([number], np.int32), np.array([1.0]))
    crawl.take(number)
    exchange.publish()
    crawl.tell(reader.page("http://a.example/1", 200, "text/html", b""))
    add(store, 1)
    store.commit()
    assert exchange.is_dirty
    exchange.publish()
    store.commit()
    assert not exchange.is_dirty
    state = "SELECT in_flight, idle FROM shards WHERE shard = 0"
    assert tuple(connections.run(lambda connection: connection.fetchrow(state))) == (0, True)


def test_volumes_move_to_the_archive_and_are_read_from_there(open_store, connections, tmp_path):
    store = open_store(max_volume_bytes=1000)
    for n in range(1, 7):
        add(store, n, size=300)
        store.commit()
    archive = ArchiveFolder(str(tmp_path / "archive"))
    moved = move_volumes(connections, archive, store._lease)
    assert moved > 1
    assert move_volumes(connections, archive, store._lease) == 0
    found = [(step.n, response.body) for step, response in store.replay()]
    assert found == [(n, b"%d" % n * 300) for n in range(1, 7)]
    files = sorted((tmp_path / "archive").iterdir())
    assert [path.name for path in files] == [f"{n:05}.warc.gz" for n in range(1, moved + 1)]
    types = [record.type for record in read_members(files[0].read_bytes())]
    assert types[0] == "warcinfo"
    assert "response" in types


def test_an_archive_that_refuses_a_volume_loses_nothing(open_store, connections, tmp_path):
    store = open_store(max_volume_bytes=100)
    add(store, 1, 2, 3)
    store.commit()
    (tmp_path / "archive").write_text("not a folder")
    with pytest.raises(OSError, match="exists"):
        move_volumes(connections, ArchiveFolder(str(tmp_path / "archive")), store._lease)
    assert len([response for _, response in store.replay() if response is not None]) == 3


def test_pages_of_an_archive_that_cannot_be_read_are_not_missing(open_store, connections, tmp_path):
    """Else the next owner of the shard would request them again."""
    store = open_store(max_volume_bytes=1)
    for n in (1, 2, 3):
        add(store, n)
        store.commit()
    archive = tmp_path / "archive"
    assert move_volumes(connections, ArchiveFolder(str(archive)), store._lease) == 2
    archive.rename(tmp_path / "aside")
    for hide in (lambda: None, lambda: archive.write_text("in the way")):
        hide()
        with pytest.raises(StoreError, match="archive cannot be read"):
            list(store.replay())
    archive.unlink()
    (tmp_path / "aside").rename(archive)
    assert [response is None for _, response in store.replay()] == [False, False, False]
    min(archive.iterdir()).unlink()
    assert [response is None for _, response in store.replay()] == [True, False, False]


def test_a_full_disk_is_not_taken_for_a_lost_connection(open_store, connections, tmp_path):
    store = open_store()
    store.add(1, "http://a.example/1", page(os.urandom(2**21)))
    store.commit()
    archive = ArchiveFolder(str(tmp_path / "archive"))
    disk = tmp_path / "disk"
    full = pytest.raises(StoreError, match=f"The disk of {disk} is full: make room")
    with small_disk(disk, "1m"), full:
        write_folder(connections, disk, archive)
    assert write_folder(connections, disk, archive) == 1


def test_checkpoints_are_found_by_the_next_owner(open_store, tmp_path):
    store = open_store()
    add(store, 1, 2)
    store.commit()
    urls = ["http://a.example/1"]
    for steps in (1, 2):
        state = StateWriter(store.checkpoints.lengths)
        state.strings("urls", urls)
        store.checkpoints.write(steps, {"steps": steps}, state)
        urls = [*urls, "http://a.example/2"]
    found = open_store(folder=tmp_path / "elsewhere").checkpoints.latest(2)
    assert (found.steps, found.facts) == (2, {"steps": 2})
    assert found.state.strings("urls") == ["http://a.example/1", "http://a.example/2"]
    assert open_store(folder=tmp_path / "third").checkpoints.latest(1).steps == 1


@pytest.mark.parametrize("refused", ["folder", "log", "state"])
def test_a_disk_that_takes_no_checkpoint_lets_all_steps_be_replayed(open_store, tmp_path, refused):
    store = open_store()
    add(store, 1, 2)
    store.commit()
    store.checkpoints.write(2, {}, StateWriter(store.checkpoints.lengths))
    place = tmp_path / "elsewhere"
    if refused == "folder":
        place.write_text("in the way")
    found = open_store(folder=place)
    if refused != "folder":
        (place / ("tables.log" if refused == "log" else f"{2:012}.state")).mkdir(parents=True)
    assert found.checkpoints.latest(2) is None
    assert [step.n for step, _ in found.replay()] == [1, 2]
    with pytest.raises(OSError, match=r"exists|Not a directory|Is a directory"):
        found.checkpoints.write(2, {}, StateWriter(found.checkpoints.lengths))
    add(found, 3)
    found.commit()
    assert found.steps == 3


def test_commits_wait_for_a_restart_of_postgresql(open_store, postgres):
    store = open_store()
    add(store, 1)
    store.commit()
    postgres.stop("immediate")
    add(store, 2)
    import threading

    restart = threading.Timer(0.3, postgres.start)
    restart.start()
    store.commit()
    restart.join()
    assert [step.n for step, _ in store.replay()] == [1, 2]
