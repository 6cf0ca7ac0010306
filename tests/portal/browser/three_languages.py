"""A small portal of pages in English, German and French, built from a crawl."""

from __future__ import annotations

from pathlib import Path

from lycosa.portal.build import build_portal
from portal.build.crawls import Answer, crawl

CPP, C, SHARP = "Templates in C++", "Pointers in C", "Delegates in C#"
NORM, CAPABILITIES, LISTS = "Balls of the p-norm", "Capability systems", "Access control lists"
PACKAGES, COMPARED, NETWORK = (
    "Eine Paketverwaltung für Rechner",
    "Drei Paketverwaltungen im Vergleich",
    "Das Netz der Hochschule",
)
LIBRARY, LANGUAGES, CITY = (
    "La bibliothèque de la ville",
    "Les langages et leurs règles",
    "Le plan du métro",
)
PAGES = {
    "en": {
        CPP: "Templates are the part of C++ that is checked when a program is compiled. A class of "
        "C++ may have a type as its parameter, and the compiler writes the class for each type "
        "that is used in the program.",
        C: "A pointer holds the address of an object. In C an array decays to a pointer when it is "
        "passed to a function, and the function has to be told how long the array is, which is "
        "the source of many errors.",
        SHARP: "A delegate of C# is an object that refers to a method. Events of C# are lists of "
        "delegates, which are called one after the other when something has happened in the "
        "window of the program.",
        NORM: "The unit ball of the p-norm is convex if p is at least one. For two it is round, "
        "and for infinity it is a cube, so that the distance between two points is the largest "
        "difference of their coordinates.",
        CAPABILITIES: "A capability is a reference that cannot be forged together with a right. "
        "Capabilities work because a process that has none cannot name the object, and it is "
        "given one only by another process that has it.",
        LISTS: "Each file has a list of the users who may read it or write to it. The system "
        "looks at the list whenever a file is opened, so that a right can be taken away from a "
        "user by removing a line from the list.",
    },
    "de": {
        PACKAGES: "Eine Paketverwaltung ist ein Programm, das andere Programme auf einem Rechner "
        "einrichtet und wieder entfernt. Sie weiß, welche Dateien zu einem Programm gehören und "
        "welche anderen Programme es braucht, damit es läuft.",
        COMPARED: "Wir haben drei Paketverwaltungen auf demselben Rechner eingesetzt und gemessen, "
        "wie lange sie brauchen, bis alle Programme auf dem neuesten Stand sind. Die schnellste "
        "ist nicht die, die am wenigsten überträgt.",
        NETWORK: "Das Netz der Hochschule verbindet alle Gebäude mit Leitungen aus Glas. Wenn eine "
        "Leitung ausfällt, gehen die Daten einen anderen Weg, und die meisten Menschen merken "
        "nicht, dass etwas geschehen ist.",
    },
    "fr": {
        LIBRARY: "La bibliothèque de la ville est ouverte tous les jours sauf le lundi. On y "
        "trouve des livres, des journaux et des cartes, et les lecteurs peuvent emporter chez eux "
        "jusqu'à dix livres pour une durée de trois semaines.",
        LANGUAGES: "Un langage est décrit par les règles de sa grammaire. Un programme qui ne suit "
        "pas ces règles est refusé avant d'être exécuté, et le message qui est affiché dit à "
        "quelle ligne se trouve la première erreur.",
        CITY: "Le métro a quatre lignes qui se croisent au centre de la ville. Pour aller de la "
        "gare à l'université, il faut prendre la première ligne et changer de train à la place "
        "du marché, ce qui prend une demi-heure.",
    },
}


def make_portal(folder: Path) -> Path:
    """Build the portal in a new folder."""
    answers = [
        Answer(
            f"http://www.example.edu/{language}/{number}",
            f"<!doctype html><html lang={language}><meta charset=utf-8><title>{title}</title>"
            f"<h1>{title}</h1><p>{text}</p>".encode(),
            "text/html",
        )
        for language, pages in PAGES.items()
        for number, (title, text) in enumerate(pages.items())
    ]
    build_portal(crawl(folder, answers, topics=False, title="Three languages"))
    return folder
