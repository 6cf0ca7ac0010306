import json
import os

import pytest
import tantivy

from lycosa.errors import StoreError
from lycosa.portal.search import Engine, Index, IndexEntry
from lycosa.portal.search.index import (
    SIGNATURE,
    Outdated,
    has_current_layout,
    open_for_reading,
)
from lycosa.portal.search.meaning import Meaning
from lycosa.portal.search.readable_folder import ReadableFolder
from lycosa.portal.search.vocabulary import FILE
from portal.search.sample_works import entries, index_of

AGAIN = "cannot be used .*: delete that folder and build again"


def test_opens_an_empty_and_a_missing_folder(tmp_path):
    assert len(Index.open(tmp_path / "not" / "there")) == 0
    (tmp_path / "empty").mkdir()
    assert len(Index.open(tmp_path / "empty")) == 0
    assert Engine.open(tmp_path / "empty").search("a").total == 0


def test_refuses_a_folder_with_other_files(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(StoreError, match=r"cannot be used \(the folder holds other files\)"):
        Index.open(tmp_path)
    assert os.listdir(tmp_path) == ["thesis.tex"]


def test_refuses_a_file_instead_of_a_folder(tmp_path):
    (tmp_path / "index").write_text("mine")
    with pytest.raises(StoreError, match=AGAIN):
        Index.open(tmp_path / "index")


@pytest.mark.parametrize("text", ["", "{}", "nonsense", '{"segments": 3}', "\0" * 100])
def test_explains_a_damaged_meta_file(tmp_path, text):
    index_of(tmp_path, entries(3))
    (tmp_path / "meta.json").write_text(text)
    for opened in (Index.open, Engine.open):
        with pytest.raises(StoreError, match=AGAIN):
            opened(tmp_path)


def test_an_index_with_other_fields_is_outdated(tmp_path):
    index_of(tmp_path, entries(3))
    facts = json.loads((tmp_path / "meta.json").read_text())
    facts["schema"] = [field for field in facts["schema"] if field["name"] != "prior"]
    (tmp_path / "meta.json").write_text(json.dumps(facts))
    for opened in (Index.open, Engine.open):
        with pytest.raises(Outdated, match="another version of Lycosa: build the portal again"):
            opened(tmp_path)


def test_the_signature_is_removed_with_the_entries(tmp_path):
    index_of(tmp_path, entries(3))
    assert not has_current_layout(tmp_path), "it is not signed yet"
    index = Index.open(tmp_path)
    index.sign()
    assert has_current_layout(tmp_path)
    index.clear()
    assert not has_current_layout(tmp_path)
    for other in (b"", b"another", b"\xff\xfe"):
        (tmp_path / SIGNATURE).write_bytes(other)
        assert not has_current_layout(tmp_path)


def test_an_index_of_an_earlier_layout_is_not_current(tmp_path, monkeypatch):
    Index.open(tmp_path).sign()
    assert has_current_layout(tmp_path)
    monkeypatch.setattr("lycosa.portal.search.layout.LAYOUT_VERSION", 0)
    assert not has_current_layout(tmp_path)
    for earlier in ("bc83bf70c5c498f5ba81ed4c3be06b94", "1-b5977b82735f94a82e434876"):
        (tmp_path / SIGNATURE).write_text(earlier)
        assert not has_current_layout(tmp_path)


def test_cleared_entries_stay_until_the_commit(tmp_path):
    engine = index_of(tmp_path, entries(5))
    index = Index.open(tmp_path)
    index.clear()
    index.update(
        [IndexEntry("new", "paper", "Tarantula"), IndexEntry("new", "paper", "Tarantulas")]
    )
    assert len(engine) == 5
    index.commit()
    assert len(index) == 1, "the second is in the place of the first"
    assert Engine.open(tmp_path).search("tarantulas").hits[0].title == (("Tarantulas", True),)


def test_explains_damaged_files(tmp_path):
    index_of(tmp_path, entries(20))
    files = [
        p for p in tmp_path.iterdir() if p.suffix in (".idx", ".term", ".pos", ".fast", ".store")
    ]
    assert len(files) >= 5
    for path in files:
        whole = path.read_bytes()
        for damaged in (b"", whole[: len(whole) // 2], bytes(len(whole))):
            path.write_bytes(damaged)
            try:
                Engine.open(tmp_path).search("robot learning", sort="cited")
                Engine.open(tmp_path).search('"robot" OR web')
            except StoreError as error:
                assert "delete that folder and build again." in str(error)  # noqa: PT017
        path.write_bytes(whole)
    assert Engine.open(tmp_path).search("robot").total > 0


def test_explains_missing_files(tmp_path):
    index_of(tmp_path, entries(20))
    for path in tmp_path.glob("*.idx"):
        path.unlink()
    with pytest.raises(StoreError, match=AGAIN):
        Engine.open(tmp_path).search("robot")


def test_searches_without_the_vocabulary(tmp_path):
    index_of(tmp_path, [IndexEntry("w1", "paper", "Spiders and flies")])
    for damaged in (None, b"", b"nonsense", b"\x93NUMPY\x01\x00"):
        (tmp_path / FILE).unlink() if damaged is None else (tmp_path / FILE).write_bytes(damaged)
        engine = Engine.open(tmp_path)
        assert engine.search("spid*").total == 1
        assert engine.search("spidres").suggestion == ""
        assert engine.complete("sp") == ["Spiders and flies"]


def test_indexes_unusual_entries(tmp_path):
    odd = [
        IndexEntry("w1", "paper", "", year=-5, date="soon", cited_by=-3),
        IndexEntry("w2", "", "x" * 100_000, ("",) * 3, ("",), 10**12, "99999-99-99", "v" * 70_000),
        IndexEntry(
            "w3", "page", "<script>\0 “x”", ("a\0b",), ("a-b", "c-d"), text="word " * 100_000
        ),
        IndexEntry(
            "w4",
            "page",
            "\ud800 lone",
            ("\ud800",),
            ("\ud801",),
            topics=("", "a/\ud800"),
            cites=("\udfff", "w 1"),
            venue="\ud800",
            cited_by=2**70,
            language="\ud800",
        ),
        IndexEntry("w5", "page", "re\u0301sume\u0301"),
        IndexEntry("", "page", "nameless", site="\n"),
    ]
    engine = index_of(tmp_path, odd)
    assert len(engine) == len(odd)
    for sort in ("relevance", "cited", "date"):
        assert len(engine.search("", sort=sort).hits) == len(odd)
    assert engine.search("resume").hits[0].title == (("résumé", True),)
    assert engine.search("lone").hits[0].title == (("? ", False), ("lone", True))
    assert engine.search("script x").hits[0].id == "w3"
    assert [hit.id for hit in engine.search('cites:"w 1"').hits] == ["w4"]


def test_commits_additions_and_removals_together(tmp_path):
    index = Index.open(tmp_path)
    index.commit()
    index.update(iter(entries(10)), removed=iter(["unknown"]))
    index.update([], removed=["w3", "w4"])
    index.commit()
    assert len(index) == 8


def test_a_failure_of_the_caller_discards_the_update(tmp_path):
    index_of(tmp_path, entries(3))
    index = Index.open(tmp_path)

    def broken():
        yield IndexEntry("new", "paper", "Tarantula")
        raise ValueError("of the caller")

    with pytest.raises(ValueError, match="of the caller"):
        index.update(broken(), removed=["w1"])
    other = Index.open(tmp_path)
    other.update([IndexEntry("other", "paper", "Wolf")])
    other.commit()
    index.commit()
    assert len(index) == 4
    assert Engine.open(tmp_path).search("tarantula").total == 0


def test_entries_that_other_processes_analyse_are_the_same(tmp_path):
    works = entries(230)  # enough for vectors
    searchers = []
    for jobs in (1, 2):
        index = Index.open(tmp_path / str(jobs))
        index.update(works, jobs=jobs)
        index.commit()
        searchers.append(open_for_reading(ReadableFolder(tmp_path / str(jobs))).searcher())
    for field in ("by_cited", "number"):
        one, two = (
            each.search(tantivy.Query.all_query(), len(works), order_by_field=field).hits
            for each in searchers
        )
        stored = [
            [repr(sorted(searcher.doc(place).to_dict().items())) for _, place in hits]
            for searcher, hits in zip(searchers, (one, two), strict=True)
        ]
        assert len(one) == len(works)
        assert stored[0] == stored[1]
    words = [dict(each.terms_with_prefix("any_stems", "")) for each in searchers]
    assert words[0] == words[1]
    assert Meaning.load(tmp_path / "1").table.rows.tolist() == (
        Meaning.load(tmp_path / "2").table.rows.tolist()
    )
