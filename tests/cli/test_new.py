"""`lycosa new` as a person types it."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from lycosa.cli import main
from lycosa.project import Project


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["new", *words])
    return result.exit_code, result.stdout, result.stderr


def test_prints_the_next_steps(tmp_path: Path) -> None:
    folder = tmp_path / "my robots"
    code, out, _ = run(str(folder))
    assert code == 0
    lines = (folder / "lycosa.toml").read_text().splitlines()
    first, *todo, last = out.splitlines()
    assert first == f"Wrote {folder / 'lycosa.toml'}. Next:"
    assert last == f"  lycosa crawl '{folder}'"
    for line in todo:
        number, _, what = line.removeprefix("  on line ").partition(" write ")
        assert f'"TODO: {what}"' in lines[int(number) - 1]
    assert len(todo) == 3


@pytest.mark.parametrize("template", ["papers", "officers", "topic"])
def test_a_complete_project_has_no_todos(template: str, tmp_path: Path) -> None:
    words = ["--template", template, "--contact", "you@example.org"]
    words += ["--url", "http://a.example/", "--url", "http://b.example/"]
    words += ["--goal", "robot* AND lab"] if template == "topic" else []
    code, out, _ = run(str(tmp_path), *words)
    assert code == 0
    assert len(out.splitlines()) == 2
    assert Project.load(tmp_path).job.seeds == ("http://a.example/", "http://b.example/")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--template", "topics"], "There is no template 'topics'; did you mean 'topic'"),
        (["--url", "nowhere"], "'nowhere' is not a web address"),
        (["--contact", "me"], "a contact for complaints"),
        (["--goal", "a AND"], "lacks something"),
        (["--goal", "a", "--template", "papers"], "has a fixed goal"),
    ],
)
def test_misuse_is_one_sentence(words: list[str], sentence: str, tmp_path: Path) -> None:
    code, out, err = run(str(tmp_path / "new"), *words)
    assert (code, out) == (2, "")
    assert sentence in err
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "new").exists()


def test_never_overwrites_a_file(tmp_path: Path) -> None:
    assert run(str(tmp_path))[0] == 0
    before = (tmp_path / "lycosa.toml").read_text()
    code, _, err = run(str(tmp_path), "--template", "papers")
    assert code == 2
    assert "already exists: edit it, or choose another folder." in err
    assert (tmp_path / "lycosa.toml").read_text() == before


def test_the_documentation_shows_the_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = Path(__file__).parents[2] / "docs" / "how-to" / "crawl-the-web.md"
    _, out, _ = run("example", "--template", "topic")
    assert f"$ lycosa new example --template topic\n{out}```" in page.read_text()
