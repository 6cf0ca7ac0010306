"""The sections of a file, read and written."""

import tomllib

import pytest

from lycosa.errors import UsageError
from lycosa.project.sections import KEYS, SECTIONS
from lycosa.project.settings import read_sections, settings_text


def test_default_settings_are_all_comments() -> None:
    text = settings_text({})
    assert tomllib.loads(text) == {section: {} for section in SECTIONS}
    assert read_sections(tomllib.loads(text)) == {}


def test_uncommented_lines_are_valid() -> None:
    lines = [
        line.removeprefix("# ") if "=" in line.partition("#  ")[0] else line
        for line in settings_text({}).splitlines()
    ]
    found = read_sections(tomllib.loads("\n".join(lines)))
    assert sum(map(len, found.values())) == len(KEYS)


def test_lines_are_not_too_long() -> None:
    assert max(map(len, settings_text({}).splitlines())) <= 100


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "[politeness]\ndelai = 1",
            "There is no key 'delai' in [politeness]; did you mean 'delay'? Known: ",
        ),
        ("[scope]\npages = 1", "no key 'pages' in [scope]; it belongs in [budget]."),
        ("[scope]\ngoal = 'x'", "no key 'goal' in [scope]; it belongs above all sections."),
        ("[budget]\npages = 'x'", 'budget.pages must be a whole number, 1 or more, not "x".'),
        ("[budget]\nseconds = 1979-05-27", "not 1979-05-27."),
        (f"[budget]\npages = '{'x' * 500}'", f'not "{"x" * 59}….'),
        ("budget = 5", "budget is a section: write [budget], and its keys below."),
        ("[[budget]]\npages = 5", "budget is a section"),
        ("[requests]\nverify = 'no'", "requests.verify must be true or false"),
        ("[scope]\ndomains = ['http://a.org']", "scope.domains must be a list of host names"),
    ],
)
def test_a_mistake_is_one_sentence_with_its_key(text: str, sentence: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_sections(tomllib.loads(text))
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        'proxy = "me:pass-word@proxy.example"',
        'proxy = ["pass-word"]',
        'headers = "pass-word"',
        'headers = { "bad name" = "pass-word" }',
        'headers = { Authorization = ["pass-word"] }',
        'proxi = "pass-word"',
        'header = { A = "pass-word" }',
    ],
)
def test_errors_do_not_show_secrets(line: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_sections(tomllib.loads(f"[requests]\n{line}"))
    assert "pass-word" not in str(caught.value)
