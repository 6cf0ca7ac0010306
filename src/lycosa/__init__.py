"""Lycosa: a web spider that learns which links lead to the pages you want.

What most programs need is exported here; each package exports the rest of its
public names. Modules are loaded when a name of theirs is first used.

>>> import lycosa
>>> site = lycosa.World(seed=0, departments=1, pages=200).department(0)
>>> goal = lycosa.Listed.of(site, "papers")
>>> steps = lycosa.simulate(site, lycosa.BreadthFirst(), goal, lycosa.Budget(pages=50))
>>> sum(1 for _ in steps)
50
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.compiled import prefer_source
from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.content import Bag, Content, Table, Tables
    from lycosa.core import (
        Budget,
        DeferringPolicy,
        ExplainingPolicy,
        Goal,
        GoalWithWords,
        Link,
        ObservingGoal,
        Page,
        Policy,
        ScoreContribution,
        Scores,
        Site,
        Step,
        WordEffect,
        WrappingPolicy,
    )
    from lycosa.crawler.crawl import Crawl
    from lycosa.crawler.live.engine import LiveCrawl
    from lycosa.crawler.simulation import simulate
    from lycosa.errors import ContractError, LycosaError, UsageError
    from lycosa.goals import (
        Categories,
        Depth,
        Examples,
        Function,
        InLinks,
        Language,
        LinkCount,
        Listed,
        OfType,
        PageRank,
        Query,
        ResearchPaper,
        WordCount,
        check_goal,
        read_goal,
        weighted,
    )
    from lycosa.lab import experiment, report
    from lycosa.project import Project, crawl
    from lycosa.sites import Graph, Recording, find_sites, open_site
    from lycosa.sites.checks import check_site
    from lycosa.sites.generated import World
    from lycosa.spiders import (
        BreadthFirst,
        DepthFirst,
        Optimal,
        Random,
        Setup,
        check_policy,
        spider,
    )
    from lycosa.web.reader import Reader
    from lycosa.web.urls import Scope, canonical

_HOMES = {
    "content": "Bag Content Table Tables",
    "core": "Budget DeferringPolicy ExplainingPolicy Goal GoalWithWords Link ObservingGoal "
    "Page Policy ScoreContribution Scores Site Step WordEffect WrappingPolicy",
    "crawler.crawl": "Crawl",
    "crawler.live.engine": "LiveCrawl",
    "crawler.simulation": "simulate",
    "errors": "ContractError LycosaError UsageError",
    "goals": "Categories Depth Examples Function InLinks Language LinkCount Listed OfType PageRank "
    "Query ResearchPaper WordCount check_goal read_goal weighted",
    "lab": "experiment report",
    "project": "Project crawl",
    "sites": "Graph Recording find_sites open_site",
    "sites.checks": "check_site",
    "sites.generated": "World",
    "spiders": "BreadthFirst DepthFirst Optimal Random Setup check_policy spider",
    "web.reader": "Reader",
    "web.urls": "Scope canonical",
}

__all__ = [
    "Bag",
    "BreadthFirst",
    "Budget",
    "Categories",
    "Content",
    "ContractError",
    "Crawl",
    "DeferringPolicy",
    "Depth",
    "DepthFirst",
    "Examples",
    "ExplainingPolicy",
    "Function",
    "Goal",
    "GoalWithWords",
    "Graph",
    "InLinks",
    "Language",
    "Link",
    "LinkCount",
    "Listed",
    "LiveCrawl",
    "LycosaError",
    "ObservingGoal",
    "OfType",
    "Optimal",
    "Page",
    "PageRank",
    "Policy",
    "Project",
    "Query",
    "Random",
    "Reader",
    "Recording",
    "ResearchPaper",
    "Scope",
    "ScoreContribution",
    "Scores",
    "Setup",
    "Site",
    "Step",
    "Table",
    "Tables",
    "UsageError",
    "WordCount",
    "WordEffect",
    "World",
    "WrappingPolicy",
    "canonical",
    "check_goal",
    "check_policy",
    "check_site",
    "crawl",
    "experiment",
    "find_sites",
    "open_site",
    "read_goal",
    "report",
    "simulate",
    "spider",
    "weighted",
]

prefer_source()
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
