"""The index of a build with the vectors of a sentence encoder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from tests.portal.build.crawls import Answer, answers, crawl
from tests.portal.search import word_model

from lycosa.portal.build import BuildProgress, build_portal, indexing
from lycosa.portal.search import Engine, encoders
from lycosa.portal.search.encoders import LATENT
from lycosa.portal.search.meaning import Meaning, encoder_name
from lycosa.portal.search.sentence_encoder import MODEL, WorkEncoder
from lycosa.project import Project


class Encoder:
    """Encodes texts by the model of tests; fails when it should."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.fails = False

    def __call__(self, texts: Sequence[str]) -> word_model.Rows:
        if self.fails:
            raise KeyboardInterrupt
        self.seen += texts
        return word_model.encode_texts(texts)


class Stages(BuildProgress):
    def __init__(self) -> None:
        self.seen: dict[str, int | None] = {}

    def begin(self, stage: str, total: int | None = None) -> None:
        self.seen[stage] = total


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> Encoder:
    """Build as if the extra were installed, with another model."""
    encoder = Encoder()
    monkeypatch.setattr(indexing, "is_installed", lambda: True)
    monkeypatch.setattr(indexing, "WorkEncoder", partial(WorkEncoder, encode=encoder))
    monkeypatch.setattr(encoders, "load_model", lambda: None)
    monkeypatch.setattr(encoders, "encode_query", word_model.encode_query)
    return encoder


def test_a_build_encodes_new_works_once(tmp_path: Path, encoder: Encoder) -> None:
    folder, stages = tmp_path / "portal", Stages()
    summary = build_portal(crawl(folder, answers(8)), progress=stages)
    assert encoder_name(folder / "index") == MODEL
    assert len(Meaning.load(folder / "index").table) == summary.added
    assert stages.seen["encoding works"] == len(encoder.seen) > 0
    encoder.seen.clear()
    assert build_portal(Project.load(folder)).nothing_new
    page = Answer("http://new.example.org/", b"<title>New</title><p>Something new.", "text/html")
    crawl(folder, [page])
    build_portal(Project.load(folder))
    assert len(encoder.seen) == 1
    assert "Something new" in encoder.seen[0]


def test_a_build_that_was_stopped_while_encoding_is_continued(
    tmp_path: Path, encoder: Encoder
) -> None:
    folder = tmp_path / "portal"
    encoder.fails = True
    with pytest.raises(KeyboardInterrupt):
        build_portal(crawl(folder, answers(8)))
    assert Engine.open(folder / "index").search("spiders that learn").total > 0, "by words"
    encoder.fails = False
    build_portal(Project.load(folder))
    assert encoder_name(folder / "index") == MODEL
    assert build_portal(Project.load(folder)).nothing_new


def test_installing_the_extra_later_encodes_all_works_and_removing_it_none(
    tmp_path: Path, encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "portal"
    monkeypatch.setattr(indexing, "is_installed", lambda: False)
    summary = build_portal(crawl(folder, answers(8)))
    assert encoder_name(folder / "index") == LATENT
    monkeypatch.setattr(indexing, "is_installed", lambda: True)
    build_portal(Project.load(folder))
    assert encoder_name(folder / "index") == MODEL
    assert len(Meaning.load(folder / "index").table) == summary.added
    assert len(encoder.seen) > 0
    encoder.seen.clear()
    monkeypatch.setattr(indexing, "is_installed", lambda: False)
    build_portal(Project.load(folder))
    assert encoder_name(folder / "index") == LATENT
    assert encoder.seen == []


def test_a_new_layout_does_not_encode_again(tmp_path: Path, encoder: Encoder) -> None:
    folder = tmp_path / "portal"
    build_portal(crawl(folder, answers(8)))
    encoder.seen.clear()
    (folder / "index" / "layout").write_text("another")
    assert build_portal(Project.load(folder)).added > 0
    assert encoder.seen == []
    assert encoder_name(folder / "index") == MODEL
