"""Folders of live crawls, filled by a real store."""

import math
from datetime import UTC, datetime, timedelta

from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.sqlite import SqliteStore

WHEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
NASTY = '"><script>alert(1)</script>'
FAULTS = ("dns", "timeout-read", "dns", "a-new-fault")

RUN = {
    "reason": "budget: pages", "seconds": 725.0, "requests": 230, "seeds": ["http://a.example/"],
    "goal": "papers", "spider": "rl(svm)", "estimate": [40, 62.5, 0.5, 0.9], "known": 900,
    "waiting": 700, "ended": WHEN.isoformat(),
}  # fmt: skip

HOSTS = {
    name: {
        "tempo": {
            "asked": 0.0, "slow": slow, "failures": 0, "since": 1.0,
            "back-off": back_off, "why": why, "quarantine": quarantine,
        },
        "pages": 1, "address": "", "waiting": waiting,
    }
    for name, slow, back_off, why, quarantine, waiting in (
        ("www.a.example", 0.25, 0.0, "", 0.0, 2),
        ("b.example:8080", 0.0, 30.0, "503", 0.0, 1),
        ("gone.example", 0.0, 5.0, "dns", 3000.0, 0),
        ("idle.example", 1.0, 0.0, "", 0.0, 0),
    )
}  # fmt: skip


def answer(url, when=WHEN, *, title="", type=b"text/html; charset=utf-8", status=200):
    body = f"<html><title>{title}</title>".encode()
    return Response(url, when, status, f"HTTP/1.1 {status} OK", ((b"Content-Type", type),), body)


def add(store, n, url, fetched, *, reward=0.0):
    score = math.inf if n == 1 else 0.5
    store.add(n, url, fetched, reward=reward, source=max(n - 2, 0), score=score)


def crawl(folder, steps=200, *, notes=True, commit=True):
    """Every fifth page is a paper, every 25th a fault."""
    store = SqliteStore.open(folder)
    for n in range(1, steps + 1):
        host = "www.a.example" if n % 3 else "b.example:8080"
        when = WHEN + timedelta(seconds=7 * n)
        paper = n % 5 == 0
        url = f"http://{host}/{'papers' if paper else 'people'}/x{n}.html"
        if n % 25 == 0:
            fault = FAULTS[n // 25 % len(FAULTS)]
            add(store, n, url, Response(url, when, fault=fault))
        else:
            page = answer(url, when, title=f"Page &amp; number {n}", status=404 if n == 2 else 200)
            add(store, n, url, page, reward=float(paper))
    if notes:
        store.put("run", RUN)
        store.put("hosts", HOSTS)
    if commit:
        store.commit()
    return store
