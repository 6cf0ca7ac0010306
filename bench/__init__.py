"""Benchmarks: they print figures and write them to docs/benchmarks.md; tests assert behaviour."""
