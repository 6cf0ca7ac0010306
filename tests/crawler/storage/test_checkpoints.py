"""Checkpoints on disk: what is written is read, and what is damaged is not."""

import shutil
from array import array

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.crawler.storage.checkpoints import STAGES, CheckpointFolder
from lycosa.snapshots import StateWriter

TEXTS = st.lists(st.text(st.characters(codec=None), max_size=5), max_size=5)


class Growth:
    """A state that grows between checkpoints, and how it is saved."""

    def __init__(self):
        self.words = []
        self.numbers = array("H")
        self.scores = np.zeros((3, 2))
        self.n = 0

    def grow(self, words, numbers):
        self.words += words
        self.numbers.extend(numbers)
        self.scores = self.scores + 1.5
        self.n += 1

    def write(self, folder, **facts):
        state = StateWriter(folder.lengths)
        part = state.part("part")
        part.strings("words", self.words)
        part.log("numbers", self.numbers)
        part.array("scores", self.scores)
        part.array("none", np.zeros(0, np.int8))
        state.value("n", self.n)
        folder.write(self.n, facts, state)

    def same(self, found):
        part = found.state.part("part")
        return (
            part.strings("words") == self.words[: len(part.strings("words"))]
            and found.state.value("n") == found.steps
            and len(part.array("none")) == 0
            and part.array("scores").tolist() == [[1.5 * found.steps] * 2] * 3
            and part.log("numbers").tolist() == list(self.numbers[: len(part.log("numbers"))])
        )


def three(path, growth=None, on_stage=lambda stage: None):
    """Write three checkpoints and return the folder."""
    growth = growth or Growth()
    folder = CheckpointFolder(path, on_stage)
    for k in range(3):
        growth.grow([f"word {k}", "\ud800", "a\nb\0c"], [k, 2 * k])
        growth.write(folder, goal="papers")
    return growth


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(TEXTS, st.lists(st.integers(0, 65535))), min_size=1, max_size=5))
def test_the_last_of_several_checkpoints_is_read_whole(tmp_path_factory, rounds):
    path = tmp_path_factory.mktemp("x") / "checkpoints"
    growth, folder = Growth(), CheckpointFolder(path)
    for k, (words, numbers) in enumerate(rounds):
        growth.grow(words, numbers)
        growth.write(folder, round=k)
        if k % 2:  # another process continues
            folder = CheckpointFolder(path)
            found = folder.latest(growth.n)
    found = CheckpointFolder(path).latest(growth.n)
    assert (found.steps, found.facts) == (growth.n, {"round": len(rounds) - 1})
    assert found.state.part("part").strings("words") == growth.words
    assert found.state.part("part").log("numbers").tolist() == list(growth.numbers)
    assert growth.same(found)


def test_two_states_are_kept(tmp_path):
    three(tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["000000000002.state", "000000000003.state", "tables.log"]


@pytest.mark.parametrize("name", ["000000000003.state", "tables.log"])
def test_a_changed_byte_is_detected_and_the_older_checkpoint_used(tmp_path, name):
    growth = three(tmp_path / "whole")
    data = (tmp_path / "whole" / name).read_bytes()
    used = set()
    for at in range(0, len(data), 7):
        copy = tmp_path / "copy"
        shutil.copytree(tmp_path / "whole", copy)
        (copy / name).write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
        found = CheckpointFolder(copy).latest(3)
        used.add(None if found is None else found.steps)
        assert found is None or (found.steps == 2 and growth.same(found))
        shutil.rmtree(copy)
    assert 2 in used
    assert used == ({2} if name.endswith("state") else {2, None})


def test_a_file_that_was_cut_short_is_detected(tmp_path):
    growth = three(tmp_path / "whole")
    for name, size in (("000000000003.state", 0), ("000000000003.state", 30), ("tables.log", 40)):
        copy = shutil.copytree(tmp_path / "whole", tmp_path / f"{name}-{size}")
        with (copy / name).open("r+b") as file:
            file.truncate(size)
        found = CheckpointFolder(copy).latest(3)
        assert found is None or (found.steps == 2 and growth.same(found))


def test_a_checkpoint_beyond_the_step_log_is_not_used(tmp_path):
    growth = three(tmp_path)
    found = CheckpointFolder(tmp_path).latest(max_steps=2)
    assert found.steps == 2
    assert growth.same(found)
    assert CheckpointFolder(tmp_path).latest(max_steps=1) is None


def test_another_format_is_not_read(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr("lycosa.crawler.storage.checkpoints.FORMAT", 99)
    three(tmp_path)
    monkeypatch.undo()
    caplog.set_level("INFO", "lycosa.crawler")
    assert CheckpointFolder(tmp_path).latest(3) is None
    assert "it has the format 99" in caplog.text


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("nth", [1, 2, 3])
def test_an_interrupted_checkpoint_leaves_the_last_one_valid(tmp_path, stage, nth):
    reached = 0

    def interrupt(name):
        nonlocal reached
        reached += name == stage
        if reached == nth:
            # As after a kill: nothing is cleaned up.
            shutil.copytree(tmp_path / "a", tmp_path / "b")
            raise KeyboardInterrupt

    growth = Growth()
    with pytest.raises(KeyboardInterrupt):
        three(tmp_path / "a", growth, interrupt)
    folder = CheckpointFolder(tmp_path / "b")
    found = folder.latest(growth.n)
    assert (found.steps if found else 0) == (nth if stage == "published" else nth - 1)
    assert found is None or growth.same(found)
    growth.grow(["after"], [9])
    growth.write(folder)
    last = CheckpointFolder(tmp_path / "b").latest(growth.n)
    assert last.state.part("part").strings("words") == growth.words
    assert not list((tmp_path / "b").glob(".*"))


def test_a_cleared_folder_has_no_checkpoint_and_takes_new_ones(tmp_path):
    three(tmp_path)
    folder = CheckpointFolder(tmp_path)
    folder.clear()
    assert list(tmp_path.iterdir()) == []
    assert folder.latest(9) is None
    growth = Growth()
    growth.grow(["new"], [1])
    growth.write(folder)
    assert growth.same(CheckpointFolder(tmp_path).latest(9))


def test_clearing_a_folder_that_was_never_made_does_nothing(tmp_path):
    CheckpointFolder(tmp_path / "x").clear()
    assert not (tmp_path / "x").exists()
