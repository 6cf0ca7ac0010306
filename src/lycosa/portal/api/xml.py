r"""XML, written safely whatever the texts hold.

>>> print(element("title", "Ants & <b>bees</b>\0", lang="en"))
<title lang="en">Ants &amp; &lt;b&gt;bees&lt;/b&gt;</title>
>>> print(element("link", href="/?a=1&b=2"))
<link href="/?a=1&amp;b=2"/>
"""

from __future__ import annotations

import re
from html import escape

from markupsafe import Markup

HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def element(name: str, *inside: str | Markup, **attributes: str) -> Markup:
    """An element; texts inside are escaped, elements are not. A colon in a name is `__`."""
    given = "".join(
        f' {key.replace("__", ":")}="{_text(value)}"' for key, value in attributes.items()
    )
    if not inside:
        return Markup(f"<{name}{given}/>")  # noqa: S704 - all of it is escaped
    held = "".join(one if isinstance(one, Markup) else _text(one) for one in inside)
    return Markup(f"<{name}{given}>{held}</{name}>")  # noqa: S704


def _text(text: str) -> str:
    return escape(_UNWRITABLE.sub("", text))
