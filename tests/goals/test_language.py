import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.core import Page
from lycosa.documents.language import FUNCTION_WORDS, LANGUAGES, detect_language, is_function_word
from lycosa.errors import UnknownName
from lycosa.goals import Language
from lycosa.web.reader import Reader
from lycosa.web.words import words

SENTENCES = {
    "en": "The spider that lives in our garden is not large, but it has built a web which you can "
    "see from the house.",
    "de": "Die Spinne, die in unserem Garten lebt, ist nicht groß, aber sie hat ein Netz gebaut, "
    "das man auch von der Straße aus sehen kann.",
    "fr": "L'araignée qui vit dans le jardin n'est pas grande, mais elle a fait une toile que "
    "nous voyons depuis la maison avec les enfants.",
    "es": "La araña que vive en el jardín no es grande, pero ha tejido una tela que se ve desde "
    "la casa y también desde la calle.",
    "it": "Il ragno che vive nel giardino non è grande, ma ha fatto una tela che si vede anche "
    "dalla strada e dalle finestre della casa.",
    "pt": "A aranha que vive no jardim não é grande, mas fez uma teia que também se vê da casa e "
    "das janelas do vizinho, como um véu.",
    "nl": "De spin die in de tuin woont is niet groot, maar zij heeft een web gemaakt dat ook van "
    "het huis te zien is.",
    "sv": "Spindeln som bor i vår trädgård är inte stor, men den har gjort ett nät som man kan se "
    "från huset och även när det är mörkt.",
    "da": "Edderkoppen, der bor i haven, er ikke stor, men den har lavet et net af tråde, som man "
    "også kan se efter regn mellem træerne. Hvad siger du nu?",
    "no": "Edderkoppen som bor i hagen er ikke stor, men den har laget et nett av tråder som man "
    "også kan se etter regn mellom trærne. Hva sier du nå?",
    "fi": "Hämähäkki on pieni, mutta se on tehnyt verkon, joka näkyy myös kadulle, kun aurinko "
    "paistaa, ja niin hän sanoi, että se ei ole totta.",
    "pl": "Pająk, który mieszka w ogrodzie, nie jest duży, ale zrobił sieć, którą widać także z "
    "domu, i to przez całe lato, jak się wydaje.",
    "cs": "Pavouk, který žije na zahradě, není velký, ale udělal síť, která je vidět také z domu, "
    "když svítí slunce, a to se nám líbí.",
    "hu": "A pók, amely a kertben él, nem nagy, de olyan hálót szőtt, hogy az a házból is "
    "látszik, és még csak most van kész, vagy már volt egy.",
    "ro": "Păianjenul care trăiește în grădină nu este mare, dar a făcut o pânză pe care o vezi și "
    "din casă, pentru că este mai sus.",
    "tr": "Bahçede yaşayan örümcek büyük değil ama evden de görülen bir ağ yaptı ve bu ağ çok "
    "güzel, daha sonra her gün için bir tane oldu.",
    "ru": "Паук, который живёт в саду, не большой, но он сделал сеть, которую видно и из дома, "
    "если только это не сон, так что мы его любим.",
    "uk": "Павук, який живе в саду, не великий, але він зробив сітку, що її видно також із дому, "
    "якщо це не сон, та ми його любимо.",
    "bg": "Паякът, който живее в градината, не е голям, но той е направил мрежа, която се вижда "
    "и от къщата, ако това не е сън, така че ние го обичаме.",
    "el": "Η αράχνη που ζει στον κήπο δεν είναι μεγάλη, αλλά έφτιαξε έναν ιστό.",
    "ar": "العنكبوت الذي يعيش في الحديقة ليس كبيرا ولكن هذا البيت من أجمل ما كان "
    "في المكان على كل حال",
    "fa": "عنکبوت در باغ زندگی می کند و تار خود را برای شکار ساخته است که از خانه هم دیده می شود",
    "he": "העכביש שחי בגינה אינו גדול, אבל הוא טווה רשת יפה מאוד.",
    "zh": "住在花园里的蜘蛛不大，但是它织了一张很大的网。",
    "ja": "庭に住んでいる蜘蛛は大きくないが、とても大きな巣を作った。",
    "ko": "정원에 사는 거미는 크지 않지만 아주 큰 거미줄을 만들었다.",
}  # fmt: skip


@pytest.mark.parametrize("code", LANGUAGES)
def test_detects_a_sentence_of_every_language(code):
    assert detect_language(words(SENTENCES[code])) == code


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_page_is_in_the_language_of_its_words(code):
    page = Reader().page("http://a.edu/", SENTENCES[code].encode(), "text/html; charset=utf-8")
    assert [Language(other)(page) for other in LANGUAGES] == [code == other for other in LANGUAGES]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the",
        "the the the the the the the the",  # one word is a habit, not a language
        "Home News Contact Sitemap Login Search Products Services",
        "1 2 3 4 5 6 7 8 9 10 11 12",
        "int main() { return 0; } void f(int a, int b) { for (i = 0; i < n; i++) x[i] = a; }",
        SENTENCES["en"] + SENTENCES["fr"] + SENTENCES["de"],
        "สวัสดีชาวโลก ยินดีต้อนรับ",
    ],
)
def test_unclear_texts_have_no_language(text):
    assert detect_language(words(text)) == ""


def test_function_words_are_words_of_the_tokeniser():
    for code, small in FUNCTION_WORDS.items():
        assert words(small) == small.split(), code
        assert all(len(word) > 1 for word in small.split()), code
    assert is_function_word("the")
    assert not is_function_word("spider")


@given(st.lists(st.text(min_size=1, max_size=5), max_size=30))
def test_any_words_have_a_known_language_or_none(sample):
    assert detect_language(sample) in (*LANGUAGES, "")


def test_follows_a_growing_table_and_can_be_copied():
    reader, goal = Reader(), Language("de")
    for code in ("en", "de", "fr", "de"):
        page = reader.page(
            f"http://a.edu/{code}", SENTENCES[code].encode(), "text/html; charset=utf-8"
        )
        assert goal(page) == (code == "de")
    copy = pickle.loads(pickle.dumps(goal))
    assert copy(page) == 1
    assert repr(copy) == "Language('de')"
    failed = Page(page.number, page.tables, content=page.content, status=500)
    assert goal(failed) == 0
    assert goal.of(Page(0, page.tables, np.empty(0, np.int32))) == ""


def test_an_unknown_language():
    with pytest.raises(UnknownName, match="There is no language 'english'"):
        Language("english")
