from __future__ import annotations

import pytest

from lycosa.errors import UsageError
from lycosa.goals.profiles import HUBS, PROFILES, Profile, profile, read_profiles
from lycosa.web.words import words


@pytest.fixture
def written(tmp_path):
    """Writes a file of profiles and says where it is."""

    def write(text: str | bytes):
        path = tmp_path / "people.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.mark.parametrize("goal", PROFILES)
def test_known_profiles_have_words_of_the_tokeniser(goal):
    found = profile(goal)
    assert found is PROFILES[goal]
    assert found.ways
    for word in (*found.words, *found.ways, *HUBS):
        assert words(word) == [word]


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("robots", ("robots",)),
        ("text:robot* AND NOT course", ("robot",)),
        ('"machine learning" OR vision', ("machine", "learning", "vision")),
        ("title:web url:spider web", ("web", "spider")),
        # Not a query that can be: its words will do.
        ("Home page of (somebody", ("home", "page", "of", "somebody")),
        ("NOT course", ("not", "course")),
    ],
)
def test_other_goals_have_the_words_of_their_name(goal, expected):
    assert profile(goal).words == expected


@pytest.mark.parametrize("goal", ["", "  ", "***", "!?"])
def test_a_goal_without_words_has_no_profile(goal):
    with pytest.raises(UsageError, match="at least one word"):
        profile(goal)


def test_a_profile_needs_a_word():
    with pytest.raises(UsageError, match="at least one word"):
        Profile((), ("people",))


def test_a_file_has_a_profile_on_each_line(written):
    path = written(
        "# the faculty\n\n"
        "Ann Lee\n"
        "  \t \n"
        "   # gone: Bob Stone\n"
        "professor: Zoë O'Neill, zoe\n"
        "a: b: web web spiders\r\n"
        "last"
    )
    assert read_profiles(path) == [
        Profile(("ann", "lee")),
        Profile(("zoë", "o", "neill", "zoe")),
        Profile(("web", "spiders")),
        Profile(("last",)),
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "# nobody\n  # at all\n"])
def test_refuses_a_file_without_profiles(written, text):
    path = written(text)
    with pytest.raises(UsageError, match=r"no profiles in .*people.txt'; write one on each line"):
        read_profiles(path)


@pytest.mark.parametrize("line", ["Ann Lee:", "***", ": !"])
def test_names_a_line_without_words(written, line):
    path = written(f"# people\nBob Stone\n{line}\n")
    with pytest.raises(UsageError, match=r"Line 3 of .*people.txt' has no words"):
        read_profiles(path)


def test_refuses_a_missing_file(tmp_path):
    with pytest.raises(UsageError, match=r"nobody.txt' cannot be read: .*No such file"):
        read_profiles(tmp_path / "nobody.txt")


def test_refuses_a_folder(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_profiles(tmp_path)


def test_refuses_a_file_that_is_not_text(written):
    with pytest.raises(UsageError, match=r"cannot be read: .*utf-8"):
        read_profiles(written(b"Ann Lee\n\xff\xfe\x00"))
