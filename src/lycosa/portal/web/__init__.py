"""The website of a portal: pages rendered on the server that need no scripts."""

from lycosa.portal.web.app import make_app
from lycosa.portal.web.settings import Settings

__all__ = ["Settings", "make_app"]
