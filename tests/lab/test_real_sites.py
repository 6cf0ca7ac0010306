"""The check figures of the recorded sites, measured independently of this code."""

import pytest

import realdata
from lycosa.lab import experiment

SITES = realdata.SITES / "departments"


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("site", "pages", "targets", "low", "high"),
    [
        ("webkb-cornell", 1956, 371, 0.656, 0.885),
        ("webkb-texas", 1273, 181, 0.298, 0.897),
    ],
)
def test_check_figures(site, pages, targets, low, high):
    folder = SITES / site
    if not folder.is_dir():
        pytest.skip(f"the recorded sites are not here: there is no {folder}")
    results = experiment([folder], "papers", ["breadth-first", "optimal"])
    first, second = results.runs
    # Redirects and spellings of one URL are merged a little differently here.
    assert first.pages == pytest.approx(pages, rel=0.015)
    assert first.targets == pytest.approx(targets, rel=0.015)
    assert first.integral == pytest.approx(low, abs=0.005)
    assert second.integral == pytest.approx(high, abs=0.005)
