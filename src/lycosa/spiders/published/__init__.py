"""Policies published by others, for comparison, one module each.

They are written from the papers they cite. `docs/explanation/published-policies.md`
says what the papers leave open, and what differs in a crawl that fetches each page
once.
"""
