"""The generated web: synthetic sites, computed page by page from a seed and never stored."""

from lycosa.sites.generated.papers import GeneratedPaper, GeneratedReference, PaperLibrary
from lycosa.sites.generated.renderer import GeneratedResponse
from lycosa.sites.generated.site import GeneratedSite, GeneratedUrls
from lycosa.sites.generated.world import FAMILIES, World

__all__ = [
    "FAMILIES",
    "GeneratedPaper",
    "GeneratedReference",
    "GeneratedResponse",
    "GeneratedSite",
    "GeneratedUrls",
    "PaperLibrary",
    "World",
]
