"""WARC files and HTTP messages: one reader, one writer."""
