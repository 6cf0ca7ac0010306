"""Experiments: compare spiders on recorded sites by the measures of the field."""

from lycosa.lab.experiment import ExperimentProgress, experiment
from lycosa.lab.report import report
from lycosa.lab.results import Results, Run, Summary
from lycosa.lab.table import tables

__all__ = ["ExperimentProgress", "Results", "Run", "Summary", "experiment", "report", "tables"]
