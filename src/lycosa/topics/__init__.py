"""Topics: classify documents into a tree of topics by keywords alone (McCallum et al. 1999)."""
