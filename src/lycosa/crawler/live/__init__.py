"""The crawl of the live web, from one request upwards."""
