"""The crawl as a state machine, and the runners that feed it."""
