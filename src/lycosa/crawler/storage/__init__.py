"""Crawl state on disk: step log, archive volumes, readers."""
