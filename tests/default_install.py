"""Use each part of the default install while the import of optional packages fails.

Run by `test_dependencies.py` in a process of its own.
"""

import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest

OPTIONAL = {"sklearn", "joblib", "mcp", "pyarrow", "scrapy", "uvloop"}


class Blocker(MetaPathFinder):
    """Refuses to import the optional packages."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] in OPTIONAL:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def crawl(world, name):
    from lycosa import Budget, Listed, Setup, simulate, spider

    site, other = world.department(0), world.department(1)
    policy = spider(name)(Setup(site, "papers", training=[other]))
    steps = simulate(site, policy, Listed.of(site, "papers"), Budget(pages=150))
    return sum(step.reward for step in steps)


def main(folder: Path) -> None:
    sys.meta_path.insert(0, Blocker())
    import lycosa.portal.api
    import lycosa.portal.web  # noqa: F401
    from lycosa import Examples, World
    from lycosa.errors import UsageError
    from lycosa.papers.paper import PaperReader
    from lycosa.topics.classifier import Classifier
    from lycosa.topics.corpus import Corpus
    from lycosa.topics.hierarchy import Hierarchy

    world = World(seed=1, departments=2, pages=300)
    for name in ("house", "yield(combined)", "yield(generalised, tree)", "rl(nb)"):
        assert crawl(world, name) > 0, name
    with pytest.raises(UsageError, match=r"pip install 'lycosa\[svm\]'"):
        crawl(world, "rl(svm)")

    wanted, others = [["exam", "lecture"]] * 5, [["staff", "lab"]] * 5
    assert Examples(wanted, others).words[:2] == ("exam", "lecture")

    tree = Hierarchy.parse("Birds: owl\nFish: trout, carp")
    texts = ["owl with feather", "a feather", "trout has a fin", "carp and fin"] * 20
    placed = Classifier().fit(tree, Corpus.of(texts)).topics()
    assert [placed[n][0].path for n in (0, 2)] == ["Birds", "Fish"]

    paper = folder / "paper.txt"
    paper.write_text("Spiders that hunt\nAnn Lee\n\nAbstract\nWe hunt.\n\nReferences\n")
    with PaperReader() as reader:
        assert reader.file(paper).header.title == "Spiders that hunt"
    assert not OPTIONAL & sys.modules.keys()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
