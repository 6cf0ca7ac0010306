"""Politeness: the scheduler, the pace of requests to a host, and robots.txt."""
