"""The range of years on a page of results: its slider, and a histogram of the results by year.

>>> from lycosa.portal.search import FacetValue
>>> years = [FacetValue("1999", "1999", 3), FacetValue("1997", "1997", 1)]
>>> found = YearRange.of(years, ("1998..1999",))
>>> (found.first, found.last), (found.low, found.high), [tuple(bar) for bar in found.bars]
((1997, 1999), (1998, 1999), [(1997, 0, 7, False), (1999, 2, 20, True)])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lycosa.portal.search import FacetValue

HEIGHT = 20
"""Of the highest bar, in the units of the drawing."""
MAX_BARS = 60
"""More would be too thin to be seen: neighbouring years then share a bar."""
SEPARATOR = ".."


class YearBar(NamedTuple):
    """A bar of the histogram.

    `year` is its first year, `position` its number from the left, `height` at most `HEIGHT`, and
    `chosen` whether results of its years are shown.
    """

    year: int
    position: int
    height: int
    chosen: bool


class YearRange(NamedTuple):
    """The first and last year with results, the chosen range among them, and the histogram.

    `places` is the number of bars that the histogram has room for.
    """

    first: int
    last: int
    low: int
    high: int
    bars: list[YearBar]
    places: int

    @classmethod
    def of(cls, years: Sequence[FacetValue], chosen: Sequence[str]) -> YearRange | None:
        """Return the range for the values of the facet and the filter; None without two years."""
        counts = {int(each.value): each.count for each in years if each.value.isdecimal()}
        if len(counts) < 2:
            return None
        first, last = min(counts), max(counts)
        low, high = _bounds(chosen, first, last)
        step = -(-(last - first + 1) // MAX_BARS)
        sums: dict[int, int] = {}
        for year, count in counts.items():
            place = (year - first) // step
            sums[place] = sums.get(place, 0) + count
        most = max(*sums.values(), 1)
        bars = []
        for place, count in sorted(sums.items()):
            year = first + place * step
            inside = not chosen or (year + step > low and year <= high)
            bars.append(YearBar(year, place, -(-HEIGHT * count // most), inside))
        return cls(first, last, low, high, bars, (last - first) // step + 1)


def _bounds(chosen: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Return the first and last year of a filter within a range; all of it without a filter.

    >>> _bounds(["1996..1999", "2001"], 1990, 2000), _bounds(["199*"], 1990, 2000)
    ((1996, 2000), (1990, 2000))
    """
    years = [int(part) for value in chosen for part in value.split(SEPARATOR) if part.isdecimal()]
    inside = [min(max(year, first), last) for year in years]
    return (min(inside), max(inside)) if inside else (first, last)
