"""Answers of the provider, read with lxml and compared with the tables."""

import re
import sqlite3
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from lycosa.portal.build.database import Database
from lycosa.portal.build.history import update_history
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.oai import provider as module
from lycosa.portal.oai.provider import Provider
from lycosa.portal.oai.record_history import RecordHistory
from portal.sample import TREE, kind_of, sample, title_of, work_id

OAI = "{http://www.openarchives.org/OAI/2.0/}"
DC = "{http://purl.org/dc/elements/1.1/}"
BASE = "https://papers.example.org/spiders/oai"
DAYS = [f"2026-03-{day:02}" for day in range(1, 8)]
PREFIX = {"metadataPrefix": "oai_dc"}


def provider(folder):
    return Provider(
        Catalogue.open(folder),
        RecordHistory(folder / "portal.db"),
        BASE,
        "papers.example.org",
        lambda work: f"https://papers.example.org/spiders/work/{work}",
    )


def update(folder, day):
    with Database.open(folder) as database, database.replacing():
        update_history(database, now=datetime.fromisoformat(f"{day}T12:00:00+00:00"))


def execute(folder, *statements):
    database = sqlite3.connect(folder / "portal.db")
    with database:
        for statement in statements:
            database.execute(*statement)
    database.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a portal whose works date from several days, two of them gone."""
    found = sample(tmp_path_factory.mktemp("portal"))
    update(found, DAYS[0])
    for number, day in enumerate(DAYS[1:]):
        execute(
            found,
            *(
                ("UPDATE works SET volume = ? WHERE id = ?", (day, work_id(n)))
                for n in range(number, 50, 9)
            ),
        )
        update(found, day)
    execute(found, ("DELETE FROM works WHERE id IN (?, ?)", (work_id(8), work_id(9))))
    update(found, "2026-03-09")
    return found


def answer(folder, verb, **arguments):
    """Return the answer without its envelope, which is checked."""
    root = etree.fromstring(provider(folder).respond([("verb", verb), *arguments.items()]).encode())
    assert root.tag == f"{OAI}OAI-PMH"
    date, request, content = root
    datetime.strptime(date.text, "%Y-%m-%dT%H:%M:%SZ")
    assert (date.tag, request.tag, request.text) == (f"{OAI}responseDate", f"{OAI}request", BASE)
    if content.get("code") in ("badVerb", "badArgument"):
        assert not request.attrib
    else:
        assert dict(request.attrib) == {"verb": verb, **arguments}
    assert content.tag in (f"{OAI}{verb}", f"{OAI}error")
    return content


def pages(folder, verb, **arguments):
    """Yield the answers of a list, by its resumption tokens."""
    sent = 0
    while arguments:
        found = answer(folder, verb, **arguments)
        yield found
        token = found.find(f"{OAI}resumptionToken")
        if token is not None:
            assert token.get("cursor") == str(sent)
        sent += len(found) - (token is not None)
        arguments = {"resumptionToken": token.text} if token is not None and token.text else {}


def headers(folder, **arguments):
    found = []
    for page in pages(folder, "ListIdentifiers", **PREFIX, **arguments):
        if page.tag == f"{OAI}error":
            return [page.get("code")]
        found += page.findall(f"{OAI}header")
    return found


def work_of(header):
    return header.findtext(f"{OAI}identifier").removeprefix("oai:papers.example.org:")


def test_identify_has_its_elements_in_the_order_of_the_schema(folder):
    found = answer(folder, "Identify")
    assert [e.tag.removeprefix(OAI) for e in found] == (
        "repositoryName baseURL protocolVersion adminEmail earliestDatestamp deletedRecord "
        "granularity description"
    ).split()
    assert found.findtext(f"{OAI}protocolVersion") == "2.0"
    assert re.fullmatch(r"\S+@(\S+\.)+\S+", found.findtext(f"{OAI}adminEmail"))
    dates = [h.findtext(f"{OAI}datestamp") for h in headers(folder)]
    assert found.findtext(f"{OAI}earliestDatestamp") == min(dates)


@pytest.mark.parametrize(("host", "contact", "email"), [
    ("a.example", "you@example.org", "you@example.org"),
    ("a.example", "https://example.org/me", "webmaster@a.example"),
    ("localhost", "", "webmaster@localhost.localdomain"),
])  # fmt: skip
def test_the_address_of_the_owner_is_one_that_the_schema_allows(folder, host, contact, email):
    found = Provider(Catalogue.open(folder), RecordHistory(folder / "portal.db"), BASE, host, str)
    assert found._email(contact) == email


def test_sets_are_the_topics(folder):
    specs = [e.findtext(f"{OAI}setSpec") for e in answer(folder, "ListSets")]
    assert specs == [topic.replace("/", ":") for topic in TREE]
    assert all(re.fullmatch(r"[\w.!~*'()-]+(:[\w.!~*'()-]+)*", spec) for spec in specs)


def test_all_works_with_a_document_are_listed_once_whatever_the_size_of_pages(folder, monkeypatch):
    wanted = {work_id(n) for n in range(60) if kind_of(n) != "cited"}
    for size in (7, 25, 50, 1000):
        monkeypatch.setattr(module, "IDENTIFIERS_PER_PAGE", size)
        found = headers(folder)
        assert len(found) == 50
        assert {work_of(each) for each in found} == wanted
        gone = {work_of(each) for each in found if each.get("status") == "deleted"}
        assert gone == {work_id(8), work_id(9)}


def test_records_have_dublin_core_in_the_allowed_elements(folder):
    allowed = (
        "title creator subject description publisher contributor date type format identifier "
        "source language relation coverage rights"
    ).split()
    records = [r for page in pages(folder, "ListRecords", **PREFIX) for r in page]
    for record in records:
        header = record.find(f"{OAI}header")
        if header.get("status") == "deleted":
            assert len(record) == 1
            continue
        [metadata] = record.find(f"{OAI}metadata")
        assert {e.tag.removeprefix(DC) for e in metadata} <= {*allowed}
        assert all(not len(e) and e.text for e in metadata)
        links = [e.text for e in metadata.findall(f"{DC}identifier")]
        assert links[0] == f"https://papers.example.org/spiders/work/{work_of(header)}"
    titles = {r.findtext(f".//{DC}title") for r in records}
    assert {title_of(n).strip() for n in range(34)} - {title_of(8), title_of(9)} <= titles


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from(["", *DAYS, "2026-03-08", "2026-03-10"]),
    st.sampled_from(["", *DAYS, "2026-02-01"]),
    st.sampled_from(["", *(topic.replace("/", ":") for topic in TREE), "machine", "a/b"]),
    st.booleans(),
)
def test_ranges_and_sets_select_what_they_say(folder, start, end, spec, seconds):
    times = [f"{day}T12:00:00Z" if day and seconds else day for day in (start, end)]
    arguments = dict(zip(("from", "until", "set"), (*times, spec), strict=True))
    found = headers(folder, **{name: value for name, value in arguments.items() if value})
    if start and end and start > end:
        assert found == ["badArgument"]
        return
    wanted = [
        work_of(each)
        for each in headers(folder)
        if start <= each.findtext(f"{OAI}datestamp")[:10] <= (end or "9")
        and any(
            f"{e.text}:".startswith(f"{spec}:" * bool(spec)) for e in each.iter(f"{OAI}setSpec")
        )
    ]
    assert (found if found == ["noRecordsMatch"] else [*map(work_of, found)]) == (
        wanted or ["noRecordsMatch"]
    )


def test_a_list_goes_on_after_a_build_and_misses_nothing(tmp_path, monkeypatch):
    folder = sample(tmp_path)
    update(folder, DAYS[0])
    monkeypatch.setattr(module, "RECORDS_PER_PAGE", 20)
    last = {}
    for number, page in enumerate(pages(folder, "ListRecords", **PREFIX)):
        for record in page.iter(f"{OAI}record"):
            last[work_of(record.find(f"{OAI}header"))] = record.findtext(f".//{DC}title")
        if number == 0:
            first, *_, removed = last
            execute(
                folder,
                ("UPDATE works SET title = 'Another title' WHERE id = ?", (first,)),
                ("DELETE FROM works WHERE id = ?", (removed,)),
            )
            update(folder, DAYS[1])
    works = {work.id: work.title for work in Catalogue.open(folder).iter_works("paper", "page")}
    assert last[first] == "Another title"
    assert last.pop(removed) is None
    assert last.keys() == works.keys()


def test_a_token_for_a_set_that_is_gone_is_refused(tmp_path, monkeypatch):
    folder = sample(tmp_path)
    monkeypatch.setattr(module, "IDENTIFIERS_PER_PAGE", 3)
    listing = pages(folder, "ListIdentifiers", **PREFIX, set="machine-learning")
    next(listing)
    execute(folder, ("DELETE FROM topics WHERE id LIKE 'machine%'",))
    assert next(listing).get("code") == "badResumptionToken"


def test_records_that_do_not_exist_are_refused(folder):
    for identifier in ("x", "oai:papers.example.org:", "oai:other.example:" + work_id(0),
                       f"oai:papers.example.org:{work_id(55)}"):  # fmt: skip
        for verb, more in (("GetRecord", PREFIX), ("ListMetadataFormats", {})):
            found = answer(folder, verb, identifier=identifier, **more)
            assert found.get("code") == "idDoesNotExist"
    mine = f"oai:papers.example.org:{work_id(0)}"
    assert len(answer(folder, "GetRecord", identifier=mine, **PREFIX)) == 1
    wrong = answer(folder, "GetRecord", identifier=mine, metadataPrefix="marc")
    assert wrong.get("code") == "cannotDisseminateFormat"


def test_a_portal_built_before_there_was_a_history_has_the_date_of_its_build(tmp_path):
    folder = sample(tmp_path)
    found = headers(folder)
    assert len(found) == 50
    assert {h.findtext(f"{OAI}datestamp") for h in found} == {"2026-01-02T03:04:05Z"}


def test_a_portal_without_topics_has_no_sets(tmp_path):
    folder = sample(tmp_path)
    execute(folder, ("DELETE FROM topics",), ("DELETE FROM placed",))
    assert answer(folder, "ListSets").get("code") == "noSetHierarchy"
    assert headers(folder, set="x") == ["noSetHierarchy"]
    assert len(headers(folder)) == 50


NAMES = ["verb", "from", "set", "identifier", "metadataPrefix", "resumptionToken"]


@given(st.lists(st.tuples(st.sampled_from(NAMES) | st.text(), st.text()), max_size=4))
def test_any_request_is_answered_in_xml(folder, given_):
    root = etree.fromstring(provider(folder).respond(given_).encode("utf-8", "replace"))
    assert len(root) == 3
