import io
import json
import re

import pytest

from lycosa.portal import exports
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.exports import DOWNLOADS, bib, jsonl, parquet
from portal.sample import sample, work_id


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory):
    return Catalogue.open(sample(tmp_path_factory.mktemp("portal")))


def rows(catalogue, *kinds):
    return [json.loads(line) for line in b"".join(jsonl(catalogue, kinds)).splitlines()]


def test_json_lines_have_one_work_a_line_with_its_references(catalogue):
    found = rows(catalogue)
    assert [row["id"] for row in found] == [work.id for work in catalogue.iter_works()]
    for row in found:
        cited = [one.work.id for one in catalogue.cites(row["id"])]
        assert (row["references"], row["cites"]) == (sorted(cited), len(cited))
    assert {row["kind"] for row in rows(catalogue, "page", "cited")} == {"page", "cited"}


def test_parquet_rows_equal_json_lines(catalogue, monkeypatch):
    table = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(exports, "ROWS_PER_GROUP", 7)
    pieces = list(parquet(catalogue))
    assert len(pieces) == -(-60 // 7) + 1
    found = table.read_table(io.BytesIO(b"".join(pieces)))
    assert found.to_pylist() == rows(catalogue)
    assert found.column_names == list(rows(catalogue)[0])


def test_bibtex_has_one_entry_a_work_with_unique_keys(catalogue):
    text = b"".join(bib(catalogue)).decode()
    keys = re.findall(r"^@\w+\{(\S+),$", text, re.MULTILINE)
    assert [key.rpartition("-")[2] for key in keys] == [work.id for work in catalogue.iter_works()]
    assert text.count("{") == text.count("}")


@pytest.mark.parametrize("ending", DOWNLOADS)
def test_an_export_streams(catalogue, monkeypatch, ending):
    """The first piece is returned before the last work is read."""
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    read = []
    real = Catalogue.list_works
    monkeypatch.setattr(exports, "WORKS_PER_PIECE", 5)
    monkeypatch.setattr(exports, "ROWS_PER_GROUP", 5)
    monkeypatch.setattr("lycosa.portal.catalogue.WORKS_PER_QUERY", 5)

    def list_works(self, *kinds, **options):
        read.append(found := real(self, *kinds, **options))
        return found

    monkeypatch.setattr(Catalogue, "list_works", list_works)
    pieces = DOWNLOADS[ending](catalogue, ())
    next(pieces)
    assert len(read) <= 2
    pieces.close()


def test_an_empty_portal_has_empty_exports(tmp_path):
    import sqlite3

    sample(tmp_path)
    with sqlite3.connect(tmp_path / "portal.db") as database:
        database.execute("DELETE FROM works")
    database.close()
    empty = Catalogue.open(tmp_path)
    assert b"".join(jsonl(empty)) == b"".join(bib(empty)) == b""
    table = pytest.importorskip("pyarrow.parquet")
    assert table.read_table(io.BytesIO(b"".join(parquet(empty)))).num_rows == 0


def test_topics_are_exported_with_id_name_and_confidence(catalogue):
    row = next(row for row in rows(catalogue) if row["id"] == work_id(5))
    assert row["topics"][0] == {
        "id": "information-retrieval/crawling",
        "name": "Crawling",
        "sure": 0.9,
    }
