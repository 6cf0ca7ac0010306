import json
import os

import pytest

from lycosa.errors import StoreError
from lycosa.portal.search import Engine, Index, IndexEntry
from lycosa.portal.search.index import SIGNATURE, Outdated, has_current_layout
from lycosa.portal.search.vocabulary import FILE
from portal.search.sample_works import entries, index_of

AGAIN = "cannot be used .*: delete that folder and build again"


def test_an_empty_folder_and_none_are_both_fine(tmp_path):
    assert len(Index.open(tmp_path / "not" / "there")) == 0
    (tmp_path / "empty").mkdir()
    assert len(Index.open(tmp_path / "empty")) == 0
    assert Engine.open(tmp_path / "empty").search("a").total == 0


def test_a_folder_of_other_things_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(StoreError, match=r"cannot be used \(the folder holds other files\)"):
        Index.open(tmp_path)
    assert os.listdir(tmp_path) == ["thesis.tex"]


def test_a_file_in_the_place_of_the_folder(tmp_path):
    (tmp_path / "index").write_text("mine")
    with pytest.raises(StoreError, match=AGAIN):
        Index.open(tmp_path / "index")


@pytest.mark.parametrize("text", ["", "{}", "nonsense", '{"segments": 3}', "\0" * 100])
def test_damaged_facts_about_the_index(tmp_path, text):
    index_of(tmp_path, entries(3))
    (tmp_path / "meta.json").write_text(text)
    for opened in (Index.open, Engine.open):
        with pytest.raises(StoreError, match=AGAIN):
            opened(tmp_path)


def test_an_index_of_another_version(tmp_path):
    index_of(tmp_path, entries(3))
    facts = json.loads((tmp_path / "meta.json").read_text())
    facts["schema"] = [field for field in facts["schema"] if field["name"] != "prior"]
    (tmp_path / "meta.json").write_text(json.dumps(facts))
    for opened in (Index.open, Engine.open):
        with pytest.raises(Outdated, match="another version of Lycosa: build the portal again"):
            opened(tmp_path)


def test_a_signature_is_that_of_the_code_and_goes_with_the_entries(tmp_path):
    index_of(tmp_path, entries(3))
    assert not has_current_layout(tmp_path), "nobody has said so"
    index = Index.open(tmp_path)
    index.sign()
    assert has_current_layout(tmp_path)
    index.clear()
    assert not has_current_layout(tmp_path)
    for other in (b"", b"another", b"\xff\xfe"):
        (tmp_path / SIGNATURE).write_bytes(other)
        assert not has_current_layout(tmp_path)


def test_what_is_cleared_is_there_until_the_commit_and_then_no_more(tmp_path):
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


def test_damaged_files_are_an_error_in_words_or_do_no_harm(tmp_path):
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


def test_files_that_are_gone(tmp_path):
    index_of(tmp_path, entries(20))
    for path in tmp_path.glob("*.idx"):
        path.unlink()
    with pytest.raises(StoreError, match=AGAIN):
        Engine.open(tmp_path).search("robot")


def test_without_its_words_an_index_still_answers(tmp_path):
    index_of(tmp_path, [IndexEntry("w1", "paper", "Spiders and flies")])
    for damaged in (None, b"", b"nonsense", b"\x93NUMPY\x01\x00"):
        (tmp_path / FILE).unlink() if damaged is None else (tmp_path / FILE).write_bytes(damaged)
        engine = Engine.open(tmp_path)
        assert engine.search("spid*").total == 1
        assert engine.search("spidres").suggestion == ""
        assert engine.complete("sp") == ["Spiders and flies"]


def test_odd_entries(tmp_path):
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


def test_what_was_changed_is_committed_once(tmp_path):
    index = Index.open(tmp_path)
    index.commit()
    index.update(iter(entries(10)), removed=iter(["nobody"]))
    index.update([], removed=["w3", "w4"])
    index.commit()
    assert len(index) == 8


def test_a_failure_halfway_changes_nothing_and_is_the_callers(tmp_path):
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
