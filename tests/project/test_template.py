"""New files: each template is whole, and says what is missing."""

import tomllib
from pathlib import Path

import pytest

from lycosa.errors import UnknownName, UsageError
from lycosa.project import Project
from lycosa.project.sections import KEYS, TOP
from lycosa.project.template import (
    NEW_PROJECT_PAGES,
    TEMPLATES,
    create_project_file,
    fill_template,
    find_todos,
)
from lycosa.sites.generated import World

URL = "https://www.example.org/"
CONTACT = "you@example.org"


def begun(folder: Path, template: str) -> Project:
    goal = "robot*" if template == "topic" else None
    assert create_project_file(folder, template, seeds=[URL], goal=goal, contact=CONTACT) == []
    return Project.load(folder)


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_complete_template_is_a_project(template: str, tmp_path: Path) -> None:
    project = begun(tmp_path / "new" / "one", template)
    assert project.job.seeds == (URL,)
    assert project.job.client.contact == CONTACT
    assert project.job.budget.pages == NEW_PROJECT_PAGES
    assert project.spider == "wary(house)"


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_template_shows_every_key(template: str) -> None:
    text = fill_template(template, given={})
    for name in (*TOP, *(key.name for key in KEYS.values())):
        assert f"\n{name} = " in text or f"\n# {name} = " in text, name
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("template", TEMPLATES)
def test_lists_missing_values_with_their_lines(template: str, tmp_path: Path) -> None:
    missing = create_project_file(tmp_path, template)
    file = tmp_path / "lycosa.toml"
    lines = file.read_text().splitlines()
    assert len(missing) == (3 if template == "topic" else 2)
    # One after the other is filled in, as a person would.
    for line, what in missing:
        assert what in lines[line - 1]
        with pytest.raises(UsageError) as caught:
            Project.load(tmp_path)
        assert str(caught.value) == f"{file}, line {line} has a TODO: write {what} there."
        text = CONTACT if "e-mail" in what else "robot*" if "query" in what else URL
        lines[line - 1] = lines[line - 1].replace(f"TODO: {what}", text)
        file.write_text("\n".join(lines))
    assert Project.load(tmp_path).job.seeds == (URL,)


def test_ignores_todos_in_comments_and_queries() -> None:
    text = """# goal = "TODO: x"\ngoal = '"TODO list"'"""
    assert find_todos(text, tomllib.loads(text)) == []


def test_never_overwrites_a_file(tmp_path: Path) -> None:
    (tmp_path / "lycosa.toml").write_text("mine")
    with pytest.raises(UsageError, match=r"lycosa\.toml already exists"):
        create_project_file(tmp_path, "topic")
    assert (tmp_path / "lycosa.toml").read_text() == "mine"


def test_refuses_a_file_as_a_folder(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(UsageError, match="is a file; give the name of a folder"):
        create_project_file(tmp_path / "x", "topic")
    with pytest.raises(UsageError, match="cannot be written"):
        create_project_file(tmp_path / "x" / "y", "topic")


def test_checks_values_before_writing(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    with pytest.raises(UnknownName, match="did you mean 'papers'"):
        create_project_file(folder, "paper")
    with pytest.raises(UsageError, match="not a web address"):
        create_project_file(folder, "topic", seeds=["mailto:x"])
    with pytest.raises(UsageError, match="a contact for complaints"):
        create_project_file(folder, "topic", contact="me")
    with pytest.raises(UsageError, match="lacks something"):
        create_project_file(folder, "topic", goal="robot AND")
    with pytest.raises(UsageError, match="papers has a fixed goal"):
        create_project_file(folder, "papers", goal="robot")
    assert not folder.exists()


def test_keeps_dollars_and_quotes(tmp_path: Path) -> None:
    create_project_file(
        tmp_path, "topic", seeds=["http://a.example/$goal"], goal='"x y" $z', contact='"a"@b'
    )
    project = Project.load(tmp_path)
    assert project.job.seeds == ("http://a.example/$goal",)
    assert project.wanted == '"x y" $z'
    assert project.job.client.contact == '"a"@b'


def test_the_officers_template_finds_officers(tmp_path: Path) -> None:
    project = begun(tmp_path, "officers")
    world = World(seed=5, organisations=6, pages=150)
    for site in world.sites:
        found = [n for n in range(len(site)) if project.goal(site.page(n))]
        assert found == site.wanted("officers").tolist()
    assert project.goal_text == "officers"
