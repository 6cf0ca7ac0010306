"""Venues: their comparable words, and the kind of publication that a text names."""

from __future__ import annotations

import re
from functools import lru_cache

_CACHE_SIZE = 10_000  # venues repeat
_LETTERS = re.compile(r"[^\W\d_]+")
_BROKEN_WORD = re.compile(r"(?<=[a-z])-+\s*(?=[a-z])")
_VENUE_STOP_WORDS = frozenset(
    "in of the on and for at to a an de la pp pages vol volume no number part series "
    "proc proceedings procs annual annu ann annals th st nd rd first second third fourth fifth "
    "sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth twenty thirtieth thirty "
    "conference conf international intl int symposium sympos symp workshop work meeting "
    "journal j jour trans transactions advances technical tech report rep "
    "phd ph master masters doctoral thesis dissertation".split()
)
_TENS = ("twenty", "thirty", "forty", "fifty")  # "twenty-fifth"
_MEETINGS = {
    "aaai": "artificial intelligence",
    "acl": "computational linguistics",
    "chi": "human factors computing systems",
    "colt": "computational learning theory",
    "eurocolt": "european computational learning theory",
    "ecml": "european machine learning",
    "crypto": "cryptology",
    "cvpr": "computer vision pattern recognition",
    "focs": "foundations computer science",
    "icassp": "acoustics speech signal processing",
    "icml": "machine learning",
    "ijcai": "artificial intelligence",
    "isca": "computer architecture",
    "kdd": "knowledge discovery data mining",
    "nips": "neural information processing systems",
    "pldi": "programming language design implementation",
    "podc": "principles distributed computing",
    "pods": "principles database systems",
    "popl": "principles programming languages",
    "sigir": "research development information retrieval",
    "sigmod": "management data",
    "soda": "discrete algorithms",
    "sosp": "operating systems principles",
    "stoc": "theory computing",
    "uai": "uncertainty artificial intelligence",
    "vldb": "very large data bases",
    "www": "world wide web",
}
_ACRONYMS = _MEETINGS | {
    "cacm": "communications acm",
    "jacm": "acm",
    "jair": "artificial intelligence research",
    "jcss": "computer system sciences",
    "jmlr": "machine learning research",
    "pami": "pattern analysis machine intelligence",
    "tcs": "theoretical computer science",
}
_ACM = re.compile(r"\bassoc\w*\W+(?:(?:for|of)\W+)?(?:the\W+)?comput\w*\W+mach\w*|\ba\.c\.m\b")
_KINDS = (
    ("book", re.compile(r"dissertations?\s+(?:awards?\s+)?series")),
    ("thesis", re.compile(r"thesis|dissertation")),
    ("report", re.compile(r"report|\btr\b|\bmemo|\btech\b")),
    (
        "meeting",
        re.compile(
            r"\bproc(?:s|e\w*gs)?\b|\bconf|symp|workshop|meeting|lecture notes"
            r"|neural information processing"
        ),
    ),
    ("journal", re.compile(r"journal|\bj\b|\btrans|letters|annals|magazine|review|\bacta\b")),
)
# Journals whose names do not contain "journal" or the like.
_JOURNALS = re.compile(
    r"\W*(?:in\s+)?(?:mach\w*\W+learn\w*|art\w*\W+intell\w*"
    r"|inf\w*\W+(?:and\s+|& )?(?:comp\w*|control)"
    r"|neural\s+(?:comput\w*|networks)|comm\w*\W+(?:of\s+the\s+)?acm|algorithmica|combinatorica"
    r"|comput\w*\W+ling\w*|theor\w*\W+comp\w*\W+sc\w*|pattern\s+rec\w*|comp\w*\W+networks"
    r"|jacm|cacm|jcss|jair|jmlr|tcs)[\W\d]*$"
)


@lru_cache(maxsize=_CACHE_SIZE)
def venue_stems(text: str) -> tuple[str, ...]:
    """Return the first letters of the distinctive words of a venue, acronyms expanded.

    >>> venue_stems("in proc. 25th annu. acm sympos. theory comput.,") == venue_stems("acm stoc")
    True
    """
    found = set()
    for word in _LETTERS.findall(_BROKEN_WORD.sub("", _ACM.sub("acm", text))):
        for each in _ACRONYMS.get(word, word).split():
            if each not in _VENUE_STOP_WORDS and len(each) > 1 and not each.startswith(_TENS):
                found.add(each[:3])
    return tuple(sorted(found)[:16])


@lru_cache(maxsize=_CACHE_SIZE)
def publication_kind(text: str) -> str:
    """Return the kind of publication that a text names, or ""."""
    for kind, words in _KINDS:
        if words.search(text):
            return kind
    if any(word in _MEETINGS for word in _LETTERS.findall(text)):
        return "meeting"
    return "journal" if _JOURNALS.match(text) else ""


def is_journal_name(text: str) -> bool:
    """Return whether a text is the name of a journal without the word "journal".

    >>> is_journal_name("machine learning 5"), is_journal_name("spiders that learn")
    (True, False)
    """
    return bool(_JOURNALS.match(text))
