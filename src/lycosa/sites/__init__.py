"""Sites for simulation: recorded sites, their link graphs, and the generated web."""

from lycosa.sites.graph import Graph
from lycosa.sites.recording import Recording, find_sites, open_site

__all__ = ["Graph", "Recording", "find_sites", "open_site"]
