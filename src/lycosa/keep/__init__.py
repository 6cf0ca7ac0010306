"""Keeping a portal alive: crawl, build and serve for ever, within limits."""
