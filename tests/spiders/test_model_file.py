"""Model files: saving and loading is lossless, and bad files are refused."""

import contextlib
import hashlib
import io
import json
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lycosa
from lycosa.errors import LycosaError, UsageError
from lycosa.learn.hashed_model import HashedModel, WeightedWord
from lycosa.learn.linear_model import LinearModel
from lycosa.learn.neighbourhoods import Channel, Neighbourhood
from lycosa.learn.vocabularies import Vocabulary
from lycosa.spiders import Setup, spider
from lycosa.spiders.default.features import COLUMNS
from lycosa.spiders.model_file import MAX_BYTES, load_spider, save_spider

SITES = ("one", "two")
TELLING = (WeightedWord("pdf", "url", 1.5), WeightedWord("\ud800 \n", "near", -0.5))


@pytest.fixture(scope="module")
def world():
    return lycosa.World(seed=5, departments=3, pages=100)


def trained(world, name):
    made = spider(name)
    return made, made.train([world.department(1), world.department(2)], "papers")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Write a small file, to be damaged."""
    path = tmp_path_factory.mktemp("small") / "small.lyc"
    save_spider(path, spider("rl(nb, near)"), "papers", [model(["a", "b"])], sites=SITES)
    return path


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """Write a default spider with hardly any training, to be damaged."""
    path = tmp_path_factory.mktemp("house") / "house.lyc"
    save_spider(path, spider("house"), "papers", [hashed()], sites=SITES)
    return path


def hashed(seed=0, bias=-0.5, trust=0.1 + 0.2, faith=1.0, base=-1.0, telling=TELLING):
    return HashedModel(
        np.random.default_rng(seed).normal(size=COLUMNS), bias, trust, faith, base, telling
    )


def model(*vocabularies, bins=2, bags=("anchor", "url", "path")):
    channels = tuple(Channel(bag, (bag,)) for bag in bags[: len(vocabularies)])
    rng = np.random.default_rng(0)
    return LinearModel(
        Neighbourhood("mine", channels),
        tuple(Vocabulary(words) for words in vocabularies),
        tuple(rng.normal(size=(len(words), bins)) for words in vocabularies),
        rng.normal(size=bins),
        rng.random(bins),
        root=True,
        slope=0.1 + 0.2,
    )


@pytest.mark.parametrize(
    "name",
    [
        "rl(nb, related, future, bins=4)",
        "rl(svm, placed, future)",
        "immediate-and-future(nb, full-page)",
        "change-policy(rl(nb, near), rl-immediate, at=0.2)",
        "house",
        "wary(house)",
        "change-policy(house, rl(nb, near), at=0.2)",
    ],
)
def test_a_loaded_spider_scores_to_the_last_digit(world, tmp_path, name):
    made, models = trained(world, name)
    path = tmp_path / "spider.lyc"
    save_spider(path, made, "papers", models, sites=SITES, seed=7)
    back = load_spider(path)
    assert (back.name, back.goal, back.sites, back.seed) == (made.name, "papers", SITES, 7)
    assert list(map(type, back.models)) == list(map(type, models))
    site = world.department(0)
    setup = Setup(site, "papers")
    policies = [
        made.make(setup, models),
        back.spider.make(setup, back.models),
        spider(str(path))(setup),
    ]
    lycosa.check_policy(policies[1], site, 60)
    for policy in policies:
        policy.start(lycosa.Budget(pages=100))
    for number in range(60):
        page = site.page(number)
        for policy in policies:
            policy.observe(lycosa.Step(number + 1, page, float(number % 9 == 1)))
        if len(page.targets):
            before, *after = (policy.score(page) for policy in policies)
            assert all(np.array_equal(before, scores) for scores in after)


@pytest.mark.parametrize("name", ["rl(nb, related)", "house"])
def test_the_same_model_is_the_same_bytes(world, tmp_path, name):
    made, models = trained(world, name)
    for file in ("a.lyc", "b.lyc"):
        save_spider(tmp_path / file, made, "papers", models, sites=SITES)
    assert (tmp_path / "a.lyc").read_bytes() == (tmp_path / "b.lyc").read_bytes()
    back = load_spider(tmp_path / "a.lyc")
    save_spider(
        tmp_path / "b.lyc", back.spider, back.goal, back.models, sites=back.sites, seed=back.seed
    )
    assert (tmp_path / "a.lyc").read_bytes() == (tmp_path / "b.lyc").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.lyc", "b.lyc"]


def test_other_tools_can_read_the_file(small):
    with zipfile.ZipFile(small) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [
            "about.json",
            "model-0/channel-0.words.txt",
            "model-0/channel-0.weights.npy",
        ]
        about = json.loads(archive.read("about.json"))
        assert (about["format"], about["version"]) == ("lycosa spider", 1)
        assert archive.read("model-0/channel-0.words.txt") == b"a\nb\n"
        weights = np.load(io.BytesIO(archive.read("model-0/channel-0.weights.npy")))
        assert np.array_equal(weights, model(["a", "b"]).weights[0])


words = st.lists(st.text(max_size=8), unique=True, max_size=12)


@settings(max_examples=60, deadline=None)
@given(words, words, st.integers(2, 5))
def test_vocabularies_survive_saving(tmp_path_factory, first, second, bins):
    path = tmp_path_factory.mktemp("words") / "x.lyc"
    given = model(first, second, ["\\n", "a\nb", "\\", "\\\n", "\ud800"], bins=bins)
    save_spider(path, spider("rl(nb)"), "papers", [given], sites=SITES)
    (back,) = load_spider(path).models
    assert back.neighbourhood == given.neighbourhood
    assert (back.root, back.slope) == (given.root, given.slope)
    assert [list(v.words) for v in back.vocabularies] == [list(v.words) for v in given.vocabularies]
    assert all(np.array_equal(a, b) for a, b in zip(back.weights, given.weights, strict=True))
    assert np.array_equal(back.bias, given.bias)


sizes = st.floats(-1e6, 1e6)


@settings(max_examples=40, deadline=None)
@given(
    sizes,
    st.floats(0, 1e6),
    st.floats(0, 1e6),
    sizes,
    st.lists(st.builds(WeightedWord, st.text(), st.text(), sizes), max_size=5),
)
def test_hashed_models_survive_saving(tmp_path_factory, bias, trust, faith, base, telling):
    path = tmp_path_factory.mktemp("hashed") / "x.lyc"
    given = hashed(3, bias, trust, faith, base, tuple(telling))
    save_spider(path, spider("house"), "papers", [given], sites=SITES)
    (back,) = load_spider(path).models
    assert np.array_equal(back.weights, given.weights)
    assert back.weights.dtype == np.float64
    assert (back.bias, back.trust, back.faith, back.base) == (bias, trust, faith, base)
    assert back.telling == given.telling


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_detects_every_damage(small, tmp_path_factory, data):
    whole = small.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    if data.draw(st.booleans()):
        harmed = whole[:place]
    else:
        flip = data.draw(st.integers(1, 255))
        harmed = whole[:place] + bytes([whole[place] ^ flip]) + whole[place + 1 :]
    check_refused(tmp_path_factory.mktemp("damage") / "x.lyc", harmed)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_forged_checksums_do_not_help(small, tmp_path_factory, data):
    """A file forged with a right checksum is refused, or differs in its numbers only."""
    whole = bytearray(small.read_bytes()[:-71])
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("forged") / "x.lyc"
    path.write_bytes(signed(bytes(whole)))
    with contextlib.suppress(LycosaError):
        load_spider(path)


def test_reads_files_without_a_model_kind(small, tmp_path):
    with zipfile.ZipFile(small) as archive:
        (facts,) = json.loads(archive.read("about.json"))["models"]
    assert facts.pop("kind") == "linear"
    (tmp_path / "x.lyc").write_bytes(forged(small, models=[facts]))
    (old,), (new,) = load_spider(tmp_path / "x.lyc").models, load_spider(small).models
    assert np.array_equal(old.weights[0], new.weights[0])


def test_contents_of_a_default_spider(house):
    with zipfile.ZipFile(house) as archive:
        assert archive.namelist() == ["about.json", COLUMN_WEIGHTS]
        (facts,) = json.loads(archive.read("about.json"))["models"]
        weights = np.load(io.BytesIO(archive.read(COLUMN_WEIGHTS)))
    assert facts.keys() == {"kind", "bias", "trust", "faith", "base", "telling"}
    assert facts["kind"] == "hashed"
    assert facts["telling"][0] == ["pdf", "url", 1.5]
    assert (weights.shape, weights.dtype) == ((2**16,), np.float64)


@pytest.mark.parametrize("sign", [-1, 1])
def test_largest_accepted_numbers_give_finite_scores(world, tmp_path, sign):
    weights = np.full(COLUMNS, sign * 1e6)
    weights[::2] *= -1
    wild = HashedModel(weights, sign * 1e6, 1e6, 1e6, -sign * 1e6)
    save_spider(tmp_path / "x.lyc", spider("house"), "papers", [wild], sites=SITES)
    site = world.department(0)
    lycosa.check_policy(spider(str(tmp_path / "x.lyc"))(Setup(site, "papers")), site, 60)


def signed(data):
    return data + b"sha256 " + hashlib.sha256(data).hexdigest().encode()


def check_refused(path: Path, data: bytes, *sentences: str) -> None:
    path.write_bytes(data)
    with pytest.raises(UsageError) as caught:
        load_spider(path)
    sentence = str(caught.value)
    assert str(path) in sentence
    assert sentence.count("\n") == 0
    for part in sentences:
        assert part in sentence


def test_refuses_files_of_other_formats(tmp_path):
    path = tmp_path / "x.lyc"
    check_refused(path, b"", "not a spider")
    check_refused(path, b"hello" * 100, "not a spider", "lycosa train")
    check_refused(path, pickle.dumps([1, 2, 3]), "not a spider")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("word/document.xml", "<x/>")
    check_refused(path, file.getvalue(), "not a spider")
    check_refused(path, signed(b"no zip"), "train it again")
    with pytest.raises(UsageError, match="There is no file"):
        load_spider(tmp_path / "nowhere.lyc")
    with pytest.raises(UsageError, match="cannot be read"):
        load_spider(tmp_path)


def test_truncated_files_are_reported_as_damaged(small, tmp_path):
    check_refused(tmp_path / "x.lyc", small.read_bytes()[:-100], "cut short")


def forged(small, changes=None, **about):
    """Return the small file with other members or facts, and a right checksum."""
    with zipfile.ZipFile(small) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    facts = json.loads(members["about.json"])
    facts.update(about)
    members["about.json"] = json.dumps(facts).encode()
    members.update(changes or {})
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            if data is not None:
                archive.writestr(name, data)
        archive.comment = bytes(71)
    return signed(file.getvalue()[:-71])


COLUMN_WEIGHTS = "model-0/columns.npy"
WORDS, WEIGHTS = "model-0/channel-0.words.txt", "model-0/channel-0.weights.npy"


def npy(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def huge():
    """Return an array whose header claims far more elements than there are."""
    file = io.BytesIO()
    head = {"shape": (2, 10**12), "fortran_order": False, "descr": "<f8"}
    np.lib.format.write_array_header_1_0(file, head)
    return file.getvalue()


@pytest.mark.parametrize(
    ("changes", "about", "sentence"),
    [
        ({}, {"version": 2}, "newer Lycosa"),
        ({}, {"version": "1"}, "its format has another name"),
        ({}, {"format": "a zip"}, "its format has another name"),
        ({}, {"spider": "rl(nb, distant)"}, "does not know"),
        ({}, {"spider": "flying"}, "does not know"),
        ({}, {"spider": "random"}, "not those of random"),
        ({}, {"spider": "immediate-and-future"}, "not those of"),
        ({}, {"spider": "x.lyc"}, "other files"),
        ({}, {"spider": "change-policy(x.lyc, rl(nb))"}, "other files"),
        ({}, {"spider": 5}, "is no text"),
        ({}, {"seed": "0"}, "no seed"),
        ({}, {"sites": 5}, "train it again"),
        ({}, {"models": [5]}, "train it again"),
        ({}, {"models": []}, "not those of"),
        ({"about.json": b"[]"}, {}, "train it again"),
        ({"about.json": b"{" * 100_000}, {}, "train it again"),
        ({"about.json": b"[" * 100_000}, {}, "train it again"),
        ({"about.json": b"\xff"}, {}, "train it again"),
        ({"about.json": None}, {}, "train it again"),
        ({WORDS: None}, {}, "train it again"),
        ({WORDS: b"a\nb\nc\n"}, {}, "another shape"),
        ({WORDS: b"a\na\n"}, {}, "twice"),
        ({WORDS: b"a\nb"}, {}, "is cut short"),
        ({WORDS: b"\xff\n\xfe\n"}, {}, "train it again"),
        ({WEIGHTS: npy(np.zeros((2, 3)))}, {}, "another shape"),
        ({WEIGHTS: npy(np.zeros((2, 2), np.float32))}, {}, "another shape"),
        ({WEIGHTS: npy(np.full((2, 2), np.nan))}, {}, "not finite"),
        ({WEIGHTS: npy(np.array([[None] * 2] * 2), allow_pickle=True)}, {}, "another shape"),
        ({WEIGHTS: npy(np.zeros((2, 2)))[:-1]}, {}, "train it again"),
        ({WEIGHTS: npy(np.zeros((2, 2))) + b"more"}, {}, "train it again"),
        ({WEIGHTS: huge()}, {}, "another shape"),
        ({WEIGHTS: b"text"}, {}, "train it again"),
    ],
)
def test_refuses_forged_files(small, tmp_path, changes, about, sentence):
    check_refused(tmp_path / "x.lyc", forged(small, changes, **about), sentence)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("means", [1.0]),
        ("means", []),
        ("means", 3.0),
        ("means", [[1.0, 2.0]]),
        ("means", [1.0, float("nan")]),
        ("bias", [0.0, 0.0, 0.0]),
        ("bias", "ab"),
        ("slope", float("inf")),
        ("slope", None),
        ("neighbourhood", {"name": "x", "channels": []}),
        ("neighbourhood", {"name": "x", "channels": [{"name": "x", "bags": ["soul"], "near": 1}]}),
        ("neighbourhood", {"name": "x", "channels": [{"name": "x", "bags": ["url"], "near": -1}]}),
        ("neighbourhood", {"name": "x", "channels": [{"name": "x", "bags": ["url"], "near": ""}]}),
    ],
)
def test_refuses_forged_models(small, tmp_path, key, value):
    with zipfile.ZipFile(small) as archive:
        facts = json.loads(archive.read("about.json"))["models"][0]
    facts[key] = value
    check_refused(tmp_path / "x.lyc", forged(small, models=[facts]), "train it again")


@pytest.mark.parametrize(
    "data",
    [
        None,
        b"text",
        npy(np.zeros(COLUMNS - 1)),
        npy(np.zeros((COLUMNS, 1))),
        npy(np.zeros(COLUMNS, np.float32)),
        npy(np.zeros(COLUMNS))[:-1],
        npy(np.full(COLUMNS, np.nan)),
        npy(np.full(COLUMNS, np.inf)),
        npy(np.full(COLUMNS, -1e7)),
        npy(np.array([None] * COLUMNS), allow_pickle=True),
        huge(),
    ],
)
def test_refuses_forged_columns(house, tmp_path, data):
    check_refused(tmp_path / "x.lyc", forged(house, {COLUMN_WEIGHTS: data}), "train it again")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("kind", "linear"),
        ("kind", "round"),
        ("kind", None),
        ("kind", ["hashed"]),
        *(
            (key, value)
            for key in ("bias", "trust", "faith", "base")
            for value in (None, "1", [1.0], float("nan"), float("inf"), 2e6, 10**400)
        ),
        ("trust", -1.0),
        ("faith", -1.0),
        ("telling", None),
        ("telling", 5),
        ("telling", ["pdf"]),
        ("telling", [["pdf", "url"]]),
        ("telling", [["pdf", 5, 1.0]]),
        ("telling", [[5, "url", 1.0]]),
        ("telling", [["pdf", "url", "1"]]),
        ("telling", [["pdf", "url", float("nan")]]),
        ("telling", {"pdf": 1.0}),
    ],
)
def test_refuses_forged_hashed_models(house, tmp_path, key, value):
    with zipfile.ZipFile(house) as archive:
        (facts,) = json.loads(archive.read("about.json"))["models"]
    facts[key] = value
    check_refused(tmp_path / "x.lyc", forged(house, models=[facts]), "train it again")
    del facts[key]
    check_refused(tmp_path / "x.lyc", forged(house, models=[facts]), "train it again")


def test_refuses_models_of_another_kind(small, house, tmp_path):
    path = tmp_path / "x.lyc"
    check_refused(path, forged(small, spider="house"), "not those of house")
    check_refused(path, forged(house, spider="rl(nb)"), "not those of rl(nb)")
    with pytest.raises(UsageError, match="not of these"):
        save_spider(path, spider("rl(nb)"), "papers", [hashed()], sites=SITES)
    with pytest.raises(UsageError, match="not of these"):
        save_spider(path, spider("house"), "papers", [model(["a"])], sites=SITES)
    with pytest.raises(UsageError, match="made of linear models"):
        spider("rl(nb)").make(Setup(None, "papers"), [hashed()])


def test_refuses_decompression_bombs(small, tmp_path, monkeypatch):
    monkeypatch.setattr("lycosa.spiders.model_file.MAX_BYTES", 10**6)
    data = forged(small, {"more": bytes(2 * 10**6)})
    assert len(data) < 10**5
    check_refused(tmp_path / "x.lyc", data, "exceeds the limit")
    monkeypatch.setattr("lycosa.spiders.model_file.MAX_BYTES", 100)
    check_refused(tmp_path / "x.lyc", data, "too large")
    assert MAX_BYTES == 10**9


@pytest.mark.parametrize("name", ["random", "optimal", "rl(tsvm)", "change-policy(rl(nb), random)"])
def test_refuses_spiders_that_are_not_portable(tmp_path, name):
    with pytest.raises(UsageError, match="cannot be saved"):
        save_spider(tmp_path / "x.lyc", spider(name), "papers", [], sites=SITES)


def test_refuses_paths_that_cannot_be_written(tmp_path):
    made, models = spider("rl(nb)"), [model(["a"])]
    with pytest.raises(UsageError, match=r"Name the file x\.zip\.lyc"):
        save_spider(tmp_path / "x.zip", made, "papers", models, sites=SITES)
    with pytest.raises(UsageError, match="check that its folder exists"):
        save_spider(tmp_path / "no" / "x.lyc", made, "papers", models, sites=SITES)
    (tmp_path / "y.lyc").mkdir()
    with pytest.raises(UsageError, match="is a folder"):
        save_spider(tmp_path / "y.lyc", made, "papers", models, sites=SITES)
    with pytest.raises(UsageError, match="1 models"):
        save_spider(tmp_path / "x.lyc", made, "papers", models * 2, sites=SITES)
    assert [path.name for path in tmp_path.iterdir()] == ["y.lyc"]


def test_file_names_are_spider_names(small, tmp_path):
    made = spider(str(small))
    assert (made.name, made.recipes, made.portable) == ("small.lyc", (), False)
    assert made.trained_on == SITES
    odd = tmp_path / "odd (1), twice.lyc"
    odd.write_bytes(small.read_bytes())
    assert spider(str(odd)).name == odd.name
    both = spider(f"change-policy({small}, rl(nb))")
    assert both.trained_on == SITES
    assert not both.portable


FILES = Path(__file__).with_name("files")
"""Files written by Lycosa before its modules were moved; `rl.lyc` and `house.lyc`."""


@pytest.mark.parametrize(
    ("file", "name", "best"),
    [
        ("house.lyc", "house", 0.3741372852559857),
        ("rl.lyc", "rl(nb, related, immediate, least=20)", 2.2888692383918947e-21),
    ],
)
def test_opens_files_of_earlier_versions(file, name, best):
    trained = load_spider(FILES / file)
    assert trained.name == name
    assert trained.goal == "papers"
    policy = spider(str(FILES / file))(Setup(None, "papers"))
    site = lycosa.World(seed=8, departments=1, pages=100).department(0)
    home = site.page(int(site.seeds[0]))
    policy.start(lycosa.Budget())
    policy.observe(lycosa.Step(1, home, 0.0))
    assert policy.score(home).max() == pytest.approx(best, rel=1e-9)
