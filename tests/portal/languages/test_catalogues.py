"""Every text of a page is in every catalogue, translated, with the same placeholders and tags."""

import re
from collections import Counter

import pytest
from tools import messages

from lycosa.portal.languages import LANGUAGES
from lycosa.portal.languages.po_file import PoEntry, read_po
from portal.languages.bare_texts import bare_texts

MARKUP = re.compile(r"%\(\w+\)s|%%|</?\w[^>]*>")
SAME = "API|Auto|z|DOI|arXiv|Hindi|Tamil|Text|April|August|September|November|Host|Hosts|Feed"
SAME_TEXTS = {
    "de": [*SAME.split("|"), "Crawl", "Name", "Token"],
    "fr": (
        "API|Auto|z|DOI|arXiv|Suggestions|Exports|Corrections|Documents|Page|Pages|Sources|"
        "Description|Volume|Licence|Type|Site|Archive|Dates|Articles|Copies"
    ).split("|"),
}
"""Texts that are spelled as in English."""


@pytest.fixture(scope="module")
def wanted():
    return messages.messages()


@pytest.mark.parametrize("code", messages.TRANSLATED)
def test_catalogues_have_the_texts_of_pages_and_no_others(wanted, code):
    known = {entry.text: entry.plural for entry in messages.catalogue(code) if entry.text}
    missing = [text for text in wanted if text not in known]
    assert not missing, "python -m tools.messages adds them to the catalogues"
    assert known == wanted


@pytest.mark.parametrize("code", messages.TRANSLATED)
def test_every_text_is_translated(code):
    faults = [fault for entry in messages.catalogue(code) for fault in find_faults(entry)]
    assert faults == []


def find_faults(entry):
    if not entry.text:
        return
    forms = 2 if entry.plural else 1
    if len(entry.translations) != forms or not all(entry.translations):
        yield f"not translated: {entry.text}"
        return
    originals = (entry.text, entry.plural) if entry.plural else (entry.text,)
    for original, translation in zip(originals, entry.translations, strict=True):
        if marks(original) != marks(translation):
            yield f"other placeholders or tags: {translation}"
        is_sentence = " " in original and original[-1:] in ".:"
        if is_sentence and translation[-1:] != original[-1:]:
            yield f"other punctuation: {translation}"


def marks(text):
    return Counter(MARKUP.findall(text.replace("\u00a0", " ")))


@pytest.mark.parametrize("code", messages.TRANSLATED)
def test_translations_are_not_copies(code):
    copies = [
        entry.text
        for entry in messages.catalogue(code)
        if entry.text in entry.translations and len(entry.text) > 3 and "%(" not in entry.text
    ]
    assert [text for text in copies if text not in SAME_TEXTS[code]] == []


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (PoEntry("A page", "", ("",)), "not translated"),
        (PoEntry("%(count)s page", "%(count)s pages", ("%(count)s Seite",)), "not translated"),
        (PoEntry("In %(topic)s", "", ("In %(thema)s",)), "other placeholders"),
        (PoEntry("An <em>x</em>", "", ("Ein <em>x",)), "other placeholders"),
        (PoEntry("It was saved.", "", ("Gespeichert",)), "other punctuation"),
    ],
)
def test_faults_of_a_translation_are_found(entry, fault):
    [found] = find_faults(entry)
    assert fault in found


@pytest.mark.parametrize("name", [file.name for file in sorted(messages.TEMPLATES.glob("*.html"))])
def test_templates_have_no_bare_texts(name):
    source = (messages.TEMPLATES / name).read_text(encoding="utf-8")
    assert bare_texts(messages.environment(), source) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<p>{% trans %}A text{% endtrans %}</p>", []),
        ("<p>A text</p>", ["A text"]),
        ('<a title="A text">{{ _("x") }}</a>', ["A text"]),
        ('<a title="{{ _("A text") }}" class="x" href="/y">3 · 4</a>', []),
        ('{{ "running" if x else _("stopped") }}', ["running"]),
        ('{{ x or "nothing" }}', ["nothing"]),
        ('{{ parts.pager(pages, "Pages") }}', ["Pages"]),
        ('{{ link("/about") }} <code>lycosa</code>', []),
        ('<p lang="en">The <em>API</em></p><p>bare</p>', ["bare"]),
    ],
)
def test_bare_texts_are_found(source, found):
    assert bare_texts(messages.environment(), source) == found


def test_a_catalogue_survives_being_written_and_read():
    entries = [
        PoEntry("", "", ("Language: de\nPlural-Forms: nplurals=2; plural=(n != 1);\n",)),
        PoEntry('A "quoted"\ttext \\', "", ("„Zitat“\n",)),
        PoEntry("%(count)s page", "%(count)s pages", ("%(count)s Seite", "%(count)s Seiten")),
    ]
    assert read_po(messages.format_po(entries)) == entries


def test_what_is_not_a_catalogue_is_refused():
    with pytest.raises(ValueError, match="not a line"):
        read_po("msgid missing quotes\n")


@pytest.mark.parametrize("code", LANGUAGES)
def test_dates_and_numbers(code):
    language = LANGUAGES[code]
    expected = {
        "en": ("1 March 2026", "1,234,567", "999 bytes", "1.5 GB"),
        "de": ("1. März 2026", "1.234.567", "999 Byte", "1,5 GB"),
        "fr": ("1er mars 2026", "1\u202f234\u202f567", "999 octets", "1,5 Go"),
    }[code]
    shown = (language.day("2026-03-01T12:00:00Z"), language.number(1_234_567))
    assert (*shown, language.size(999), language.size(1_500_000_000)) == expected
    assert language.day("") == ""
    assert language.day("1999") == "1999"
