"""Topics: documents find their places in a tree of keywords (McCallum et al. 1999)."""
