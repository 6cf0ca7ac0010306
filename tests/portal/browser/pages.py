"""One page of each kind of the sample portal, with its nastiest strings."""

from portal.sample import document_id, work_id

NASTY, LONG, ORDINARY = 30, 33, 23
OWNER_PAGES = ("dashboard", "correction", "exclusion", "author correction", "editors", "audit")
PAGES = {
    "home": "/",
    "results": "/search?q=spiders&year=1996&topic=machine-learning",
    "all": "/search?q=",
    "empty results": "/search?q=qqqqxxxx&author=lee-a",
    "explanation": f"/why?q=spiders+that+nowhere&work={work_id(ORDINARY)}",
    "paper": f"/work/{work_id(ORDINARY)}",
    "paper with a script for a title": f"/work/{work_id(NASTY)}",
    "paper with a long title": f"/work/{work_id(LONG)}",
    "graph": f"/work/{work_id(ORDINARY)}/graph",
    "topics": "/topics",
    "topic": "/topic/machine-learning",
    "author": "/author/lee-a",
    "new works": "/new?since=2026-01-02",
    "document": f"/document/{document_id(NASTY)}",
    "about": "/about",
    "api": "/api/docs",
    "sign-in": "/sign-in",
    "dashboard": "/dashboard",
    "correction": f"/correct?work={work_id(NASTY)}",
    "exclusion": f"/exclude?what=work:{work_id(NASTY)}",
    "author correction": "/correct/author?author=lee-a",
    "editors": "/editors",
    "audit": "/audit",
    "404": "/nothing",
    "graph of an undated work, enlarged": f"/work/{work_id(LONG)}/graph?scale=2",
    # The last one: the language is remembered.
    "results in German": "/search?q=spiders+nowhere&year=1992..1999&lang=de",
}


def show(window, name):
    """Open a page, signed in if it is the owner's."""
    if name in OWNER_PAGES:
        window.sign_in(PAGES[name])
    window.open(PAGES[name])
