"""The vocabulary of the generated web: words of topics, of kinds of page, and common ones.

Neighbouring topics share words on purpose, and so do kinds of page: one word
rarely determines where a link leads.
"""

from __future__ import annotations

from typing import NamedTuple


class TopicWords(NamedTuple):
    """A field of research or line of business: its name, a short form for URLs, its words."""

    name: str
    short: str
    words: tuple[str, ...]


def _topics(table: str) -> tuple[TopicWords, ...]:
    rows = [line.split("|") for line in table.strip().splitlines()]
    return tuple(
        TopicWords(name.strip(), short.strip(), tuple(w.split())) for name, short, w in rows
    )


TOPICS = _topics(
    """
Machine Learning | ml | learning classifier training generalization bayesian regression boosting kernel margin features supervised examples induction trees overfitting likelihood
Neural Networks | nn | neural network backpropagation recurrent layers hidden units weights gradient training convergence activation learning perceptron associative memory
Reinforcement Learning | rl | reward policy agent value exploration learning markov decision temporal discounted states actions planning delayed control
Robotics | robotics | robot motion planning sensor manipulator navigation mobile control grasp kinematics localization autonomous obstacle map actuators vision
Computer Vision | vision | image segmentation stereo motion object recognition shape camera texture edge tracking calibration features illumination scene
Natural Language | nlp | parsing grammar language corpus semantic lexical discourse translation speech text syntax ambiguity tagging dialogue words
Information Retrieval | ir | retrieval query document indexing relevance ranking text collection search terms hypertext clustering precision recall filtering
Databases | db | query transaction relational schema index concurrency optimization storage join recovery views warehouse constraints mining tuples
Operating Systems | os | kernel scheduling file process memory cache thread disk virtual paging microkernel device storage interrupt prefetching
Distributed Systems | dist | replication consistency fault message protocol consensus distributed failure latency processes client server recovery group clocks
Networking | net | routing packet congestion multicast traffic bandwidth protocol wireless latency router flow tcp switching mobile quality
Computer Architecture | arch | cache pipeline instruction processor branch prediction superscalar memory prefetching register speculative simulation multithreaded bandwidth issue
Parallel Computing | par | parallel scalable partitioning load balancing message shared memory processors speedup communication grid numeric machine locality
Compilers | comp | compiler optimization code register allocation loop analysis dataflow inlining instruction scheduling pointer alias program transformation
Programming Languages | pl | type functional lambda semantics polymorphism object inference inheritance calculus module program evaluation continuation objects
Software Engineering | se | software specification requirements testing maintenance process reuse components design reliability metrics inspection evolution tools
Formal Methods | fm | verification model checking temporal logic proof specification refinement theorem prover automata correctness symbolic state invariants
Algorithms | algo | algorithm approximation graph bounds complexity randomized flow matching online optimal polynomial tree connectivity data structure
Theory of Computation | theory | complexity lower bounds circuits reduction hardness nondeterministic probabilistic proof oracle polynomial classes space automata interactive
Cryptography | crypto | encryption key signature protocol security authentication secret cipher adversary hash public randomness zero knowledge attack
Computer Graphics | graphics | rendering surface radiosity texture animation shading mesh illumination ray geometry polygon visualization curves volume
Human Interaction | hci | interface user usability display collaborative interaction task evaluation gesture visualization cognitive design groupware feedback
Scientific Computing | sci | numerical solver matrix sparse iterative linear equations finite element preconditioner convergence error differential multigrid eigenvalue
Computational Biology | bio | sequence protein alignment genome structure folding molecular gene dna prediction phylogeny clustering expression database markov
Real Time Systems | rt | deadline scheduling periodic embedded task priority hard timing jitter feasibility sensor control kernel analysis latency
Multimedia | mm | video audio streaming compression storage synchronization coding playback quality server bandwidth motion image wavelet interactive
"""  # noqa: E501
)

PRODUCTS = _topics(
    """
Pumps | pumps | pump flow pressure valve seal industrial hydraulic stainless impeller motor maintenance fluid efficiency water
Sensors | sensors | sensor measurement temperature accuracy signal wireless monitoring calibration probe pressure range digital output
Software | software | software platform cloud license integration analytics dashboard workflow reporting security upgrade users enterprise
Logistics | logistics | shipping freight warehouse delivery tracking customs supply chain pallet carrier fleet storage routes
Medical | medical | patient clinical device diagnostic imaging hospital therapy sterile surgical care monitoring safety trial
Energy | energy | power turbine solar grid battery storage generation wind renewable voltage efficiency plant carbon
Chemicals | chemicals | polymer coating resin solvent adhesive compound additive surface formulation purity grade process safety
Foods | foods | ingredient flavour recipe packaging organic snack beverage nutrition dairy taste fresh quality retail
Tools | tools | drill cutting blade torque cordless battery professional workshop precision steel accessories warranty motor
Banking | banking | account loan credit payment interest deposit mortgage savings transfer rates advisory investment branch
Insurance | insurance | policy claim coverage premium risk liability property life benefits broker renewal damage protection
Vehicles | vehicles | engine electric truck chassis diesel battery driver safety fleet trailer wheel service fuel
"""  # noqa: E501
)

COMMON = tuple(
    """the of and to in a is for that we this with on are by as be which an from at it our can not
    have has was these been or their more one two new used also such all other between may each
    some most into than based using use results system systems work time first number different
    method methods approach problem problems set large small given both only over under many
    page here information available about please will you your if see following last who what
    when where how university department computer science group people year years part order
    made make well several general particular important recent present main high low good best
    level long short current local common example case form line point end state world public
    support development design include including provide provides during through since until
    before after against within without however therefore because while although often usually
    need needs change changes show shows shown find found known call called take taken given
    second third next several possible simple complex free open full total real every any much
    very still even just like back down out up off way ways place side name names list lists
    office room building phone fax mail address send contact home top updated welcome
    questions comments week month day days spring fall winter summer monday friday
    """.split()
)

KINDS: dict[str, tuple[str, ...]] = {
    kind: tuple(words.split())
    for kind, words in {
        "front": "welcome department university degree program undergraduate graduate campus "
        "faculty research tour admissions",
        "person": "interests office hours professor phone fax email biography degree born student "
        "advisor teaching research hobbies",
        "hub": "publications papers journal conference proceedings appeared submitted technical "
        "report abstract draft revised preprint volume pages editors postscript",
        "paper": "propose evaluate performance previous assume define bound compare measure "
        "section experiments results figure table derive proof theorem implemented observe",
        "course": "course lecture homework exam grading textbook instructor midterm final "
        "prerequisites assignment syllabus section credits project quiz",
        "group": "group members laboratory projects sponsors research meeting visitors seminar "
        "funding collaborators publications",
        "project": "project goals prototype release software demo funded grant members overview "
        "architecture papers download version",
        "report": "abstract technical report number series postscript pages author appeared",
        "news": "announced award talk visit congratulations press event held honoured grant "
        "ceremony alumni lecture",
        "month": "calendar talk seminar meeting room holiday deadline noon colloquium speaker",
        "manual": "command option file default install section chapter reference example syntax "
        "value returns error usage appendix node",
        "misc": "my pictures music trip friends favourite movies garden cooking hiking chess "
        "guitar old stuff cool links books travel",
        "form": "form request signature date approval travel reimbursement registration fill",
        "product": "product features order price range datasheet download model benefits customers "
        "solution specification compare",
        "press": "announced today press release customers quarter agreement appointed launch "
        "statement media leadership chief executive",
        "investor": "investors shareholders quarter revenue earnings annual report dividend "
        "shares fiscal governance filing board meeting",
        "job": "position apply experience skills salary team location candidate benefits join "
        "manager responsibilities resume",
        "company": "company mission history values customers founded offices team people culture "
        "partners responsibility directors",
        "officers": "chief executive officer president vice chairman board director management "
        "finance operations counsel joined served previously committee appointed",
    }.items()
}

ACCENTED = ("Zürich", "café", "naïve", "Poincaré", "Universität", "Gödel", "Bézier")
"""Words whose bytes differ between the charsets of western Europe."""

METHODS = (
    "Learning Adaptive Scalable Efficient Robust Incremental Optimal Hierarchical Probabilistic "
    "Dynamic Distributed Fast Automatic Interactive Practical Lazy Active Modular Symbolic Hybrid"
).split()

NOUNS = (
    "Framework Approach Algorithm System Study Analysis Method Architecture Model Evaluation "
    "Technique Comparison Theory Survey Environment Toolkit Language Strategy"
).split()

VENUES = (
    "International Conference on",
    "Workshop on",
    "Annual Symposium on",
    "National Conference on",
    "European Conference on",
)

JOURNALS = ("Journal of", "Transactions on", "Annals of", "Letters in")

PUBLISHERS = ("Harbour Press", "North Gate", "Lantern Books", "Millfield", "Academic House")

HOBBIES = tuple(
    """photos hiking music chess recipes bookmarks trip garden movies quotes cats poems linux
    guitar family jokes sailing books puzzles maps diary running birds astronomy""".split()
)
