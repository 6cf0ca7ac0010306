"""Policies: one file per spider."""
