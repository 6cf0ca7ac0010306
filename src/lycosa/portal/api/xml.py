r"""XML elements with escaped text.

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
_INVALID = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def element(name: str, *inside: str | Markup, **attributes: str) -> Markup:
    """Return an element; strings inside are escaped, `Markup` is not.

    A colon in the name of an attribute is written `__`.
    """
    written = "".join(
        f' {key.replace("__", ":")}="{_text(value)}"' for key, value in attributes.items()
    )
    if not inside:
        return Markup(f"<{name}{written}/>")  # noqa: S704 - everything in it is escaped
    content = "".join(one if isinstance(one, Markup) else _text(one) for one in inside)
    return Markup(f"<{name}{written}>{content}</{name}>")  # noqa: S704


def _text(text: str) -> str:
    return escape(_INVALID.sub("", text))
