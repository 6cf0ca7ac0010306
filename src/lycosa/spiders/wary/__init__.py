"""Any spider, made wary of traps: copies, pages that are not there, webs without end."""

from lycosa.spiders.wary.doubts import Doubt, Why
from lycosa.spiders.wary.duplicates import Duplicates
from lycosa.spiders.wary.named import wary
from lycosa.spiders.wary.soft_404 import Soft404
from lycosa.spiders.wary.wary import Wary

__all__ = ["Doubt", "Duplicates", "Soft404", "Wary", "Why", "wary"]
