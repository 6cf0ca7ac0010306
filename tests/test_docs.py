"""The documentation is current: generated pages, links, navigation. `docs/` runs the examples."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from tools import man_page, packages, readme_figures, reference, screenshots

ROOT = Path(__file__).parents[1]

DOCS = sorted([*ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md")])


@pytest.mark.parametrize("file", reference.PAGES)
def test_the_reference_is_what_the_code_says(file):
    written = (ROOT / "docs" / "reference" / file).read_text()
    assert written == reference.PAGES[file](), "run `make docs`"


def test_the_figures_of_the_readme_are_those_of_the_benchmark_page():
    written = readme_figures.README.read_text(encoding="utf-8")
    assert written == readme_figures.updated_readme(), "run `make docs`"


def test_screenshots_show_the_present_pages():
    written = (screenshots.FOLDER / screenshots.DIGEST).read_text(encoding="utf-8").strip()
    assert written == screenshots.digest_of_pages(), "run `python -m tools.screenshots`"


def test_the_manual_page_is_what_the_commands_say():
    assert man_page.PAGE.read_text(encoding="utf-8") == man_page.man_page(), "run `make docs`"


@pytest.mark.parametrize("path", DOCS, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_to_files(path):
    for target in re.findall(r"\]\(([^)#\s]+)", path.read_text()):
        if "://" not in target:
            assert (path.parent / target).exists(), target


_IMPORT = re.compile(r"^ *from (lycosa[\w.]*) import (\([^)]*\)|.+)$", re.MULTILINE)
GENERATED = [*ROOT.glob("docs/reference/python/*.md"), ROOT / "docs" / "reference" / "api.md"]


@pytest.mark.parametrize(
    "path", sorted(set(DOCS) - set(GENERATED)), ids=lambda p: str(p.relative_to(ROOT))
)
def test_examples_import_public_names_only(path):
    """Every name that a page imports is exported by a package that has a reference page."""
    public = {name: import_module(name).__all__ for name in reference.public_packages()}
    for block in re.findall(r"^```python\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL):
        for package, names in _IMPORT.findall(block):
            for name in re.findall(r"\w+", names.partition("#")[0]):
                assert name in public.get(package, []), f"{package} does not export {name}"


def test_every_page_is_in_the_navigation():
    nav = (ROOT / "mkdocs.yml").read_text()
    for path in ROOT.glob("docs/**/*.md"):
        assert str(path.relative_to(ROOT / "docs")) in nav


@pytest.mark.parametrize("package", packages.packages())
def test_readmes_of_packages_are_current(package):
    written = (packages.SOURCE / package / "README.md").read_text(encoding="utf-8")
    assert written == packages.readme(package), "run `make docs`"


def test_every_public_package_has_a_reference_page():
    pages = {path.stem for path in (ROOT / "docs" / "reference" / "python").glob("*.md")}
    assert pages == {name.removeprefix("lycosa.") for name in reference.public_packages()[1:]}


def test_files_named_in_contributing_exist():
    """Every file or folder that the table of changes names is there, but for new ones."""
    new = {"crawler/cluster/"}
    table = (ROOT / "CONTRIBUTING.md").read_text().partition("|---|---|")[2].partition("\n\n")[0]
    rows = [line for line in table.splitlines() if line.startswith("|")]
    assert len(rows) == 13
    for row in rows:
        files = re.findall(r"`([\w/]+(?:\.py|/))`", row)
        assert 1 <= len(files) <= 4, row
        for file in files:
            assert file in new or (packages.SOURCE / file).exists(), file
