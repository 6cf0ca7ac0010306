"""Model file of topics: round trips, and refused files."""

import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.learn.model_zip import zip_members
from lycosa.topics.classifier import Classifier
from lycosa.topics.model_file import load_model, save_model
from topics.generated import TREE, documents

CORPUS, _ = documents(150, seed=6, links=1.0)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "topics.model"
    save_model(path, Classifier().fit(TREE, CORPUS))
    return path


def altered(path, name, change):
    """Return the file with one member changed and a valid checksum."""
    with zipfile.ZipFile(path) as archive:
        members = {each: archive.read(each) for each in archive.namelist()}
    members[name] = change(members[name])
    return zip_members(members)


@pytest.mark.parametrize("shrinkage", [True, False])
@pytest.mark.parametrize("citations", [True, False])
def test_loaded_model_places_documents_as_before(tmp_path, shrinkage, citations):
    model = Classifier(shrinkage=shrinkage, citations=citations).fit(TREE, CORPUS)
    save_model(tmp_path / "m", model)
    same = load_model(tmp_path / "m")
    assert same.hierarchy == model.hierarchy
    assert list(same.words) == list(model.words)
    assert (same.settings, same.history) == (model.settings, model.history)
    np.testing.assert_array_equal(same.place(CORPUS).shares, model.place(CORPUS).shares)
    np.testing.assert_allclose(same.documents.every, model.documents.every, atol=1e-4)
    assert list(same.documents.titles) == list(model.documents.titles)


def test_the_same_model_is_the_same_bytes(path, tmp_path):
    save_model(tmp_path / "again", load_model(path))
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_detects_a_damaged_file(path, tmp_path_factory, data):
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    cut = data.draw(st.booleans())
    broken = (
        whole[:place] if cut else whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
    )
    file = tmp_path_factory.mktemp("broken") / "m"
    file.write_bytes(broken)
    with pytest.raises(UsageError):
        load_model(file)


def about(**changes):
    return lambda data: json.dumps({**json.loads(data), **changes}).encode()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("about.json", about(format="something else")),
        ("about.json", about(prior=[1.0])),
        ("about.json", about(prior=[0.0] * 7)),
        ("about.json", about(prior=[float("nan")] * 7)),
        ("about.json", about(settings={"discount": 0, "trust": 1, "weight": 1})),
        ("about.json", about(settings={"unknown": 1})),
        ("about.json", about(documents=10**12)),
        ("about.json", about(documents=149)),
        ("about.json", about(calibration=[-1, 1, [0] * 5])),
        ("about.json", about(membership=[0, 0, 0, 1, 1, 1])),
        ("about.json", about(membership=[0, 0])),
        ("about.json", lambda _: b"[]"),
        ("evidence.npy", lambda data: data[:-4]),
        ("evidence.npy", lambda data: data[:-4] + np.array([np.nan], "<f4").tobytes()),
        ("topics.txt", lambda _: b"\tno\n tree"),
        ("topics.txt", lambda _: b"Other: tree"),
        ("words.txt", lambda data: data + b"more\n"),
        ("names.txt", lambda data: data[:-1]),
        ("sums.npy", lambda data: data[:-4]),
        ("mixture.npy", lambda data: data[:-8] + np.array([-1.0]).tobytes()),
        ("columns.npy", lambda data: data[:-4] + np.array([99], "<i4").tobytes()),
        ("offsets.npy", lambda data: data[:-8] + np.array([-5], "<i8").tobytes()),
        ("shares.npy", lambda data: data[:-4] + np.array([np.inf], "<f4").tobytes()),
    ],
)
def test_refuses_a_malformed_file(path, tmp_path, name, change):
    (tmp_path / "m").write_bytes(altered(path, name, change))
    with pytest.raises(UsageError, match="cannot be used as a topic model"):
        load_model(tmp_path / "m")


def test_model_of_an_older_version_places_every_document(path, tmp_path):
    def without(data):
        kept = {k: v for k, v in json.loads(data).items() if k != "membership"}
        return json.dumps({**kept, "outside": True}).encode()

    (tmp_path / "old").write_bytes(altered(path, "about.json", without))
    old = load_model(tmp_path / "old")
    assert old.membership is None
    assert (old.place(CORPUS).leaves() >= 0).all()


def test_distinguishes_newer_and_foreign_files(path, tmp_path):
    (tmp_path / "new").write_bytes(altered(path, "about.json", about(version=99)))
    with pytest.raises(UsageError, match="newer"):
        load_model(tmp_path / "new")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(UsageError, match="not a topic model"):
        load_model(tmp_path / "text")
    with pytest.raises(UsageError, match="There is no file"):
        load_model(tmp_path / "none")


def test_refuses_a_zip_bomb(path, tmp_path, monkeypatch):
    monkeypatch.setattr("lycosa.topics.model_file.MAX_BYTES", len(path.read_bytes()) + 10)
    with pytest.raises(UsageError, match="exceeds the limit"):
        load_model(path)
    assert zipfile.is_zipfile(io.BytesIO(path.read_bytes()))
