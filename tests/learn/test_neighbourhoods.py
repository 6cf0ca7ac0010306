import pytest

from lycosa.errors import UnknownName, UsageError
from lycosa.learn.neighbourhoods import NEIGHBOURHOODS, Channel, neighbourhood


@pytest.mark.parametrize(
    ("name", "channels"),
    [
        ("full-page", [("page",), ("anchor", "url")]),
        ("related", [("heads",), ("anchor",), ("url",), ("near",)]),
        ("near", [("anchor", "url", "near")]),
        ("relative", [("anchor", "url", "near", "heads")]),
        ("full", [("anchor", "url", "page")]),
        ("placed", [("heads",), ("anchor",), ("url",), ("near",), ("path",)]),
    ],
)
def test_the_neighbourhoods_of_the_papers(name, channels):
    assert [channel.bags for channel in neighbourhood(name).channels] == channels


def test_near_has_100_words_as_in_the_paper():
    widths = {name: {c.near for c in n.channels} for name, n in NEIGHBOURHOODS.items()}
    assert widths["near"] == widths["relative"] == {100}
    assert widths["related"] == {10}


def test_neighbourhoods_have_their_names():
    assert all(name == mine.name for name, mine in NEIGHBOURHOODS.items())
    assert [c.reads_paths for c in neighbourhood("placed").channels] == [False] * 4 + [True]


def test_refuses_an_unknown_neighbourhood():
    with pytest.raises(UnknownName, match="no neighbourhood 'relatd'; did you mean 'related'"):
        neighbourhood("relatd")


def test_refuses_invalid_channels():
    with pytest.raises(UnknownName, match="no bag 'header'; did you mean 'heads'"):
        Channel("mine", ("header",))
    for bags in [(), ("path", "anchor")]:
        with pytest.raises(UsageError, match="or the tag path alone"):
            Channel("mine", bags)
