"""The history of works: which works a build dates, by brute force on what harvesters read."""

import shutil
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from lxml import etree
from tests.portal.build.crawls import query
from tests.portal.build.test_incremental import HIDDEN, STATES, Portal, page, paper

from lycosa.portal.build.database import Database
from lycosa.portal.build.history import update_history
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.oai.dublin_core import oai_dc

LONG_AGO = "2001-02-03T04:05:06Z"


def exposed(folder):
    """Return what harvesters read of each work; topics in any order."""
    found = {}
    for work in Catalogue.open(folder).iter_works("paper", "page"):
        text = str(oai_dc(work, "http://portal.example/")).replace(
            "<oai_dc:dc ", '<oai_dc:dc xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ', 1
        )
        topics = {each.topic for each in work.topics}
        found[work.id] = sorted((e.tag, e.text) for e in etree.fromstring(text)), topics
    return found


def history(folder):
    return {row[0]: row[1:] for row in query(folder, "SELECT * FROM history")}


def age(folder):
    """Date everything back, so that what the next build dates can be told."""
    with Database.open(folder) as database, database.replacing():
        rows = [(*row[:4], LONG_AGO, row[5]) for row in database.rows("SELECT * FROM history")]
        database.put("history", rows)


@pytest.fixture
def portal(tmp_path):
    found = Portal(tmp_path)
    found.change([(n, paper(n, 0)) for n in range(4)] + [(4, page(4, 0))], [], False)
    found.build()
    return found


@pytest.mark.parametrize("whole", [False, True])
def test_a_build_dates_the_works_that_changed_and_no_others(portal, whole):
    chance = Random(7)
    for _ in range(3):
        age(portal.folder)
        before, gone = exposed(portal.folder), set(history(portal.folder))
        gone -= set(before)
        number = chance.randrange(6)
        made = [paper(number, chance.randrange(6)), page(number, chance.randrange(4)), HIDDEN]
        portal.change([(number, chance.choice(made))], [("title", 1, 2)], False)
        if whole:
            shutil.rmtree(portal.folder / STATES)
        portal.build()
        after, kept = exposed(portal.folder), history(portal.folder)
        changed = {work for work in before | after if before.get(work) != after.get(work)}
        assert {work for work, row in kept.items() if row[3] != LONG_AGO} == changed
        assert {work for work, row in kept.items() if row[4]} == (gone | set(before)) - set(after)
        assert {work: set(row[1].split()) for work, row in kept.items() if not row[4]} == {
            work: topics for work, (_, topics) in after.items()
        }


def test_a_work_that_comes_back_keeps_the_time_when_it_was_found(portal):
    with Database.open(portal.folder) as database, database.replacing():
        rows = [
            (*row[:3], "1999-01-01", *row[4:]) for row in database.rows("SELECT * FROM history")
        ]
        database.put("history", rows)
    first = {*history(portal.folder)}
    for made in (HIDDEN, page(4, 0)):
        portal.change([(4, made)], [], False)
        portal.build()
        kept = history(portal.folder)
        assert sum(row[4] for row in kept.values()) == (made is HIDDEN)
    assert {*kept} == first
    assert {row[2] for row in kept.values()} == {"1999-01-01"}


def test_datestamps_never_go_back_with_the_clock(portal):
    past, future = (datetime.now(UTC) + timedelta(days=n) for n in (-9, 9))
    for now in (future, past):
        with Database.open(portal.folder) as database, database.replacing():
            database.put(
                "history", [(*r[:1], "x", *r[2:]) for r in database.rows("SELECT * FROM history")]
            )
            assert update_history(database, now=now) == len(exposed(portal.folder))
        dates = {row[3] for row in history(portal.folder).values()}
        assert dates == {future.strftime("%Y-%m-%dT%H:%M:%SZ")}


def test_a_portal_without_a_history_gets_it_from_its_next_build(portal):
    with Database.open(portal.folder) as database, database.replacing() as replace:
        replace("history", [])
    portal.change([(5, paper(5, 0))], [], False)
    portal.build()
    assert history(portal.folder).keys() == exposed(portal.folder).keys()
