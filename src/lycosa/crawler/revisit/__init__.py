"""Revisiting: when to request which page again, and how much effort that is worth."""
