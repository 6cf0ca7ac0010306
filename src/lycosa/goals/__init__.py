"""What is wanted: objects that give a page its reward."""

from lycosa.goals.checks import check_goal
from lycosa.goals.listed import Listed

__all__ = ["Listed", "check_goal"]
