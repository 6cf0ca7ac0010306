"""How much a build writes that adds a paper: as much as that changes, however many there are."""

import pytest
from bench import portal_build, portal_increment

from lycosa.portal.build.database import Database
from lycosa.portal.build.indexing import update_index
from lycosa.portal.build.pipeline import Builder
from lycosa.portal.build.progress import BuildProgress
from lycosa.project import Project

MAX_CHANGED_WORKS = 2 * (1 + portal_build.REFERENCES)
"""The paper and what it cites; a reference may split a work, or join two."""
MAX_ROWS_OF_A_WORK = 15
"""Its own row, authors with their own, copy, citations, history and marks."""


def build(folder):
    """Return how many works changed, entries of the index, and rows of the tables."""
    project = Project.of_urls(folder, ["http://a.example/"], "paper", contact="a@example.org")
    with Database.open(folder) as database:
        before = database._database.total_changes
        builder = Builder(project, database, None, [], BuildProgress())
        works = builder.derive(builder.state(""), 1)
        rows = database._database.total_changes - before
        return works, update_index(database, BuildProgress()).added, rows


@pytest.mark.parametrize("papers", [40, 120])
def test_a_paper_changes_itself_and_what_it_cites(tmp_path, papers):
    base, more = tmp_path / "base", tmp_path / "more"
    base.mkdir()
    more.mkdir()
    portal_build.fill(base, papers, (more, 1))
    first = build(base)
    portal_increment.add(base, more)
    works, entries, rows = build(base)
    assert 1 <= works <= MAX_CHANGED_WORKS
    # Works that cite one with another id now have it in their entries.
    assert 1 <= entries <= MAX_CHANGED_WORKS + papers // 4
    assert rows <= MAX_ROWS_OF_A_WORK * (works + entries)
    assert works < first[0] // 4
