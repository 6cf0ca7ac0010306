"""Many machines: the same crawl and the same build on Ray, with PostgreSQL as the shared truth.

Nothing below imports this package: without the extra `cluster` everything else works.
"""
