"""Steps and statuses to look at, friendly and hostile."""

from lycosa.content import Table, Tables
from lycosa.core import Step
from lycosa.crawler.live.status import HostWait, Status
from lycosa.crawler.recall import Estimate
from lycosa.web.reader import Reader

HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07 \u202e\u200d<b>[red]日本語\r\n\ud800 \x9b31m "
    "\U0001f469\u200d\U0001f467 \u2764\ufe0f e\u0301\u0301\u0301"
)


def step(n=1, title="A title", *, url="http://a.example/", reward=1.0, error=None, **more):
    tables = Tables(Table(), Table(["http://a.example/from"]), Table())
    reader = Reader(tables.words, tables.urls, tables.paths)
    page = reader.page(url, f"<title>{title}</title>".encode("utf-8", "surrogatepass"))
    page.error, page.status = error, 0 if error else 200
    return Step(n, page, reward, **more)


def status(**facts):
    facts = {
        "seconds": 724.0, "pages": 1234, "targets": 56, "faults": 3, "requests": 1300,
        "rate": 3.21, "received": 45_300_000, "known": 40_123, "waiting": 27_001,
        "in_flight": 12, "estimate": Estimate(56, 80.0, 0.55, 0.88), "hosts": 3,
        "waits": (HostWait("www.a.example", "back-off after 503", 12.4, 1234),),
        "curve": tuple((n * 1234 // 63, 56 * n // 63) for n in range(64)),
    } | facts  # fmt: skip
    return Status(**facts)
