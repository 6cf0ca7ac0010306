"""The shipped labeller on invented references in styles of many fields and languages."""

import pytest

from lycosa.papers.extraction.extractor import Extractor

STYLES = {
    "physics without title": (
        "A. Lee and B. Roe, Phys. Rev. D 73 (2006), 034005.",
        {"author": "A. Lee and B. Roe", "journal": "Phys. Rev. D", "volume": "73", "date": "(2006)",
         "pages": "034005"},
    ),
    "astronomy": (
        "Lee A. B., Roe C., 2014, ApJ, 267, L618",
        {"author": "Lee A. B., Roe C", "date": "2014", "journal": "ApJ", "volume": "267",
         "pages": "L618"},
    ),
    "without punctuation": (
        "Lee A B and Roe C 1998 Physical Review E 58 4391-4400",
        {"author": "Lee A B and Roe C", "date": "1998", "journal": "Physical Review E",
         "volume": "58", "pages": "4391-4400"},
    ),
    "chemistry": (
        "A. Lee, B. Roe, J. Web Spiders 2010, 97, 201111.",
        {"author": "A. Lee, B. Roe", "journal": "J. Web Spiders", "date": "2010", "volume": "97",
         "pages": "201111"},
    ),
    "medicine": (
        "[12] Lee KE, Roe RA, Poe SR. Transfer of webs between spiders. Nature 1999;399:323-329.",
        {"author": "Lee KE, Roe RA, Poe SR", "title": "Transfer of webs between spiders",
         "journal": "Nature", "date": "1999", "volume": "399", "pages": "323-329"},
    ),
    "book": (
        "Lee, A. (2003). Spiders of the world. Cambridge, MA: MIT Press.",
        {"author": "Lee, A", "date": "(2003)", "title": "Spiders of the world",
         "location": "Cambridge, MA", "publisher": "MIT Press"},
    ),
    "French": (
        "LEE (A.), \u00ab Les toiles d'araign\u00e9e \u00bb, dans Revue des toiles, "
        "vol. 12, n\u00b0 3, 2004, p. 5-12.",
        {"author": "LEE (A.)", "title": "Les toiles d'araign\u00e9e",
         "journal": "dans Revue des toiles", "volume": "vol. 12, n\u00b0 3", "date": "2004",
         "pages": "p. 5-12"},
    ),
    "German": (
        "Lee, Anna: Die Netze der Spinnen. In: Zeitschrift f\u00fcr Netze 12 (1999), H. 3, "
        "S. 101-120.",
        {"author": "Lee, Anna", "title": "Die Netze der Spinnen",
         "journal": "In: Zeitschrift f\u00fcr Netze", "volume": "12 H. 3", "date": "(1999)",
         "pages": "S. 101-120"},
    ),
    "Italian": (
        "Lee A, Roe B. Rete di ragni. Giornale di Reti 1998; 12: 45-50.",
        {"author": "Lee A, Roe B", "title": "Rete di ragni", "journal": "Giornale di Reti",
         "date": "1998", "volume": "12", "pages": "45-50"},
    ),
    "Korean": (
        "\uc774\uc7a5\uc6d0, '\uac70\ubbf8\uc758 \uadf8\ubb3c: \ubc30\uacbd\uacfc \uc804\ub7b5', "
        "\ub3d9\uc11c\uc5f0\uad6c, \uc81c23\uad8c, 2\ud638, pp.107-108, 2011.",
        {"author": "\uc774\uc7a5\uc6d0",
         "title": "\uac70\ubbf8\uc758 \uadf8\ubb3c: \ubc30\uacbd\uacfc \uc804\ub7b5",
         "journal": "\ub3d9\uc11c\uc5f0\uad6c", "volume": "\uc81c23\uad8c, 2\ud638",
         "pages": "pp.107-108", "date": "2011"},
    ),
    "spaces on the wrong side": (
        'Lee ,A ., Roe ,B . ( 2002) ."Production of cold webs and flies ." Nature 419 :456 -459.',
        {"author": "Lee, A., Roe, B", "date": "(2002)",
         "title": "Production of cold webs and flies", "journal": "Nature", "volume": "419",
         "pages": "456 -459"},
    ),
    "preprint": (
        "A. Lee et al., arXiv:1111.0485.",
        {"author": "A. Lee et al", "identifier": "arXiv:1111.0485"},
    ),
    "glued volume and page": (
        "Lee A, Roe B: Web spiders that learn. Webs 267:L618, 2004. doi: 10.1000/xyz123",
        {"author": "Lee A, Roe B", "title": "Web spiders that learn", "journal": "Webs",
         "volume": "267", "pages": "L618", "date": "2004", "identifier": "doi: 10.1000/xyz123"},
    ),
    "dates of a meeting": (
        "A. Lee, Spiders, in Proceedings of the 12th Workshop on Webs, Wroclaw, Poland, "
        "June 3-5, 1999, pp. 10-19.",
        {"author": "A. Lee", "title": "Spiders",
         "booktitle": "in Proceedings of the 12th Workshop on Webs", "location": "Wroclaw, Poland",
         "date": "June 3-5, 1999", "pages": "pp. 10-19"},
    ),
    "web page": (
        "World Web Organization. 2017. Web of spiders. https://www.example.org/spiders",
        {"author": "World Web Organization", "date": "2017", "title": "Web of spiders",
         "web": "https://www.example.org/spiders"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
def test_fields_are_found_in_the_style(style):
    text, fields = STYLES[style]
    reference = Extractor().reference(text)
    assert {label: reference.text(label) for label in reference} == fields


@pytest.mark.parametrize("style", ["French", "German", "dates of a meeting"])
def test_the_venue_is_without_the_word_that_announces_it(style):
    venue = Extractor().reference(STYLES[style][0]).venue
    assert venue.split()[0] in ("Revue", "Zeitschrift", "Proceedings")
