"""Light and dark themes, by the system or chosen by the reader."""

import re

import pytest


def brightness(colour):
    """Return the brightness of rgb(…), from 0 to 255."""
    red, green, blue = map(int, re.findall(r"\d+", colour)[:3])
    return 0.3 * red + 0.6 * green + 0.1 * blue


def ground_and_ink(window):
    return [brightness(window.style("body", name)) for name in ("backgroundColor", "color")]


def is_light(window):
    ground, ink = ground_and_ink(window)
    return ground > 200 and ink < 60


def is_dark(window):
    ground, ink = ground_and_ink(window)
    return ground < 60 and ink > 200


@pytest.fixture
def window(real):
    real.open("/").script("localStorage.clear()")
    yield real
    real.script("localStorage.clear()")


def test_follows_the_theme_of_the_system(window):
    assert is_light(window.open("/"))
    window.shape(dark=True)
    assert is_dark(window)


def test_remembers_the_chosen_theme(window):
    window.open("/")
    button = window.one("#theme")
    seen = [button.text]
    while button.text != "Dark":
        button.click()
        seen.append(button.text)
    assert seen == ["Auto", "Light", "Dark"]
    assert "Dark" in button.get_attribute("aria-label")
    assert is_dark(window)
    assert is_dark(window.open("/about"))
    window.one("#theme").click()
    assert window.one("#theme").text == "Auto"
    assert is_light(window)


def test_prints_on_white_in_dark_mode(window):
    window.open("/search?q=learning")
    window.shape(dark=True)
    colours = {"name": "prefers-color-scheme", "value": "dark"}
    media = {"media": "print", "features": [colours]}
    window.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    assert is_light(window)
    assert not window.one(".top").is_displayed()
    assert window.one(".hit .title a").is_displayed()
    window.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
