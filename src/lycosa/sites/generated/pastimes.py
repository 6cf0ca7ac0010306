"""Private pages: what people write about what they do in their free time."""

from __future__ import annotations

from typing import NamedTuple

from lycosa.sites.generated.grammar import templates

_TABLE = """
photos | My photos | taking pictures | The pictures on this page were taken last summer with an old camera. | Click on a picture to see it in full size. | I develop black and white films in my kitchen.
hiking | Hiking | hiking | Last fall we hiked along the coast for six days. | My favourite trail begins behind the old mill and takes about four hours. | Good boots are more important than a good map.
music | Music | playing music | I play the piano, not very well, and listen to almost everything. | The concert of our choir is in December, and guests are welcome. | This is a list of the records that I would take to an island.
chess | Chess | playing chess | I play for the second team of the university. | The best game I ever played is below, with comments. | Openings are overrated; study endings instead.
recipes | Recipes | cooking | These are recipes that never fail, even in a student kitchen. | The soup tastes better on the second day. | Use fresh herbs if you can get them.
bookmarks | Bookmarks | reading the web | These are links that I use every day. | Some of them are old and may no longer work. | If you know a better page, please tell me.
trip | A trip | travelling | In March we travelled through Portugal by train. | The pictures of the trip will follow when I find the time. | We slept in small hotels and got lost twice.
garden | The garden | gardening | Our garden is small, but it has room for eleven kinds of tomatoes. | The roses suffered last winter. | Snails are my only enemies.
movies | Movies | watching films | I see about two films a week and keep a list of them. | The old films are better, and the older ones are better still. | My favourite movie of last year had no dialogue at all.
quotes | Quotes | collecting quotations | This is a collection of things that people said in our seminar. | Most of these sentences are out of context, and that is the point. | Send me more if you have any.
cats | Cats | looking after cats | Two cats live with us, and both of them sleep on the keyboard. | The grey one is called Turing and the black one Ada. | They are on a diet, but they do not know it.
poems | Poems | reading poems | These are poems that I like and know by heart. | Some of them are translated, and the translations are mine. | Reading aloud helps.
linux | Linux | tinkering with computers | These notes describe how I installed Linux on an old laptop. | The sound card took me a week. | I write these things down because I forget them.
guitar | Guitar | playing the guitar | I have played the guitar since I was twelve. | We meet every other Friday and play until the neighbours complain. | Here are the chords of some songs.
family | Family | being with my family | My sister lives in Canada, and my parents have moved to the sea. | The family meets once a year in a house that is too small. | This page is for my nephews, who like to see their names here.
jokes | Jokes | telling jokes | These are jokes that only programmers find funny. | I did not make them up. | Please do not send me more.
sailing | Sailing | sailing | We sail on the lake from May to October. | The boat is thirty years old and leaks a little. | Last year we won a race, because nobody else finished.
books | Books | reading | I read too much and remember too little, so I keep notes. | The best book of the year was about maps. | Novels are on the left and everything else is on the right.
puzzles | Puzzles | solving puzzles | These are puzzles without solutions. | The one with the twelve coins is the oldest. | If you solve the last one, please write to me.
maps | Maps | collecting maps | I collect old maps of cities that I have never visited. | The oldest one shows the harbour before the fire. | Scans of some of them are on this page.
diary | Diary | writing a diary | I write here when I am travelling. | Today nothing happened. | It rained for a week, and we played cards.
running | Running | running | I run three times a week, along the river and back. | My first marathon took me more than four hours. | The results of the university race are below.
birds | Birds | watching birds | I have seen 214 kinds of birds so far. | The best place is the pond behind the airport, early in the morning. | This year the swallows came late.
astronomy | Astronomy | looking at the stars | On clear nights we take the telescope to the hill. | The rings of Saturn can be seen with a small telescope. | The city lights spoil everything, so we drive an hour to the north.
"""  # noqa: E501


class Pastime(NamedTuple):
    """A pastime: its word in URLs, the title of its page, what one likes, and sentences."""

    word: str
    title: str
    activity: str
    sentences: tuple[str, ...]


def _rows() -> tuple[Pastime, ...]:
    rows = [[part.strip() for part in line.split("|")] for line in _TABLE.strip().splitlines()]
    return tuple(
        Pastime(word, title, activity, tuple(rest)) for word, title, activity, *rest in rows
    )


PASTIMES = _rows()

ASIDES = templates(
    """
This page has nothing to do with my work.
More will follow when I have time.
I have not changed this page for a while.
My other favourite thing is {hobby}.
Friends tell me that I should write less here and more in my thesis.
You may use anything on this page if you tell me about it.
The links below are old but still cool.
I wrote this on a rainy Sunday in {year}.
If you like {hobby2} as well, send me an email.
This was last updated in the summer.
"""
)
