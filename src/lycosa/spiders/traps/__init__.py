"""Any spider, made wary of traps: copies, pages that are not there, webs without end."""

from lycosa.spiders.traps.duplicates import Duplicates
from lycosa.spiders.traps.named import wary
from lycosa.spiders.traps.soft_404 import Soft404
from lycosa.spiders.traps.trap_statistics import Doubt, Why
from lycosa.spiders.traps.wary import Wary

__all__ = ["Doubt", "Duplicates", "Soft404", "Wary", "Why", "wary"]
