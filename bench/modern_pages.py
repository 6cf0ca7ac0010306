"""Generated pages as sites of today serve them: 50 to 300 KB with hundreds of links.

A front page of news, a shop or a university is mostly markup: menus of menus, cards with a
picture and three links to one article, class attributes of a utility framework, inline icons
and styles, scripts with state as JSON, and a footer with every section of the site. Menus and
footer are alike on all pages of a site; the cards differ.

>>> url, body = next(modern_pages(1))
>>> url, 40_000 < len(body) < 400_000, body.count(b"<a ") > 200
('https://www.site.example/section-0/page-0', True, True)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from zlib import crc32

from lycosa.papers.synthetic.vocabulary import COMMON_WORDS
from lycosa.sites.generated.words import TOPICS

ORIGIN = "https://www.site.example"
MENU_SECTIONS, MENU_LINKS = 8, 12
MIN_CARDS, MAX_CARDS = 20, 260
"""Cards of a page; each has about 1.1 KB."""

_INSIDE = re.compile(rb'href="(/[^"]*)"')
_WORDS = (*COMMON_WORDS, *(word for topic in TOPICS for word in topic.words))
_UTILITIES = (
    "flex grid items-center justify-between px-4 py-2 mt-6 mb-3 text-sm text-lg font-semibold "
    "md:flex lg:grid-cols-3 hover:underline rounded-lg shadow-md border-b w-full max-w-7xl"
).split()
_ICON = (
    '<svg class="icon icon-{0}" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">'
    '<path fill="none" stroke="currentColor" d="M{1} 7l9-4 9 4-9 4zm0 5l9 4 9-4"/>'
    '<circle cx="{1}" cy="12" r="3"></circle></svg>'
)


def modern_pages(count: int, seed: int = 0) -> Iterator[tuple[str, bytes]]:
    """Yield the URLs and bodies of so many pages of one site."""
    site = Random(seed)
    menu, footer, style = _menu(site), _footer(site), _style(site)
    for number in range(count):
        chance = Random(f"{seed} {number}")
        cards = round(MIN_CARDS * (MAX_CARDS / MIN_CARDS) ** chance.random())
        body = "\n".join(_card(chance, n) for n in range(cards))
        title = _text(chance, 6).capitalize()
        html = (
            f'<!DOCTYPE html>\n<html lang="en" class="no-js"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{title} | Site</title>{style}{_scripts(chance)}</head>\n"
            f'<body class="page page-{number} {_classes(chance)}"><div id="app"><div class="wrap">'
            f'{menu}\n<main id="content" role="main"><h1 class="{_classes(chance)}">{title}</h1>'
            f'<section class="cards {_classes(chance)}">\n{body}\n</section></main>\n{footer}'
            f"</div></div>{_scripts(chance)}</body></html>"
        )
        yield ORIGIN + _path(number), html.encode()


def linked_pages(count: int, seed: int = 0) -> Iterator[tuple[str, bytes]]:
    """Yield the paths and bodies of pages whose links inside the site lead to one another.

    >>> pages = dict(linked_pages(3))
    >>> paths = {path.decode() for body in pages.values() for path in _INSIDE.findall(body)}
    >>> paths <= pages.keys()
    True
    """
    paths = [_path(number) for number in range(count)]

    def replaced(found: re.Match[bytes]) -> bytes:
        return b'href="%s"' % paths[crc32(found[1]) % count].encode()

    for path, (_, body) in zip(paths, modern_pages(count, seed), strict=True):
        yield path, _INSIDE.sub(replaced, body)


def _path(number: int) -> str:
    return f"/section-{number % MENU_SECTIONS}/page-{number}"


def _text(chance: Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words))


def _classes(chance: Random) -> str:
    return " ".join(chance.sample(_UTILITIES, chance.randint(2, 6)))


def _menu(chance: Random) -> str:
    sections = []
    for section in range(MENU_SECTIONS):
        items = "".join(
            f'\n<li class="menu-item menu-item-{n}"><a class="menu-link {_classes(chance)}" '
            f'href="/section-{section}/{"-".join(chance.sample(_WORDS, 2))}">'
            f"<span>{_text(chance, 2)}</span></a></li>"
            for n in range(MENU_LINKS)
        )
        sections.append(
            f'<li class="menu-section"><button type="button" aria-expanded="false">'
            f"{_ICON.format('chevron', section)}</button>"
            f'<a href="/section-{section}/">{_text(chance, 1)}</a><ul>{items}\n</ul></li>'
        )
    return f'<header><nav id="menu" class="{_classes(chance)}"><ul>{"".join(sections)}</ul></nav>'


def _footer(chance: Random) -> str:
    columns = []
    for column in range(4):
        items = "\n".join(
            f'<li><a href="https://other-{n}.example/{chance.choice(_WORDS)}" rel="noopener" '
            f'target="_blank">{_text(chance, 2)}</a></li>'
            for n in range(8)
        )
        columns.append(f'<div class="col col-{column}"><h4>{_text(chance, 1)}</h4>{items}</div>')
    return f"<footer>{''.join(columns)}<!-- build {chance.random()} --><p>&copy; Site</p></footer>"


def _card(chance: Random, number: int) -> str:
    article = (
        f"/section-{chance.randrange(MENU_SECTIONS)}/{_slug(chance)}-{chance.randrange(10**6)}"
    )
    tags = "".join(
        f'<a class="tag" href="/tags/{tag}?from=card&amp;n={number}">#{tag}</a> '
        for tag in chance.sample(_WORDS, 2)
    )
    return (
        f'<article class="card {_classes(chance)}" data-id="{number}">'
        f'<div class="card-media"><a href="{article}" tabindex="-1"><picture><source '
        f'srcset="/img/{number}.avif 1x, /img/{number}@2x.avif 2x"><img loading="lazy" '
        f'src="/img/{number}.jpg" alt="{_text(chance, 4)}"></picture></a></div>'
        f'<div class="card-body"><div class="{_classes(chance)}"><h3 class="card-title">'
        f'<a href="{article}" class="{_classes(chance)}">{_text(chance, 8)}</a></h3>'
        f'<p class="card-text">{_text(chance, 25)} <strong>{_text(chance, 2)}</strong>.</p></div>'
        f'<div class="meta">{_ICON.format("clock", number)}<time datetime="2026-01-01">'
        f'{number} min</time><span class="by">By <a href="/people/{_slug(chance)}">'
        f"{_text(chance, 2)}</a></span>{tags}</div></div></article>"
    )


def _slug(chance: Random) -> str:
    return "-".join(chance.choices(_WORDS, k=3))


def _style(chance: Random) -> str:
    rules = "".join(f".{name}>a{{margin:{chance.randrange(9)}px}}" for name in _WORDS[:80])
    return f"<style>{rules}</style>"


def _scripts(chance: Random) -> str:
    state = {word: _text(chance, 12) for word in chance.sample(_WORDS, 30)}
    return (
        f'<script type="application/json">{json.dumps(state)}</script>'
        "<script>for(var i=0;i<9;i++){if(i<5&&i>2){window.q=(window.q||[]).concat('</'+'b>')}}"
        "</script>"
    )
