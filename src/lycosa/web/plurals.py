"""English plurals."""

from __future__ import annotations


def singular(word: str) -> str:
    """Return the singular of an English word, by rules without a list of exceptions.

    >>> [singular(w) for w in "networks queries classes bus analysis class gas".split()]
    ['network', 'query', 'class', 'bus', 'analysis', 'class', 'gas']
    """
    if len(word) < 4 or word[-1] != "s" or word[-2] in "sui":
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1]
