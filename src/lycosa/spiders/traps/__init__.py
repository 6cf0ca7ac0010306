"""Trap detection for any policy: duplicates, soft 404s, session ids, calendars, endless paths."""

from lycosa.spiders.traps.duplicates import Duplicates
from lycosa.spiders.traps.named import wary
from lycosa.spiders.traps.soft_404 import Soft404
from lycosa.spiders.traps.trap_statistics import DeferralReason, DeferredShape
from lycosa.spiders.traps.wary import Wary

__all__ = ["DeferralReason", "DeferredShape", "Duplicates", "Soft404", "Wary", "wary"]
