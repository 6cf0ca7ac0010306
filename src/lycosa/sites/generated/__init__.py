"""The generated web: sites computed from a seed, page by page, never stored."""

from lycosa.sites.generated.papers import Library, Paper, Reference
from lycosa.sites.generated.render import Answer
from lycosa.sites.generated.site import Addresses, GeneratedSite
from lycosa.sites.generated.world import FAMILIES, World

__all__ = [
    "FAMILIES",
    "Addresses",
    "Answer",
    "GeneratedSite",
    "Library",
    "Paper",
    "Reference",
    "World",
]
