"""OAI-PMH 2.0 of a portal: other tools harvest its works, and later what has changed."""

from __future__ import annotations

from lycosa.portal.oai.provider import Provider

__all__ = ["Provider"]
