"""The competition: crawlers of the literature, each in one small file, to be measured against.

They are written from the papers they cite; what the papers leave open, and what
had to be changed for a crawl that fetches each page once, is said in
docs/explanation/rivals.md.
"""

from lycosa.spiders.published.kinds import RIVALS

__all__ = ["RIVALS"]
