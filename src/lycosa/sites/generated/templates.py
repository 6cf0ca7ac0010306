"""Page templates: four styles of four periods, each with its malformed variant.

* 0: plain pages of 1994, the menu at the foot;
* 1: tables and font tags of 1997, the menu in the left column;
* 2: XHTML of 2005, divisions in divisions;
* 3: HTML5 of 2020, with nav, main, aside and footer.
"""

from __future__ import annotations

from collections.abc import Sequence

from lycosa.sites.generated.random_stream import RandomStream

MENU_FIRST = (False, True, True, True)
"""Whether the menu of a template comes before the body of its pages."""


def anchor(href: str, text: str, style: int, broken: bool) -> str:
    """Return a link."""
    if style == 1:
        mark = "" if broken else '"'
        return f"<A HREF={mark}{href}{mark}>{text}</A>"
    if style == 2 and len(text) < 6:
        return f'<a class="s" href="{href}"><span>{text}</span></a>'
    return f'<a href="{href}">{text}</a>'


def link_list(items: Sequence[str], style: int, broken: bool, stream: RandomStream) -> str:
    """Return a list of links."""
    if style == 0:
        return "<ul>\n" + "\n".join(f"<li> {item}" for item in items) + "\n</ul>\n"
    if style == 1:
        if stream.below(2):
            rows = "\n".join(
                f"<TR><TD>{'' if broken else '&#149;'}<TD><FONT SIZE=2>{item}</FONT>"
                for item in items
            )
            return f"<TABLE BORDER=0 CELLPADDING=2>{rows}</TABLE>\n"
        return "<P>\n" + "<BR>\n".join(items) + "\n"
    if style == 2:
        tag = "dd" if stream.below(3) == 0 else "p"
        lines = "\n".join(f'<{tag} class="item">{item}</{tag}>' for item in items)
        return f"<dl>{lines}</dl>\n" if tag == "dd" else f'<div class="list">{lines}</div>\n'
    return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>\n"


def heading(text: str, style: int, broken: bool) -> str:
    """Return the heading of a part of a page."""
    if not text:
        return "<hr>\n" if style < 2 else ""
    if style == 1:
        return f"<H3><FONT COLOR=#003366>{text}</FONT></H3>\n"
    if broken:
        return f"<h2><b>{text}</h2></b>\n"
    return f"<h2>{text}</h2>\n"


def paragraph(text: str, style: int) -> str:
    """Return a paragraph."""
    if style == 0:
        return f"{text}\n<p>\n"
    if style == 1:
        return f'<P><FONT FACE="Arial" SIZE=2>{text}</FONT>\n'
    return f"<p>{text}</p>\n"


def page(
    title: str, body: str, menu: Sequence[str], *, style: int, broken: bool, charset: str, site: str
) -> str:
    """Return a whole page around its body; `broken` leaves out or misplaces tags."""
    match style:
        case 0:
            foot = " | ".join(menu)
            head = "" if broken else "<html><head>"
            return (
                f"{head}<title>{title}</title>\n<h1>{title}</h1>\n{body}<hr>\n"
                f"{f'[ {foot} ]' if foot else ''}\n<address>{site}</address>\n"
            )
        case 1:
            cells = "\n".join(f"<TR><TD><B>{link}</B></TD></TR>" for link in menu)
            end = "" if broken else "</TD></TR></TABLE>\n</BODY></HTML>\n"
            return (
                f"<HTML><HEAD><TITLE>{title}</TITLE></HEAD>\n<BODY BGCOLOR=#FFFFFF>\n"
                f"<TABLE WIDTH=600><TR><TD VALIGN=TOP BGCOLOR=#CCCCFF><TABLE>{cells}</TABLE></TD>\n"
                f"<TD><H1>{title}</H1>\n{body}<HR><I>{site}</I>\n{end}"
            )
        case 2:
            links = "".join(f"<li>{link}</li>" for link in menu)
            meta = (
                f'<meta http-equiv="Content-Type" content="text/html; charset={charset}" />'
                if charset
                else ""
            )
            stray = "</div></div></span>" if broken else ""
            return (
                '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" '
                '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n'
                f'<html xmlns="http://www.w3.org/1999/xhtml"><head>{meta}<title>{title}</title>\n'
                f'</head><body><div id="wrap"><div id="head"><h1>{title}</h1></div>\n'
                f'<div id="nav"><ul>{links}</ul></div>{stray}\n<div id="main"><div class="inner">\n'
                f'{body}</div></div>\n<div id="foot"><p>{site}</p></div></div></body></html>\n'
            )
    links = "".join(f"<li>{link}</li>" for link in menu)
    meta = f'<meta charset="{charset}">' if charset else ""
    end = "" if broken else "</body></html>\n"
    return (
        f'<!doctype html>\n<html lang="en"><head>{meta}<title>{title}</title>\n'
        f"<style>nav{{float:right}}</style></head>\n<body><header><nav><ul>{links}</ul></nav></header>\n"
        f"<main><article><h1>{title}</h1>\n{body}</article></main>\n"
        f"<footer><p>{site}</p><ul>{links}</ul></footer>{end}"
    )


def frameset(title: str, frames: Sequence[str]) -> str:
    """Return a page that is only a set of frames."""
    inside = "\n".join(f'<FRAME SRC="{href}">' for href in frames)
    return (
        f'<HTML><HEAD><TITLE>{title}</TITLE></HEAD>\n<FRAMESET COLS="25%,75%">\n{inside}\n'
        "<NOFRAMES><BODY>This page needs frames.</BODY></NOFRAMES></FRAMESET></HTML>\n"
    )


def not_found(path: str) -> str:
    """Return the page of a 404 response."""
    return (
        "<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1>\n"
        f"<p>The requested URL {path} was not found on this server.</p></body></html>\n"
    )
