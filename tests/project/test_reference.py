from pathlib import Path

from lycosa.project.reference import reference
from lycosa.project.sections import KEYS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "project.md"


def test_the_page_is_what_the_code_says() -> None:
    assert PAGE.read_text() == reference(), "run `make docs`"


def test_every_key_is_on_it_with_its_default() -> None:
    text = reference()
    for key in KEYS.values():
        assert f"| `{key.name}` | " in text.partition(f"## [{key.section}]")[2]
    assert "| `delay` | `1` |" in text
