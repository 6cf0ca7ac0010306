"""OAI-PMH over HTTP, read by Sickle, a harvester."""

import pytest
from lxml import etree
from sickle import Sickle
from sickle.oaiexceptions import BadArgument

from lycosa.portal.build.database import Database
from lycosa.portal.build.history import update_history
from lycosa.portal.oai import provider
from portal.sample import TREE, title_of, work_id
from portal.web.portal_client import BASE, connect, copy_portal
from portal.web.served_portal import serving

GONE = work_id(0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = copy_portal(tmp_path_factory.mktemp("portal"))
    with Database.open(found) as database, database.replacing():
        update_history(database)
        database.delete("works", "id", [GONE])
        update_history(database)
    return found


def test_a_harvester_reads_everything(folder, monkeypatch):
    monkeypatch.setattr(provider, "RECORDS_PER_PAGE", 20)
    with serving(folder) as address:
        harvester = Sickle(f"{address}/oai")
        about = harvester.Identify()
        assert (about.repositoryName, about.deletedRecord) == ("Spider papers", "transient")
        assert [each.setSpec.replace(":", "/") for each in harvester.ListSets()] == [*TREE]
        assert [each.metadataPrefix for each in harvester.ListMetadataFormats()] == ["oai_dc"]
        records = {r.header.identifier: r for r in harvester.ListRecords(metadataPrefix="oai_dc")}
        assert records.keys() == {f"oai:127.0.0.1:{work_id(n)}" for n in range(50)}
        assert [name for name, r in records.items() if r.deleted] == [f"oai:127.0.0.1:{GONE}"]
        one = harvester.GetRecord(identifier=f"oai:127.0.0.1:{work_id(1)}", metadataPrefix="oai_dc")
        assert one.metadata["title"] == [title_of(1)]
        assert one.metadata["identifier"][0] == f"{address}/work/{work_id(1)}"
        some = harvester.ListIdentifiers(
            metadataPrefix="oai_dc", set="information-retrieval", **{"from": "2026-01-01"}
        )
        assert {each.identifier for each in some} < records.keys()
        with pytest.raises(BadArgument):
            harvester.ListRecords(metadataPrefix="oai_dc", until="tomorrow")


def test_post_is_answered_like_get(folder):
    query = {"verb": "ListIdentifiers", "metadataPrefix": "oai_dc"}
    with connect(folder) as client:
        answers = [client.get("/oai", params=query), client.post("/oai", query, origin="")]
        for each in answers:
            assert each.headers["content-type"] == "text/xml; charset=utf-8"
        got, posted = (etree.fromstring(each.content)[1:] for each in answers)
        assert [*map(etree.tostring, got)] == [*map(etree.tostring, posted)]
        assert got[0].text == f"{BASE}/oai"
        wrong = client.ask("POST", "/oai", content=b"verb=Identify")
        assert wrong.status_code == 400
