"""Learning: from the words around links to numbers."""
