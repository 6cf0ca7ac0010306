"""The public names, and that they cost nothing until they are used."""

import subprocess
import sys

import lycosa


def test_every_exported_name_exists_and_has_words():
    assert sorted(lycosa.__all__) == sorted(lycosa._HOME_OF)
    assert sorted(lycosa.__all__) == lycosa.__all__
    for name in lycosa.__all__:
        assert getattr(lycosa, name).__doc__
        assert name in dir(lycosa)


def test_what_is_not_there_is_an_attribute_error():
    assert not hasattr(lycosa, "nothing")


def test_the_command_line_loads_nothing_heavy():
    heavy = "numpy scipy sklearn aiohttp selectolax rich".split()
    code = f"import lycosa, lycosa.cli, sys; print([m for m in {heavy} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_every_implementation_keeps_its_contract(tmp_path):
    """Contract checks over each site, policy and goal there is."""
    from lycosa.lab.labelled import Labelled
    from lycosa.spiders import SPIDERS, Setup, spider
    from recorded import record

    world = lycosa.World(seed=3, departments=2, organisations=1, pages=150)
    pages = {"http://a.example/": "<a href=x>x</a>", "http://a.example/x": "<a href=/>home</a>"}
    folder = record(tmp_path / "a", pages, targets={"x": ("http://a.example/x",)})
    sites = [*world.sites, lycosa.open_site(folder)]
    for site in sites:
        lycosa.check_site(site)
        for goal in site.goals:
            listed = lycosa.Listed.of(site, goal)
            lycosa.check_goal(listed, [site.page(n) for n in range(min(50, len(site)))])
    department = world.department(0)
    robots = Labelled(department, lycosa.Query("robot* OR title:home"))
    lycosa.check_site(robots)
    lycosa.check_goal(robots.goal, [robots.page(n) for n in range(50)])
    for name in SPIDERS:
        setup = Setup(department, "papers", training=[world.department(1)])
        lycosa.check_policy(spider(name)(setup), department)
