"""The order of a Lycosa spider inside other crawling frameworks."""
