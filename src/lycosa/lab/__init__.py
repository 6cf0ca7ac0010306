"""Experiments: spiders on recorded sites, measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.lab.experiments import ExperimentProgress, experiment
    from lycosa.lab.html_report import report
    from lycosa.lab.results import Results, Run, Summary
    from lycosa.lab.table import tables

_HOMES = {
    "experiments": "ExperimentProgress experiment",
    "html_report": "report",
    "results": "Results Run Summary",
    "table": "tables",
}
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)

__all__ = [
    "ExperimentProgress",
    "Results",
    "Run",
    "Summary",
    "experiment",
    "report",
    "tables",
]
