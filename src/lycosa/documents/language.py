"""Language detector: by function words, and by script where it decides.

In any running text a few dozen function words (the, of, und, que) make up a
third of all words, and hardly two languages share them. Counting those of each
language (Ingle 1976; Grefenstette, "Comparing two language identification
schemes", 1995) needs no model and no download. A script that one language alone
uses counts like its function words.

Many a text has parts in English that nobody reads as running text: a bibliography,
listings, messages of programs. They have few function words. So these are counted
window by window, and only beyond the share that such parts have; a text with hardly
any more is judged as a whole. Where a text has too few function words,
or those of two languages, the detector returns no language.
"""

# ruff: noqa: RUF001 (letters of many scripts look like Latin ones)

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

MIN_DISTINCT_WORDS = 5
"""Different function words of a language that a text must have."""
MIN_SHARE = 0.07
"""Their share of all words, repetitions counted, of a text without running text."""
WINDOW_WORDS = 40
"""Words of a window: a few lines."""
MIN_SCRIPT_SHARE = 0.04
"""The weighted share of a script in a text; less are names, quotations or a menu of languages."""
MIN_RUNNING_SHARE = 0.035
"""Function words beyond the background among all words, of a text that has running text."""
BACKGROUND_SHARE = 0.14
"""The share of function words in bibliographies (0.07 to 0.14 in papers) and in listings."""
MAX_CONTRADICTION = 2.0
"""How many times more there may be of another language than of the declared one."""
MIN_LEAD = 1.25
"""How many times more there must be than of the next language."""

FUNCTION_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "en": "the of and to in is that for it with as was on are this by be from or an at not "
        "which have you we his they has but their can were will more if all about our your what",
        "de": "der die und das ist nicht ein eine den von zu mit sich des auf für im dem auch es "
        "als an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über "
        "einen so zum haben nur oder aber vor zur bis mehr durch wir ihre ich sein",
        "fr": "le la les de des et en un une du est que qui dans pour pas au sur plus par avec il "
        "ce ne se sont aux ou cette mais nous vous elle ont été leur être ses son sa ces comme "
        "fait aussi je",
        "es": "el la los las de en que un una es por con para del se no su al lo como más "
        "pero sus este ha fue son entre está muy también hasta desde esta sin sobre ser nos "
        "cuando donde todo porque",
        "it": "il la di che un una in per non del con della sono le si da al dei gli alla "
        "come lo più nel anche questo ha ma nella delle dal su se ed essere questa degli suo "
        "sua ai stato tra",
        "pt": "os as de em um uma que do da para com não por no na dos das se mais ao "
        "como mas foi ou seu sua são nos pela pelo também até isso ele entre quando muito já "
        "está às ser nas",
        "nl": "de het een en van is in dat niet op te zijn voor met die aan er om ook als maar "
        "bij of door naar uit wordt deze nog worden wel tot kan heeft dan over dit we werd meer "
        "hij ze hun moet geen",
        "sv": "och att det som en på är av för med den till inte har de ett om var jag men "
        "från vi kan när så sig eller också hon han efter mycket skulle där här vid denna från "
        "blev än under alla år",
        "da": "og at det som en på er af for med den til ikke har de et om var jeg men fra vi "
        "kan når så sig eller også hun han efter meget skulle der her ved denne blev end under "
        "alle år være mig hvad nu mellem",
        "no": "og at det som en på er av for med den til ikke har de et om var jeg men fra vi "
        "kan når så seg eller også hun han etter mye skulle der her ved denne ble enn under alle "
        "år være meg hva nå mellom",
        "fi": "ja on ei että se oli hän ovat mutta myös kun niin joka mukaan ole tai kuin sen "
        "vain jos jo olla voi sekä ovat tämä hänen jotka mitä nyt vielä ollut kanssa sitä tämän "
        "minä me he siitä kaikki",
        "pl": "na się nie do to że jest jak po od za przez co dla ale są tym czy oraz "
        "był tego być tak jego może już ich które który która także jako przy będzie tylko ze",
        "cs": "se na je že do to jako za jsou po pro ve by byl od jeho které který "
        "která ale co jsem nebo až při také může už bylo být když tak jen jak aby před není",
        "hu": "az és hogy nem is egy van ez meg volt csak de ha már még el mint vagy azt ezt "
        "minden lehet sem között szerint után nagyon ki fel amely kell voltak hanem illetve",
        "ro": "și în de la cu un pe nu că din este care pentru mai au se sunt fost ca sau "
        "dar prin fi lui după am ce până acest această cum ei al ale sa si unei unui dintre",
        "tr": "ve bir bu da de için ile olarak çok daha en gibi olan kadar ne sonra değil var "
        "ama ya her oldu mi ise olduğu tarafından göre hem yok kendi ancak veya üzerinde",
        "ru": "не на что он как это по но они из за от так для же вы все было был "
        "её его или мы бы быть при если только уже также их этом которые который то до",
        "uk": "не на що він як це по але та вони до із за від так для ви все було був "
        "її його або ми бути про при якщо тільки вже також їх які який",
        "bg": "не на че той като това по но те към от за са се да така ще вие всички беше "
        "му или ние бъде при ако само вече също им които който до има между",
        "ar": "في من على أن إلى التي هذا عن مع ما هو الذي كان لا هذه أو كما بعد بين ذلك قد كل هي "
        "لم منذ غير عند حيث تم وقد وهو ولا",
        "fa": "در به از که این را با است برای آن یک خود تا بر هم نیز شده می شود ها های بود کرد "
        "اما یا باید کند دارد اند هر",
    }
)
"""The most frequent function words of each language."""

SCRIPTS: Mapping[tuple[str, ...], tuple[tuple[int, int], ...]] = MappingProxyType(
    {
        (): ((0x41, 0x24F), (0x1E00, 0x1EFF)),
        ("ru", "uk", "bg"): ((0x400, 0x52F),),
        ("ar", "fa"): ((0x600, 0x6FF),),
        ("el",): ((0x370, 0x3FF), (0x1F00, 0x1FFF)),
        ("he",): ((0x590, 0x5FF),),
        ("ko",): ((0x1100, 0x11FF), (0xAC00, 0xD7AF)),
        ("ja",): ((0x3040, 0x30FF),),
        ("zh",): ((0x3400, 0x4DBF), (0x4E00, 0x9FFF)),
    }
)
"""Ranges of letters by the languages that use them; the first entry is Latin and all others."""
SCRIPT_WEIGHTS: Mapping[tuple[str, ...], float] = MappingProxyType(
    {
        ("ru", "uk", "bg"): 0.4, ("ar", "fa"): 0.35, ("el",): 0.3, ("he",): 0.4, ("ko",): 0.5,
        ("ja",): 0.15, ("zh",): 0.25,
    }
)  # fmt: skip
"""Function words beyond the background that an English text has where a translation has a word in
another script or, in Japanese and Chinese, a character."""

LANGUAGES = (*FUNCTION_WORDS, "el", "he", "ko", "ja", "zh")
"""The codes of the languages that can be detected (ISO 639-1)."""

NAMES: Mapping[str, str] = MappingProxyType(
    {
        "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish",
        "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian",
        "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish",
        "gl": "Galician", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian",
        "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ja": "Japanese", "ko": "Korean",
        "la": "Latin", "lt": "Lithuanian", "lv": "Latvian", "nb": "Norwegian Bokmål",
        "nl": "Dutch", "nn": "Norwegian Nynorsk", "no": "Norwegian", "pl": "Polish",
        "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian",
        "sr": "Serbian", "sv": "Swedish", "ta": "Tamil", "th": "Thai", "tr": "Turkish",
        "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
    }
)  # fmt: skip
"""The English name of a language by its code: of all that can be detected, and of others."""

_MIN_KANA_SHARE = 0.1  # of Japanese, which also uses Chinese characters
_SETS = tuple(frozenset(small.split()) for small in FUNCTION_WORDS.values())
_WORDS = sorted(frozenset().union(*_SETS))
_IS_WORD_OF = np.array([[word in small for small in _SETS] for word in _WORDS], np.uint8)
_WITH_OTHERS = np.vstack([_IS_WORD_OF, np.zeros((1, len(_SETS)), np.uint8)])
_NUMBERS: Mapping[str, int] = MappingProxyType({word: n for n, word in enumerate(_WORDS)})
_SCRIPTS = tuple(SCRIPTS)
_RANGES = tuple((*ends, script) for script, ranges in SCRIPTS.items() for ends in ranges)
_OTHER_LETTERS = len(_WORDS) + _SCRIPTS.index(())
_UNKNOWN = len(_WORDS) + len(_SCRIPTS)
_UNSPACED = (("ja",), ("zh",))
"""Scripts whose words are single characters."""


def word_number(word: str) -> int:
    """Return the number of a function word, of any other word that of its script."""
    known = _NUMBERS.get(word)
    if known is not None:
        return known
    script = _script_of(word)
    if script is None:
        return _UNKNOWN
    # A single Greek or Hebrew letter is a symbol in any language.
    symbol = len(word) == 1 and script not in _UNSPACED
    return _OTHER_LETTERS if symbol else len(_WORDS) + _SCRIPTS.index(script)


def _script_of(word: str) -> tuple[str, ...] | None:
    """Return the languages of the script of a word; None if it is no letter."""
    letter = ord(word[0])
    for low, high, script in _RANGES:
        if low <= letter <= high:
            return script
    return () if word[0].isalpha() else None


_SCRIPT_OF_WORD = np.array([_SCRIPTS.index(_script_of(word) or ()) for word in _WORDS], np.int64)


def is_function_word(word: str) -> bool:
    """Return whether a word is a function word of any language."""
    return word in _NUMBERS


def detect_language(words: Iterable[str], declared: str = "") -> str:
    """Return the language of a text, given as words in lower case; "" where it is not clear.

    `declared` is what the document says of itself. It is returned if the text does not decide,
    unless the text has much more of another language.

    >>> from lycosa.web.words import words
    >>> detect_language(words("The spider sits in the middle of its web and waits for the fly."))
    'en'
    >>> detect_language(words("Die Spinne sitzt in der Mitte und wartet auf die, die nicht kommt."))
    'de'
    >>> detect_language(words("Home | News | Contact"))
    ''
    """
    every = list(words)
    known = {word: word_number(word) for word in set(every)}
    numbers = np.array([known[word] for word in every], np.int64)
    found = language_of_numbers(numbers)
    if found or not declared:
        return found
    evidence = _evidence(numbers)
    own = evidence[LANGUAGES.index(declared)] if declared in LANGUAGES else 0.0
    return declared if max(evidence) <= MAX_CONTRADICTION * max(own, 1.0) else ""


def language_of_numbers(numbers: NDArray[np.int64]) -> str:
    """Return the language of a text, given as the `word_number` of each word."""
    evidence = _evidence(numbers)
    *_, second, best = np.argsort(evidence, kind="stable").tolist()
    code = LANGUAGES[best]
    letters = np.count_nonzero(numbers < _UNKNOWN)
    if code in FUNCTION_WORDS:
        distinct = np.unique(numbers[numbers < len(_WORDS)])
        enough = np.count_nonzero(_IS_WORD_OF[distinct, best]) >= MIN_DISTINCT_WORDS
    else:
        enough = evidence[best] > MIN_DISTINCT_WORDS * SCRIPT_WEIGHTS[code,]
    if evidence[best] < MIN_RUNNING_SHARE * letters or not evidence[best]:
        listed = _language_of_lists(numbers)
        return listed if listed == code or not evidence[best] else ""
    return code if enough and evidence[best] >= MIN_LEAD * evidence[second] else ""


def _evidence(numbers: NDArray[np.int64]) -> list[float]:
    """Return how much running text of each language there is, in function words."""
    if not len(numbers):
        return [0.0] * len(LANGUAGES)
    starts = np.arange(0, len(numbers), WINDOW_WORDS)
    hits = _WITH_OTHERS[np.minimum(numbers, len(_WORDS))]
    found = np.add.reduceat(hits, starts, axis=0, dtype=np.int64)
    sizes = np.diff(np.append(starts, len(numbers)))
    surplus = np.maximum(found - BACKGROUND_SHARE * sizes[:, None], 0.0).sum(axis=0)
    evidence = dict(zip(LANGUAGES, [*surplus.tolist(), *[0.0] * len(LANGUAGES)], strict=False))
    occurrences = dict(zip(FUNCTION_WORDS, found.sum(axis=0).tolist(), strict=True))
    counts = _script_counts(numbers)
    letters = sum(counts.values())
    for script, weight in SCRIPT_WEIGHTS.items():
        weighted = weight * counts[script]
        if weighted < MIN_SCRIPT_SHARE * (weighted + letters - counts[script]):
            weighted = 0.0
        # The script tells how much there is, function words which of its languages it is;
        # squared, because related languages share many of them.
        votes = {code: occurrences.get(code, 1) ** 2 for code in script}
        for code, vote in votes.items():
            evidence[code] = weighted * vote / max(sum(votes.values()), 1)
    return list(evidence.values())


def _script_counts(numbers: NDArray[np.int64]) -> dict[tuple[str, ...], int]:
    """Return the number of words in each script; Chinese characters in Japanese are Japanese."""
    small = numbers[numbers < len(_WORDS)]
    others = numbers[(numbers >= len(_WORDS)) & (numbers < _UNKNOWN)] - len(_WORDS)
    counts = np.bincount(np.concatenate((_SCRIPT_OF_WORD[small], others)), minlength=len(_SCRIPTS))
    found = dict(zip(_SCRIPTS, counts.tolist(), strict=True))
    japanese, chinese = _UNSPACED
    both = found[japanese] + found[chinese]
    is_japanese = found[japanese] > _MIN_KANA_SHARE * both
    return found | {japanese: both * is_japanese, chinese: both * (not is_japanese)}


def _language_of_lists(numbers: NDArray[np.int64]) -> str:
    """Return the language of a text without running text: titles, menus, tables."""
    counts = np.bincount(numbers, minlength=_UNKNOWN + 1)[:_UNKNOWN]
    function_words = counts[: len(_WORDS)]
    occurrences = function_words @ _IS_WORD_OF
    distinct = (function_words > 0) @ _IS_WORD_OF
    *_, second, best = np.argsort(occurrences, kind="stable").tolist()
    enough = distinct[best] >= MIN_DISTINCT_WORDS and occurrences[best] >= MIN_SHARE * counts.sum()
    clear = occurrences[best] >= MIN_LEAD * occurrences[second]
    return LANGUAGES[best] if enough and clear else ""
