"""Model files: the first bytes give the method; other files are refused."""

import pickle
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.papers.extraction import model_files
from lycosa.papers.extraction.crf_labeller import CrfLabeller, CrfTraining, train_crf_labeller
from lycosa.papers.extraction.extractor import Extractor
from lycosa.papers.extraction.header_hmm import train_header_hmm
from lycosa.papers.extraction.model_files import load_labeller
from lycosa.papers.extraction.reference_hmm import train_reference_hmm
from lycosa.papers.synthetic import generate_headers, generate_references

REFERENCES = generate_references(60, seed=3)
SHEETS = generate_headers(8, seed=3)
HEADERS = [sheet.tokens for sheet in SHEETS]
QUICK = CrfTraining(iterations=10)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    made = {
        "headers.crf": CrfLabeller.from_bytes(
            train_crf_labeller("headers", HEADERS[:3], training=QUICK)
        ),
        "references.crf": CrfLabeller.from_bytes(
            train_crf_labeller("references", REFERENCES[:10], training=QUICK)
        ),
        "headers.hmm": train_header_hmm(HEADERS, data="made-up"),
        "references.hmm": train_reference_hmm(REFERENCES),
    }
    for name, labeller in made.items():
        labeller.save(folder / name)
    return {folder / name: labeller for name, labeller in made.items()}


def test_a_loaded_labeller_equals_the_saved_one(files):
    for path, labeller in files.items():
        again = load_labeller(path)
        assert again.kind == labeller.kind == path.stem
        assert again.metadata == labeller.metadata
        for item in (HEADERS if again.kind == "headers" else REFERENCES)[:3]:
            assert again.tag(item, ()) == labeller.tag(item, ())


def test_the_method_does_not_depend_on_the_file_name(files, tmp_path):
    for path in files:
        (tmp_path / "model").write_bytes(path.read_bytes())
        assert load_labeller(tmp_path / "model").kind == path.stem


def test_an_extractor_can_use_a_hidden_markov_model(files):
    kept = {path.name: load_labeller(path) for path in files}
    extractor = Extractor(kept["headers.hmm"], kept["references.hmm"])
    reference = extractor.reference("J. Smith. On the learning of models. Computing, 1999.")
    assert reference.year == 1999
    assert "Smith" in reference.text("author")
    assert 0.0 < reference.confidence("date") <= 1.0
    header = extractor.header(SHEETS[0].lines)
    true = [token.text for token in SHEETS[0].tokens if token.label == "title"]
    assert " ".join(field.text for field in header.fields["title"]).split() == true
    assert list(extractor.reference("")) == []


class _Trap:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def test_other_files_are_refused_and_never_executed(tmp_path):
    sprung, path = tmp_path / "sprung", tmp_path / "model"
    for body in (
        pickle.dumps(_Trap(sprung)),
        b"lycosa hmm " + pickle.dumps(_Trap(sprung)),
        b"lycosa crf " + pickle.dumps(_Trap(sprung)),
        b"",
        b"lycosa",
        b"lycosa hmm ",
        b"lycosa hmm labeller 1 00\n{}\n",
        b"lCRF",
        b"\xff" * 100,
        b"<NEWREFERENCE> <title> Spiders </title>",
    ):
        path.write_bytes(body)
        with pytest.raises(UsageError, match=r"model .*(train|make)|not a model|train it again"):
            load_labeller(path)
    assert not sprung.exists()


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_damaged_files_are_refused_in_one_sentence(files, tmp_path, data):
    body = bytearray(data.draw(st.sampled_from(sorted(files))).read_bytes())
    at = data.draw(st.integers(0, len(body) - 2))
    if data.draw(st.booleans()):
        body[at] ^= data.draw(st.integers(1, 255))
    else:
        del body[at:]
    path = tmp_path / "damaged"
    path.write_bytes(body)
    with pytest.raises(UsageError) as refused:
        load_labeller(path)
    sentence = str(refused.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")


def test_unreadable_and_too_large_files_are_refused(tmp_path, monkeypatch, files):
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(UsageError, match="check the path"):
            load_labeller(path)
    monkeypatch.setattr(model_files, "MAX_MODEL_BYTES", 10)
    with pytest.raises(UsageError, match="larger than any model"):
        load_labeller(next(iter(files)))
