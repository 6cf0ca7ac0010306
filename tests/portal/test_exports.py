import csv
import io
import json
import re
import sqlite3

import pytest

from lycosa.portal import exports
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.exports import DOWNLOADS, bib, comma_separated, jsonl, parquet
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


def test_csv_rows_equal_json_lines(catalogue):
    text = b"".join(comma_separated(catalogue)).decode()
    found = list(csv.DictReader(io.StringIO(text, newline="")))
    for row, record in zip(found, rows(catalogue), strict=True):
        assert list(row) == list(record)
        assert row["id"] == record["id"]
        assert row["authors"] == "; ".join(each["name"] for each in record["authors"])
        assert row["references"].split("; ") == (record["references"] or [""])
        assert row["year"] == str(record["year"] or "")
        assert float(row["rank"]) == record["rank"]
        assert row["title"].split() == record["title"].split()


def test_csv_holds_any_text_in_cells_that_no_spreadsheet_runs(tmp_path):
    folder = sample(tmp_path)
    texts = ['=HYPERLINK("http://a")', " +1", "-1", "@x", 'a "quoted", text\r\nof\0 two lines']
    database = sqlite3.connect(folder / "portal.db")
    with database:
        ids = [row[0] for row in database.execute("SELECT id FROM works ORDER BY id")]
        for work, text in zip(ids, texts, strict=False):
            database.execute("UPDATE works SET title = ? WHERE id = ?", (text, work))
    database.close()
    found = b"".join(comma_separated(Catalogue.open(folder))).decode()
    titles = [row["title"] for row in csv.DictReader(io.StringIO(found, newline=""))]
    assert titles[:4] == ['\'=HYPERLINK("http://a")', "'+1", "'-1", "'@x"]
    assert titles[4] == 'a "quoted", text of two lines'
    assert found.count("\n") == found.count("\r\n") == len(titles) + 1


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
