"""The container file: our own rules, which `make container-check` applies before it runs it."""

import pytest
from tools.container_check import FILE, instructions, is_ignored, problems

GOOD = """\
# A comment
FROM python:3.11-slim
RUN pip install a \\
 && pip install b
USER 1000
HEALTHCHECK CMD ["true"]
ENTRYPOINT ["lycosa"]
"""


def test_ours_has_no_problem():
    assert list(problems(instructions(FILE.read_text()))) == []


def test_continued_lines_are_one_instruction():
    assert instructions(GOOD)[1].argument == "pip install a && pip install b"


@pytest.mark.parametrize(
    ("good", "bad", "problem"),
    [
        ("python:3.11-slim", "python", "line 2: the base image has no tag"),
        ("python:3.11-slim", "python:latest", "line 2: the base image has no tag"),
        ("USER 1000", "USER root", "line 5: the container runs as root"),
        ("USER 1000\n", "", "there is no USER"),
        ("USER 1000", "COPY missing /a\nUSER 1000", "line 5: there is no missing to copy"),
        (
            '["lycosa"]',
            "lycosa",
            "line 7: ENTRYPOINT is run by a shell, which takes the signals",
        ),
        ('HEALTHCHECK CMD ["true"]\n', "", "there is no HEALTHCHECK"),
    ],
)
def test_finds_what_is_wrong(good, bad, problem):
    assert list(problems(instructions(GOOD))) == []
    assert list(problems(instructions(GOOD.replace(good, bad)))) == [problem]


def test_the_last_rule_that_names_a_path_decides():
    rules = ["*", "!src", "src/private"]
    found = [is_ignored(path, rules) for path in (".venv/a", "src/a.py", "src/private/b.py")]
    assert found == [True, False, True]
