"""Experiments: spiders against recorded sites, measured."""
