"""The learned order inside other people's crawlers."""
