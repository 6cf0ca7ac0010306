"""A page written out: the outline of the plan in the words of the voice."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import urlsplit

from lycosa.sites.generated import templates
from lycosa.sites.generated.chance import Stream, key, mix
from lycosa.sites.generated.layout import Beyond, Part, Plan
from lycosa.sites.generated.prose import Prose
from lycosa.sites.generated.voice import Voice
from lycosa.sites.generated.words import ACCENTED

_SELF_CONTAINED = ("manual", "mirror")


class Answer(NamedTuple):
    """What a server says to a request."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def type(self) -> str:
        """The content type, or nothing."""
        return next((value for name, value in self.headers if name == "Content-Type"), "")


class Renderer:
    """Writes the pages of one site."""

    def __init__(self, plan: Plan, voice: Voice, prose: Prose, base: str, site: str) -> None:
        self._plan = plan
        self._voice = voice
        self._prose = prose
        self._base = base
        self._prefix = urlsplit(base).path
        self._key = key(plan.seed, "render")
        self._site = site

    def answer(self, number: int) -> Answer:
        """What the server says to a request for a page."""
        plan = self._plan
        if plan.kind(number) == "dead":
            return self.missing(self._prefix + plan.path(number))
        if plan.type(number) == "application/pdf":
            return Answer(200, (("Content-Type", "application/pdf"),), self._voice.document(number))
        after = plan.after(number)
        return self._html(number, plan.outline(number), [(after, "next month")] if after else [])

    def beyond(self, page: Beyond) -> Answer:
        """A page that has no number: it only leads on and back."""
        ways = [(page.previous, "previous month"), (page.next, "next month")]
        return self._html(page.like, [("text", ())], ways, page.title)

    def moved(self, number: int, url: str) -> Answer:
        """What the server says when a page lies elsewhere."""
        status = (301, 302)[mix(self._key, number) & 1]
        return Answer(status, (("Content-Type", "text/html"), ("Location", url)), b"")

    def missing(self, path: str) -> Answer:
        """What the server says when there is nothing."""
        body = templates.missing(escape(path)).encode()
        return Answer(404, (("Content-Type", "text/html; charset=utf-8"),), body)

    def _html(
        self, number: int, outline: Sequence[Part], ways: Sequence[tuple[str, str]], title: str = ""
    ) -> Answer:
        """A page from its outline; `ways` are paths without numbers and their anchors."""
        plan, voice = self._plan, self._voice
        # A mirror is the same bytes at another address.
        section, index = plan.layout.where(number)
        mirrored = section in _SELF_CONTAINED
        code = mix(self._key, index if mirrored else number)
        stream = Stream(code)
        style = plan.style(number)
        broken = (code >> 50) % 10 == 0
        title = title or voice.title(number, stream)
        if outline and outline[0][0] == "frames":
            hrefs = [self._href(number, n, 0, code) for n in outline[0][1]]
            return _encode(templates.frameset(title, hrefs), "", "")
        body = [self._part(number, part, style, broken, stream) for part in outline]
        body += [
            templates.anchor(escape(self._prefix + path), text, style, broken)
            for path, text in ways
        ]
        menu = [
            templates.anchor(
                self._href(number, n, style, mix(code, n)),
                voice.item("menu", number, n, Stream(mix(self._key, n))).anchor,
                style,
                broken,
            )
            for n in plan.menu(number)
        ]
        # Old pages often say nothing of their charset, and some write it in Latin-1.
        latin = style < 2 and (code >> 40) % 4 == 0
        if latin and not mirrored:
            body.append(
                templates.paragraph(f"{stream.one(ACCENTED)}, {stream.one(ACCENTED)}", style)
            )
        charset = "" if style < 2 or code & 7 == 0 else "utf-8"
        text = templates.page(
            title, "".join(body), menu, style=style, broken=broken, charset=charset,
            site=escape(self._site),
        )  # fmt: skip
        encoding = "latin-1" if latin else "utf-8"
        return _encode(text, encoding, "" if latin or code & 8 else "utf-8")

    def _part(self, number: int, part: Part, style: int, broken: bool, stream: Stream) -> str:
        role, targets = part
        voice = self._voice
        if role in ("text", "abstract"):
            text = voice.passage(role, number, stream)
            if not text:
                kind = self._plan.kind(number)
                count = 25 + stream.below(120)
                text = self._prose.text(stream, voice.topic(number), kind, count)
            return templates.paragraph(escape(text, quote=False), style)
        if role == "outside":
            links = [
                templates.anchor(escape(href), text, style, broken)
                for href, text in voice.outside(number, stream)
            ]
        else:
            links = []
            for target in targets:
                before, text, after = voice.item(role, number, target, stream)
                href = self._href(number, target, style, stream.next())
                link = templates.anchor(href, escape(text, quote=False), style, broken)
                links.append(f"{before}{link}{after}")
        if not links:
            return ""
        head = templates.heading(voice.heading(role, stream), style, broken)
        return head + templates.listing(links, style, broken, stream)

    def _href(self, source: int, target: int, style: int, code: int) -> str:
        """One of the many ways to write an address."""
        plan = self._plan
        path = plan.path(target)
        here = plan.path(source)
        folder = here[: here.rfind("/") + 1]
        near = path.startswith(folder) and len(path) > len(folder) and folder != "/"
        if near and plan.layout.where(source)[0] in _SELF_CONTAINED:
            return path[len(folder) :]
        if code & 7 == 0 and source != target:
            path = plan.alias(target) or path
            near = False
        ending = "#top" if code & 240 == 0 else ""
        if near and (style < 2 or code & 256) and ":" not in path:
            return escape(path[len(folder) :]) + ending
        if style < 2 and code & 512 and "~" in path:
            path = path.replace("~", "%7E")
        if (code >> 12) % 5 == 0:
            return escape(self._full(path, code)) + ending
        return escape(self._prefix + path) + ending

    def _full(self, path: str, code: int) -> str:
        scheme, _, rest = self._base.partition("://")
        host, slash, prefix = rest.partition("/")
        if (code >> 20) % 8 == 0:
            host = host.upper() if ":" in host else host.upper() + ":80"
        return f"{scheme}://{host}{slash}{prefix}{path}"


def _encode(text: str, encoding: str, charset: str) -> Answer:
    kind = f"text/html; charset={charset}" if charset else "text/html"
    body = text.encode(encoding or "utf-8", "xmlcharrefreplace")
    return Answer(200, (("Content-Type", kind),), body)
