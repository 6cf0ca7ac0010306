"""Politeness: which URL may be requested now."""
