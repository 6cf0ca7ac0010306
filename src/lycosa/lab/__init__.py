"""Experiments: spiders against recorded sites, measured."""

from lycosa.lab.experiment import Watcher, experiment
from lycosa.lab.report import report
from lycosa.lab.results import Results, Run, Summary
from lycosa.lab.table import tables

__all__ = ["Results", "Run", "Summary", "Watcher", "experiment", "report", "tables"]
