"""What a release is made of: its version by tag, and its changelog from fragments."""

import shutil
import subprocess

import pytest
from tools.changelog import KINDS, ROOT, BadFragment, collect, fragments
from tools.version import FIRST_RELEASE, version, version_of


def git(folder, *arguments):
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_version_is_that_of_the_newest_tag(tmp_path):
    git(tmp_path, "init", "--quiet")
    assert version(tmp_path) == f"{FIRST_RELEASE}.dev0"  # no commit yet
    for tag, expected in (
        (None, f"{FIRST_RELEASE}.dev1"),
        ("v1.2.9", "1.2.9"),
        (None, "1.2.10.dev1"),
        ("draft", "1.2.10.dev2"),
        ("v2.0.0", "2.0.0"),
    ):
        git(tmp_path, "commit", "--quiet", "--allow-empty", "--message", "A change")
        if tag:
            git(tmp_path, "tag", tag)
        assert version(tmp_path) == expected


def test_the_version_of_an_sdist_is_recorded_in_it(tmp_path):
    (tmp_path / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: lycosa\nVersion: 3.1.4\n")
    assert version(tmp_path) == "3.1.4"


def test_the_version_without_git_is_one_of_development(tmp_path):
    assert version(tmp_path) == f"{FIRST_RELEASE}.dev0"


def test_a_tag_that_is_no_version_is_refused():
    with pytest.raises(ValueError, match="not a version"):
        version_of("v1.x-3-gabc")


def test_the_fragments_of_this_working_copy_can_be_collected():
    assert set(fragments(ROOT / "changes")) == set(KINDS)


@pytest.fixture
def copy(tmp_path):
    (tmp_path / "changes").mkdir()
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.0\n\n- Old.\n")
    (tmp_path / "changes" / "README.md").write_text("How to write them.\n")
    return tmp_path


def test_fragments_become_a_section(copy):
    (copy / "changes" / "speed.faster.md").write_text("Builds take\nhalf as long.\n")
    (copy / "changes" / "b.fixed.md").write_text("It starts.\n")
    (copy / "changes" / "a.fixed.md").write_text("It ends.\n")
    collect(copy, "1.1", "2026-02-01")
    assert (copy / "CHANGELOG.md").read_text() == (
        "# Changelog\n\n## 1.1 (2026-02-01)\n\n### Fixed\n\n- It ends.\n- It starts.\n\n"
        "### Faster\n\n- Builds take half as long.\n\n## 1.0\n\n- Old.\n"
    )
    assert [path.name for path in (copy / "changes").iterdir()] == ["README.md"]


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.md", "No kind."), ("a.new.md", "Bad kind."), ("a.added.txt", "Bad ending."),
     ("a.added.md", "no sentence"), ("a.added.md", "Much too long. " * 50)],
)  # fmt: skip
def test_bad_fragments_are_refused(copy, name, text):
    (copy / "changes" / name).write_text(text)
    with pytest.raises(BadFragment):
        collect(copy, "1.1", "2026-02-01")
    assert "1.1" not in (copy / "CHANGELOG.md").read_text()
