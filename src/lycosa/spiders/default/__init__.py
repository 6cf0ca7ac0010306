"""The house spider, the one that a person gets who does not choose."""

from lycosa.spiders.default.house import House

__all__ = ["House"]
