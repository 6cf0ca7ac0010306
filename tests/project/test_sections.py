"""The keys of lycosa.toml and the objects they speak of."""

from dataclasses import fields

import pytest

from lycosa.project.sections import HOMES, KEYS, SECTIONS, TOP, Key
from lycosa.project.settings import has_default

# Made of other keys, of keys above the sections, or of the goal; or of one run only.
ELSEWHERE = {
    f"job.{name}"
    for name in (
        "seeds client scope budget pace limits rendering addresses text_only revisits blocked"
    ).split()
} | {"scope.blocked"}  # what the owner blocks is in owner.db


def test_every_setting_of_a_crawl_has_one_key() -> None:
    settings = {
        f"{home}.{field.name}"
        for home, made in HOMES.items()
        for field in fields(made)
        if field.init
    }
    homes = [key.home for key in KEYS.values()]
    assert len(homes) == len(set(homes))
    assert set(homes) == settings - ELSEWHERE


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_every_key_has_a_description(key: Key) -> None:
    assert key.section in SECTIONS
    assert key.name not in TOP
    assert key.about
    assert has_default(key) != (key.example is not None)


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_defaults_and_examples_are_valid(key: Key) -> None:
    import tomllib

    value = key.default if has_default(key) else key.example
    assert key.kind.read(tomllib.loads(f"x = {key.kind.write(value)}")["x"]) == value
