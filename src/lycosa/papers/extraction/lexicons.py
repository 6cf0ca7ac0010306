"""Lexicons: small lists of words that indicate one field of a paper.

They are short on purpose: a list shows what a kind of word looks like, and the
learner estimates how far to trust it.

>>> sorted(lexicons_with("Berkeley")), sorted(lexicons_with("dept."))
(['city'], ['institution'])
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

GIVEN = """
aaron adam adrian alan albert alberto alex alexander alexandre alfred alice allan allen amir amy
ana anand anders andrea andreas andrei andrew andy angela anil ann anna anne anthony antoine
antonio arnold arthur arun ashok barbara barry ben benjamin bernard bernd bernhard beth bill bob
boris brad brian bruce bruno calvin carl carla carlo carlos carol caroline catherine cecilia
charles chen cheng chris christian christine christoph christopher chung claire claude claudia
claudio craig cynthia dan daniel daniela danny dave david dean debora deborah deepak dennis diana
diane dieter dimitri dirk dmitri don donald dorothy doug douglas ed edmund eduardo edward edwin
elena eli elizabeth ellen emil emily eric erich erik ernst eugene eva evan fabio felix fernando
francesca francesco francis francisco frank franz fred frederic frederick friedrich gabriel gary
geoff geoffrey george georg gerald gerard gerhard gianni gilles giovanni giuseppe glenn gordon
graham greg gregory guido gunter guy hans harald harold harry hector heinrich heinz helen helmut
henri henrik henry herbert herman hiroshi horst howard hugh ian igor ingrid irene isaac ivan jack
jacob jacques jaime jakob james jan jane janet jason javier jay jean jeff jeffrey jennifer jeremy
jerome jerry jesse jessica jim jin joachim joan joao joe joel joerg johan johann johannes john
johnny jon jonathan jorge jose josef joseph joshua juan juergen julia julian julie jun jurgen
justin kai karen karl kate katherine kathleen kathryn kazuo keith kelly ken kenneth kenji kevin
kim kirk klaus konrad kristian kumar kurt lars larry laura laurence laurent lawrence lee leo leon
leonard leonid leslie li lin linda lisa lorenzo louis lucia luigi luis luke lutz lynn madhu magnus
manfred manuel marc marcel marco marcus margaret maria marie mario marion mark markus martha
martin martina mary mats matthew matthias maurice mauro max mehmet melanie michael michel michele
miguel mihir mike mikhail milos ming miriam mitchell moshe nancy naoki narayan nathan neil
nicholas nick nicolas nicole nigel nikolai nina noam nobuo norbert norman oleg oliver olivier omar
oscar otto owen pablo pamela paolo pascal patricia patrick paul paula pavel pedro per peter petr
philip philippe pierre pietro prakash rafael raghu raj rajeev ralf ralph raman ramesh ravi ray
raymond rebecca reinhard renato rene ricardo riccardo richard rick rob robert roberto robin roger
roland rolf roman ron ronald rosa ross roy rudolf russell ruth ryan sally sam samuel sandra sanjay
sara sarah satoshi scott sean sebastian sergei sergio sharon shigeru shimon silvia simon sofia
sonia stefan stefano stephan stephanie stephen steve steven stuart subhash sue sunil susan suresh
susanne sven sylvia takashi takeo tatiana ted terry theodore theo thierry thomas tim timothy toby
todd tom tomas tony ulrich umesh ursula uwe vadim valerie venkat vera veronica victor vijay
vincent vincenzo vladimir volker walter wayne wei wen werner wilfried wilhelm will william willem
wolfgang xavier xiao yael yan yang yannis yoav yoshio yuri yves zhang zoltan zvi
"""
CITIES = """
aachen aarhus adelaide albany albuquerque alexandria amherst amsterdam anaheim ankara antwerp
arbor arlington asilomar athens atlanta auckland austin avignon baltimore bangalore barcelona
basel bath beijing belfast bellevue bergen berkeley berlin bern bethesda birmingham bloomington
bologna bombay bonn boston boulder brighton brisbane bristol brussels bucharest budapest buffalo
cairo calgary cambridge cambridge canberra charlottesville chicago cincinnati cleveland cologne
columbus como copenhagen coimbra cork cornwall dallas darmstadt dayton delft delhi denver detroit
dresden dublin dubrovnik durham edinburgh edmonton eindhoven elsinore enschede erlangen eugene
evanston exeter florence frankfurt freiburg gainesville gaithersburg geneva genoa ghent glasgow
gothenburg granada graz grenoble groningen haifa halifax hamburg hanover harbor heidelberg
helsinki hillsdale hingham honolulu houston indianapolis innsbruck irvine istanbul ithaca
jerusalem karlsruhe kiel kingston konstanz kyoto lafayette lancaster lansing lausanne leeds
leiden leuven liege lille lincoln linz lisbon liverpool ljubljana london lyon madison madrid
manchester manhattan marburg marseille medford melbourne miami milan milwaukee minneapolis
monterey montpellier montreal moscow munich nagoya nancy naples nashville newark newcastle nice
nijmegen norfolk norwell norwich nottingham novosibirsk orlando orsay osaka oslo ottawa oxford
padova paderborn padua palo pasadena paris passau pavia perth philadelphia phoenix pisa pittsburgh
portland porto portsmouth prague princeton providence raleigh reading redmond redwood rehovot
reykjavik riverside rochester rome rotterdam sacramento santiago saarbrucken salzburg sapporo
saskatoon seattle seoul sendai shanghai sheffield siena singapore snowbird southampton stanford
stockholm stuttgart sussex sydney syracuse taipei tampa tampere tempe tokyo toronto toulouse
trento trieste trondheim troy tsukuba tucson turin turku uppsala urbana utrecht vail vancouver
venice vienna warsaw warwick washington waterloo wellington williamsburg worcester wurzburg
yokohama york yorktown zagreb zurich
"""
COUNTRIES = """
usa u.s.a. uk u.k. england scotland wales ireland canada france germany italy spain portugal
netherlands holland belgium switzerland austria denmark sweden norway finland poland hungary
russia ukraine czechoslovakia czech greece turkey israel egypt india china japan korea taiwan
singapore australia zealand brazil mexico argentina chile america republic kingdom hong kong
deutschland italia iceland slovenia croatia romania bulgaria luxembourg monaco thailand malaysia
"""
STATES = """
al ak az ar ca co ct dc de fl ga hi id il ia ks ky la ma md mn ms mo mt ne nv nh nj nm ny nc nd
ok oh pa ri sc sd tn tx ut vt va wa wv wi wy d.c. n.y. n.j. n.c. calif. mass. alabama alaska
arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois
indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi
missouri montana nebraska nevada hampshire jersey ohio oklahoma oregon pennsylvania tennessee texas
utah vermont virginia wisconsin wyoming ontario quebec alberta manitoba saskatchewan columbia
"""
STREETS = """
street st. avenue ave. ave road rd. rd drive dr. boulevard blvd. lane way place square strasse
str. straße rue via allee platz box p.o. suite floor building bldg. campus parkway court plaza
highway route mail stop cedex postfach postbus m/s room
"""
INSTITUTIONS = """
university universite université universität universitat universita universidad universiteit
universitet univ. univ institute institut inst. istituto instituto inria college department
departement département departamento dipartimento dept. dept school faculty laboratory laboratories
laboratoire labs lab lab. laboratorio center centre centro center, group division polytechnic
politecnico ecole école eth epfl mit ucla cmu ibm xerox parc bell nasa academy corporation corp.
corp inc. inc gmbh ltd. ltd company research fakultät fakultat lehrstuhl fachbereich hochschule
technische foundation agency program polytechnique cnrs irisa csiro hospital systems
"""
PUBLISHERS = """
press publishers publisher publishing verlag springer springer-verlag wiley sons elsevier
north-holland addison wesley addison-wesley prentice hall prentice-hall mcgraw mcgraw-hill kaufmann
morgan kluwer academic plenum pergamon freeman benjamin cummings benjamin/cummings birkhauser
chapman dover erlbaum lawrence associates macmillan blackwell reidel marcel dekker scientific
teubner siam ablex pitman o'reilly benjamins cambridge oxford mit aaai acm ieee usenix sage
routledge longman van nostrand wadsworth brooks/cole houghton mifflin books co. company gordon
breach holden-day methuen harcourt holt rinehart norton garland ios omega
"""
MEETINGS = """
proceedings proc. proc conference conf. conf symposium symp. symp workshop wkshp. congress
colloquium meeting international int. intl. int'l intl annual ann. european national joint ieee
acm ifip usenix aaai ijcai sigmod sigplan sigcomm siggraph sigir sigart sigact icml nips vldb
popl pldi stoc focs isca asplos oopsla ecoop sosp podc spaa podc cav lics icalp soda kdd colt
uai ecml infocom icde pods crypto eurocrypt hicss icpp ipps ppopp micro hpca usenix ecai iclp
tacas fossacs esop record digest lecture notes lncs advances summer winter fall spring track
forum first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first
"""
JOURNALS = """
journal j. jour. transactions trans. trans communications comm. commun. cacm jacm magazine review
rev. letters lett. lett annals ann. bulletin bull. acta quarterly archive archives computing
surveys computer software science nature intelligence ieee acm siam informatica biometrika
biometrics cognition cybernetics neurocomputing algorithmica combinatorica machine artificial
information processing theoretical appl. math. sci. soc. amer. comput. syst. softw. eng.
"""
DEGREES = """
thesis dissertation degree doctor philosophy master masters master's bachelor ph.d. phd ph.d m.s.
msc m.sc. doctoral requirements fulfillment partial submitted presented faculty graduate committee
advisor supervisor chair chairman approved candidate diploma diplomarbeit doctorate examiner
professor signature approved: advisor: honors habilitation
"""
REPORTS = """
technical tech. tech report rep. tr memo memorandum research rr internal note working paper preprint
manuscript thesis ph.d. phd master's m.s. dissertation no. number rapport bericht draft rfc patent
tr-
"""
NOTES = """
appear submitted supported support grant grants contract funded funding partially copyright
permission rights reserved work preliminary version revised presented press available published
unpublished personal communication forthcoming accepted reprinted sponsored under part award
fellowship acknowledge thank views author's address current contact correspondence published
received nsf darpa arpa onr afosr esprit draft extended also appears appeared abstract printed
"""
MONTHS = """
january february march april may june july august september october november december jan. feb. mar.
apr. jun. jul. aug. sept. sep. oct. nov. dec. jan feb mar apr jun jul aug sept sep oct nov dec
spring summer fall autumn winter
"""
PARTICLES = "van von de der den di da del della du la le dos das ter ten el al bin ibn st. mac"
SMALL = """
a an the of for in on and to with by from at as is are its using via towards toward into over under
between through without within be we that this which it can not or our has have how what when why
"""


class _Lexicon(NamedTuple):
    name: str
    words: frozenset[str]


def _lexicon(name: str, text: str) -> _Lexicon:
    return _Lexicon(name, frozenset(text.split()))


_LEXICONS = (
    _lexicon("given", GIVEN),
    _lexicon("city", CITIES),
    _lexicon("country", COUNTRIES),
    _lexicon("state", STATES),
    _lexicon("street", STREETS),
    _lexicon("institution", INSTITUTIONS),
    _lexicon("publisher", PUBLISHERS),
    _lexicon("meeting", MEETINGS),
    _lexicon("journal", JOURNALS),
    _lexicon("degree", DEGREES),
    _lexicon("report", REPORTS),
    _lexicon("noted", NOTES),
    _lexicon("month", MONTHS),
    _lexicon("particle", PARTICLES),
    _lexicon("small", SMALL),
)


@lru_cache(maxsize=50_000)
def lexicons_with(word: str) -> tuple[str, ...]:
    """Return the names of the lexicons with the word; case and outer punctuation do not count."""
    low = word.lower().strip("()[]{}\"'`,;:")
    bare = low.rstrip(".")
    return tuple(name for name, words in _LEXICONS if low in words or bare in words)
