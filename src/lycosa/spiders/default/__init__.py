"""The default policy, `house`."""

from lycosa.spiders.default.house import House

__all__ = ["House"]
