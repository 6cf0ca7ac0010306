"""Papers: documents become fields and citations (McCallum et al. 1999)."""
