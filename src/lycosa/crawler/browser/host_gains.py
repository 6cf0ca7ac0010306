"""The gain of rendering at each host: whether it finds more links there.

A sample of the first pages with scripts is rendered. If their rendered documents
have more links, the rest of the host's pages is rendered, too. Where it does not
pay, one page in many is still rendered, because a site may consist of parts.
"""

from __future__ import annotations

SAMPLE_PAGES = 3
"""Pages of a host that are rendered before it is decided."""
MIN_GAIN = 1.0
"""New links of a page, on average, for which rendering pays."""
MIN_SHARE = 0.2
"""New links, as a share of those without rendering, for which rendering pays."""
RESAMPLE_PAGES = 50
"""Of a host at which it does not pay, one page in so many is rendered all the same."""


class _Gain:
    __slots__ = ("declined", "pages", "plain", "rendered")

    def __init__(self) -> None:
        self.pages = self.plain = self.rendered = self.declined = 0

    @property
    def pays(self) -> bool:
        gained = self.rendered - self.plain
        return gained >= MIN_GAIN * self.pages and gained >= MIN_SHARE * self.plain


class HostGains:
    """Decides for each host whether its pages are rendered.

    >>> gains = HostGains()
    >>> for host, rendered in (("a.example", 12), ("b.example", 2)):
    ...     for _ in range(3):
    ...         assert gains.wants(host)
    ...         gains.add(host, plain=2, rendered=rendered)
    >>> gains.wants("a.example"), gains.wants("b.example")
    (True, False)
    """

    def __init__(self) -> None:
        self._gains: dict[str, _Gain] = {}

    def wants(self, host: str) -> bool:
        """Return whether the next page of a host is to be rendered."""
        gain = self._gains.setdefault(host, _Gain())
        if gain.pages < SAMPLE_PAGES or gain.pays:
            return True
        gain.declined = (gain.declined + 1) % RESAMPLE_PAGES
        return gain.declined == 0

    def add(self, host: str, *, plain: int, rendered: int) -> None:
        """Record the links of a page without rendering and with it."""
        gain = self._gains.setdefault(host, _Gain())
        gain.pages += 1
        gain.plain += plain
        gain.rendered += rendered

    def paying(self) -> list[str]:
        """Return the hosts at which rendering pays, of those that were decided."""
        return [
            host for host, gain in self._gains.items() if gain.pages >= SAMPLE_PAGES and gain.pays
        ]
