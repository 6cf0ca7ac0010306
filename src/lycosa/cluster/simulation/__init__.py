"""A simulation of large clusters: how fast they would crawl, and what would limit them.

Addresses are aggregates of URLs, not objects for each URL, so that a web of 10⁹ URLs fits on one
machine. Which worker crawls which address is decided by the code of the real cluster.
"""
