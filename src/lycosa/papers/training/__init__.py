"""Training of labellers from tagged and synthetic text."""
