"""The pages of the portal: made on the server, for any browser, and safe to show to anybody."""

from lycosa.portal.web.app import make_app
from lycosa.portal.web.settings import Settings

__all__ = ["Settings", "make_app"]
