"""Recorded sites and the generated web."""
