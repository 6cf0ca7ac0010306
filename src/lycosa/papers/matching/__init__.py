"""References grouped into works."""
