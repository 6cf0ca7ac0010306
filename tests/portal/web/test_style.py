"""Contrast is sufficient in both themes (WCAG 2.2, AA)."""

import re
from importlib.resources import files

import pytest

CSS = files("lycosa.portal.web").joinpath("static/portal.css").read_text()
PAIRS = re.findall(r"--(\w+): light-dark\((#\w+), (#\w+)\)", CSS)
THEMES = {
    "light": {name: light for name, light, _ in PAIRS},
    "dark": {name: dark for name, _, dark in PAIRS},
}


def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    parts = [int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted(luminance(colour) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_text_has_enough_contrast(theme):
    colours = THEMES[theme]
    for text in ("ink", "soft", "link", "wrong"):
        for ground in ("ground", "shade"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for text in ("ink", "link"):
        assert contrast(colours[text], colours["mark"]) >= 4.5, text
    assert contrast("#fff", colours["press"]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_controls_and_charts_have_enough_contrast(theme):
    colours = THEMES[theme]
    for line in ("edge", "c0", "c1"):
        assert contrast(colours[line], colours["ground"]) >= 3, line
