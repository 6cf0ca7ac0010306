"""Fields and references extracted from the text of papers."""
