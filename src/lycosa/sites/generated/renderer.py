"""Renderer of generated pages: the outline of the plan as HTML, with the site's wording."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import urlsplit

from lycosa.sites.generated import templates
from lycosa.sites.generated.layout import Part, Plan, UnnumberedPage
from lycosa.sites.generated.random_stream import RandomStream, key, mix
from lycosa.sites.generated.wording import Wording
from lycosa.sites.generated.words import ACCENTED

_SELF_CONTAINED = ("manual", "mirror")


class GeneratedResponse(NamedTuple):
    """The response of a generated site to a request.

    `status` is the HTTP status; `headers` are pairs of name and value; `body` has no
    content coding.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def type(self) -> str:
        """Return the Content-Type header; empty if there is none."""
        return next((value for name, value in self.headers if name == "Content-Type"), "")


class Renderer:
    """Renders the pages of one site.

    Parameters
    ----------
    plan
        The structure of the site.
    wording
        The titles, headings, anchors, running text and documents.
    base
        The URL of the site, without a slash at the end.
    site
        The title of the site.
    """

    def __init__(self, plan: Plan, wording: Wording, base: str, site: str) -> None:
        self._plan = plan
        self._wording = wording
        self._base = base
        self._prefix = urlsplit(base).path
        self._key = key(plan.seed, "render")
        self._site = site

    def response(self, number: int) -> GeneratedResponse:
        """Return the response to a request for a page."""
        plan = self._plan
        if plan.kind(number) == "dead":
            return self.not_found(self._prefix + plan.path(number))
        if plan.type(number) == "application/pdf":
            return GeneratedResponse(
                200, (("Content-Type", "application/pdf"),), self._wording.document(number)
            )
        after = plan.next_unnumbered_path(number)
        return self._html(number, plan.outline(number), [(after, "next month")] if after else [])

    def unnumbered(self, page: UnnumberedPage) -> GeneratedResponse:
        """Return a page without a number, which links only to its neighbours."""
        neighbours = [(page.previous, "previous month"), (page.next, "next month")]
        return self._html(page.like, [("text", ())], neighbours, page.title)

    def redirect(self, number: int, url: str) -> GeneratedResponse:
        """Return a redirect of a page to a URL."""
        status = (301, 302)[mix(self._key, number) & 1]
        return GeneratedResponse(status, (("Content-Type", "text/html"), ("Location", url)), b"")

    def not_found(self, path: str) -> GeneratedResponse:
        """Return the response for a path without a page."""
        body = templates.not_found(escape(path)).encode()
        return GeneratedResponse(404, (("Content-Type", "text/html; charset=utf-8"),), body)

    def _html(
        self,
        number: int,
        outline: Sequence[Part],
        extra_links: Sequence[tuple[str, str]],
        title: str = "",
    ) -> GeneratedResponse:
        """Render a page; `extra_links` are paths of pages without numbers, and anchors."""
        plan, wording = self._plan, self._wording
        # A mirror has the same bytes at another URL.
        section, index = plan.layout.where(number)
        mirrored = section in _SELF_CONTAINED
        code = mix(self._key, index if mirrored else number)
        stream = RandomStream(code)
        style = plan.style(number)
        broken = (code >> 50) % 10 == 0
        title = title or wording.title(number, stream)
        if outline and outline[0][0] == "frames":
            hrefs = [self._href(number, n, 0, code) for n in outline[0][1]]
            return _encode(templates.frameset(title, hrefs), "", "")
        body = [self._part(number, part, style, broken, stream) for part in outline]
        body += [
            templates.anchor(escape(self._prefix + path), text, style, broken)
            for path, text in extra_links
        ]
        menu = [
            templates.anchor(
                self._href(number, n, style, mix(code, n)),
                wording.link_text("menu", number, n, RandomStream(mix(self._key, n))).anchor,
                style,
                broken,
            )
            for n in plan.menu(number)
        ]
        # Old pages often declare no charset, and some are in Latin-1.
        latin = style < 2 and (code >> 40) % 4 == 0
        if latin and not mirrored:
            body.append(templates.paragraph(stream.choice(ACCENTED), style))
        charset = "" if style < 2 or code & 7 == 0 else "utf-8"
        text = templates.page(
            title, "".join(body), menu, style=style, broken=broken, charset=charset,
            site=escape(self._site),
        )  # fmt: skip
        encoding = "latin-1" if latin else "utf-8"
        return _encode(text, encoding, "" if latin or code & 8 else "utf-8")

    def _part(self, number: int, part: Part, style: int, broken: bool, stream: RandomStream) -> str:
        role, targets = part
        wording = self._wording
        if role in ("text", "abstract"):
            text = wording.passage(role, number, stream)
            return templates.paragraph(escape(text, quote=False), style)
        if role == "outside":
            links = [
                templates.anchor(escape(href), text, style, broken)
                for href, text in wording.external_links(number, stream)
            ]
        else:
            links = []
            for target in targets:
                before, text, after = wording.link_text(role, number, target, stream)
                href = self._href(number, target, style, stream.next())
                link = templates.anchor(href, escape(text, quote=False), style, broken)
                links.append(f"{before}{link}{after}")
        if not links:
            return ""
        head = templates.heading(wording.heading(role, stream), style, broken)
        return head + templates.link_list(links, style, broken, stream)

    def _href(self, source: int, target: int, style: int, code: int) -> str:
        """Return one of the many spellings of a link to a page."""
        plan = self._plan
        path = plan.path(target)
        source_path = plan.path(source)
        folder = source_path[: source_path.rfind("/") + 1]
        inside = path.startswith(folder) and len(path) > len(folder) and folder != "/"
        if inside and plan.layout.where(source)[0] in _SELF_CONTAINED:
            return path[len(folder) :]
        if code & 7 == 0 and source != target:
            path = plan.alias(target) or path
            inside = False
        ending = "#top" if code & 240 == 0 else ""
        if inside and (style < 2 or code & 256) and ":" not in path:
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


def _encode(text: str, encoding: str, charset: str) -> GeneratedResponse:
    kind = f"text/html; charset={charset}" if charset else "text/html"
    body = text.encode(encoding or "utf-8", "xmlcharrefreplace")
    return GeneratedResponse(200, (("Content-Type", kind),), body)
