"""The live crawl: the engine, its configuration, its recorder and its status."""
