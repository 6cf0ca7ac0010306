"""The portal: a search engine made of what a crawl found (McCallum et al. 1999)."""
