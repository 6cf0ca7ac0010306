"""Vocabulary of synthetic papers: the parts of titles, names, places and venues."""

from __future__ import annotations

from lycosa.sites.generated.words import TOPICS

TOPIC_WORDS = tuple(topic.words for topic in TOPICS)
FIELDS = tuple(topic.name for topic in TOPICS)


def _items(text: str) -> tuple[str, ...]:
    """Split items at bars; a dash is the empty item."""
    items = (" ".join(item.split()) for item in text.split("|"))
    return tuple("" if item == "-" else item for item in items)


NOUNS = tuple(
    """algorithms analysis applications architecture agents architectures assumptions automata
    axioms behavior benchmarks bounds calculus case cases channels circuits classes
    classification codes combinations communication comparison compilation compilers complexity
    components computation computations computers concepts concurrency constraints constructs
    context control cost curves data databases debugging decisions decomposition definitions
    delays dependence descriptions design development devices diagrams dynamics effects engines
    environments equations errors estimation evaluation evidence evolution examples execution
    experience experiments expressions extensions faults fields filters flows formulas
    foundations frames functions games generation geometry goals graphs groups heuristics
    hierarchies ideas images implementation implications improvements induction inference
    information instructions integration interaction interfaces interpretation issues kernels
    knowledge languages latency layers lessons limits links lists locality logic logics loops
    machines maintenance management maps matching measurement mechanisms memory messages
    methodology methods minds models modules motion multiprocessors names networks nets objects
    operations operators optimization optimizations organization orders paradigms parameters
    parsers partitions paths patterns perception performance perspectives perturbation plans
    platforms points policies practice predicates prediction primitives principles probability
    problem problems procedures processes processors processing programming programs
    projections proofs properties proposals protocols prototypes quality queries questions
    queues reasoning recognition records recovery reduction reductions refinement regions
    relations reliability representation representations requirements research resources
    results reuse review robots roles rules sampling scenes scheduling schemes schemas search
    security selection semantics sensors sequences services sets shapes sharing signals
    simulation simulations software solutions sorting space spaces specification specifications
    speech stability states statistics storage strategies streams structure structures studies
    support surfaces surveys switches synchronization syntax synthesis systems tables tasks
    taxonomy techniques technology terms testing tests texts theorems theories theory threads
    tools topology tradeoffs traces trees transactions transfer transformations translation
    transmission types uncertainty understanding units updates users utilities validation
    values variables vectors verification versions video views visualization
    words workloads workstations worlds writing""".split()
)
ADJECTIVES = tuple(
    """abstract active adaptive aggressive algebraic analytic approximate architectural artificial
    associative asymptotic asynchronous atomic automated automatic autonomous bayesian binary blind
    bounded broadcast causal central classical coarse cognitive collaborative combinatorial common
    compact complete complex computational conceptual concurrent conditional constructive
    content-based context-free context-sensitive continuous cooperative correct cyclic data-driven
    deductive deep default dense deterministic digital direct discrete distributed domain-specific
    dynamic early economic effective efficient electronic embedded empirical error-correcting exact
    experimental explicit exponential extended extensible external fair fast fault-tolerant
    feasible feature-based fine-grained finite flexible formal full functional fuzzy general
    generalized generic genetic geometric global good graphical hard heterogeneous heuristic hidden
    hierarchical high high-level high-performance high-speed human hybrid implicit improved
    incomplete incremental independent inductive integrated intelligent interactive internal
    interprocedural irregular iterative large large-scale lazy lexical linear local logical
    low-cost massively mathematical maximum minimal mobile model-based modern modular monotonic
    multidimensional multilevel multiple multivariate mutual natural neural new nonlinear
    normal novel numerical object-oriented on-line open optical optimal ordinary orthogonal
    parallel parametric partial passive perfect persistent physical planar polymorphic
    polynomial portable practical precise predictive probabilistic public qualitative
    quantitative quantum random rapid rational real-time recent recursive relational reliable
    remote reusable reversible rigid robust scalable scientific secure selective
    self-organizing semantic sequential shallow shared simple simultaneous sparse spatial
    speculative stable static statistical stochastic strong structural structured succinct
    supervised symbolic symmetric synchronous syntactic temporal theoretical three-dimensional
    top-down traditional transparent truthful uniform unified universal unsupervised usable variable
    virtual visual weak wide""".split()
)
GERUNDS = tuple(
    """abstracting accelerating acquiring adapting aligning analyzing applying approximating
    assessing balancing bounding bridging building caching capturing checking choosing classifying
    coding combining comparing compiling compressing computing constructing controlling coordinating
    debugging deciding decomposing deriving designing detecting developing discovering distributing
    embedding enabling encoding enforcing engineering enhancing estimating evaluating evolving
    exploiting exploring expressing extending extracting finding formalizing generalizing generating
    guiding handling hiding identifying implementing improving incorporating increasing inducing
    inferring integrating interpreting introducing labeling learning limiting locating maintaining
    making managing mapping maximizing measuring mining minimizing modeling monitoring navigating
    optimizing ordering organizing parsing partitioning placing planning predicting preserving
    processing programming proving providing pruning querying ranking realizing reasoning
    recognizing reconciling recovering reducing refining representing restructuring retrieving
    reusing routing scaling scheduling searching selecting separating sharing simplifying
    simulating solving sorting specifying storing structuring supporting synthesizing testing
    tracing tracking training transforming translating tuning understanding unifying updating
    using validating verifying
    visualizing writing""".split()
)
OPENERS = _items(
    """
in this paper we present | we describe | this paper presents | we propose | we show that | it is
shown that | this report describes | we introduce | recent work has shown that | one of the main
problems of | we study | in contrast to previous work, | the goal of this work is | our results
suggest that | experimental results indicate that | an important problem in | many applications
require | we also discuss | finally, we report on | we argue that | we consider the problem of |
we give | the paper concludes with | unlike earlier approaches, | traditionally, | we investigate
| this thesis develops | there has been much interest in
"""
)
CONNECTIVES = tuple(
    """of in for with and the a is are that to on by from as which can be using between over under
    has been than such both not more only when where while into through these this our its their an
    at or we it have was were each may also into""".split()
)
FAMILIES = tuple(
    """Smith Johnson Miller Brown Jones Wilson Anderson Taylor Thomas Moore Martin Lee Thompson
    White Harris Clark Lewis Robinson Walker Young Allen King Wright Scott Green Baker Adams
    Nelson Hill Campbell Mitchell Roberts Carter Phillips Evans Turner Parker Collins Edwards
    Stewart Morris Murphy Cook Rogers Morgan Cooper Peterson Reed Bailey Bell Kelly Howard Ward
    Cox Richardson Watson Brooks Bennett Gray James Hughes Price Myers Long Foster Sanders Ross
    Powell Sullivan Russell Fisher Henderson Cole West Jordan Reynolds Hamilton Graham Wallace
    Woods Hunt Black Palmer Stone Knight Ferguson Rose Shaw Holmes Rice Robertson Webb Simpson
    Stevens Tucker Porter Hicks Crawford Henry Boyd Mason Kennedy Warren Dixon Burns Gordon
    Gibson Ellis Cohen Levy Goldberg Katz Rosen Friedman Shapiro Klein Schwartz Weiss Müller
    Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer
    Richter Wolf Neumann Zimmermann Krüger Hartmann Lange Krause Lehmann Huber Mayer Keller
    Vogel Berger Dubois Durand Leroy Moreau Laurent Lefebvre Roux Fournier Girard Bonnet
    Mercier Rossi Ferrari Bianchi Romano Colombo Ricci Marino Greco Conti Esposito Garcia
    Fernandez Gonzalez Rodriguez Lopez Martinez Sanchez Perez Gomez Diaz Silva Santos Oliveira
    Pereira Costa Almeida Jansen Bakker Visser Smit Dijkstra Mulder Hansen Nielsen Jensen
    Larsen Olsen Berg Johansson Andersson Karlsson Nilsson Eriksson Lindberg Virtanen Korhonen
    Mäkinen Novak Horvath Nagy Kowalski Wojcik Ivanov Petrov Sokolov Popov Papadopoulos
    Georgiou Tanaka Suzuki Sato Watanabe Yamamoto Nakamura Kobayashi Kato Ito Yoshida Wang
    Zhang Chen Liu Yang Huang Zhao Wu Zhou Xu Sun Lin Kim Park Choi Kumar Singh Sharma Gupta
    Patel Rao Reddy Iyer Agrawal Mehta Krishnan Subramanian Narayanan Srinivasan Rahman Hassan
    Ahmed Yilmaz O'Brien
    O'Neill MacDonald McCarthy McGrath Fitzgerald""".split()
)
CITY_SUFFIXES = _items(
    """
ville | ton | burg | field | ford | wick | port | mouth | stad | heim
"""
)
JOURNAL_HEADS = _items(
    """
Journal of {f} | International Journal of {f} | IEEE Transactions on {f} | ACM Transactions on {f}
| {f} | {f} Journal | Annals of {f} | SIAM Journal on {f} | {f} Review | {f} Letters | Theoretical
{f} | {f} and Applications | {f}: Practice and Experience | Acta {x} | {x} | IEEE {f} | Advances
in {f} | The {f} Journal | Bulletin of {f} | Journal of the {s} Society | Journal of {f} Research
"""
)
JOURNALS = _items(
    """
Communications of the ACM | Journal of the ACM | Comm. ACM | J. ACM | CACM | JACM | IEEE Computer
| IEEE Software | Computer | Machine Learning | Artificial Intelligence | Information and
Computation | Information Processing Letters | Theoretical Computer Science | Acta Informatica |
Computational Linguistics | AI Magazine | Cognitive Science | Neural Computation | Science |
Nature | ACM Computing Surveys | Proceedings of the IEEE | SIAM J. Comput. | IEEE Trans. Softw.
Eng. | IEEE Trans. Comput. | ACM Trans. Program. Lang. Syst. | J. Comput. Syst. Sci. | Inf.
Process. Lett. | ACM TODS | ACM TOPLAS | SIGPLAN Notices | ACM SIGPLAN Notices | Computer Journal
| Parallel Computing | Software - Practice and Experience | Psychological Review | Biological
Cybernetics | Physical Review | Annals of Statistics | Biometrika | Operations Research |
Management Science | Mathematical Programming | Numerische Mathematik | New Generation Computing |
Complex Systems | Science of Computer Programming | IEEE Network | Computer Networks and ISDN
Systems | Human-Computer Interaction | Pattern Recognition
"""
)
MEETING_HEADS = _items(
    """
{o} International Conference on {f} | {o} Annual Symposium on {f} | {o} Annual ACM Symposium on
{f} | {o} IEEE Symposium on {f} | {o} ACM Conference on {f} | {o} National Conference on {f} | {o}
International Joint Conference on {f} | {o} European Conference on {f} | {o} Workshop on {f} | {o}
International Workshop on {f} | International Conference on {f} | International Symposium on {f} |
ACM SIG{x} Conference on {f} | {y} International Conference on {f} | {y} ACM Conference on {f} |
IEEE International Conference on {f} | {o} Conference on {f} | {x} '{s} Conference on {f} | SIG{x}
'{s} Conference on {f} | {x} {y} | {x}-{s} | {x}'{s} | {o} {x} Conference | {x} Conference |
Winter {y} USENIX Conference | {o} Annual Conference of the {f} Society | {o} Hawaii International
Conference on System Sciences | Symposium on {f} | Workshop on {f} | Conference on {f} | DARPA {f}
Workshop | AAAI Workshop on {f} | {o} International Conference on {f} ({x}-{s}) | {o}
International Conference on {f} ({x})
"""
)
MEETING_OPENERS = _items(
    """
In Proceedings of the | In Proceedings of the | In Proc. of the | In Proc. | Proceedings of the |
Proc. of the | Proc. of | Proc. | In | in | in Proc. | in Proceedings of the | In Conference
Record of the | In Proceedings | Proceedings | In Procs. | - | In the Proceedings of the | Conf.
Rec. | In: Proceedings of the
"""
)
ABBREVIATIONS = {
    "International": "Int.",
    "Conference": "Conf.",
    "Symposium": "Symp.",
    "Transactions": "Trans.",
    "Journal": "J.",
    "Annual": "Ann.",
    "Computer": "Comput.",
    "Computing": "Comput.",
    "Systems": "Syst.",
    "Software": "Softw.",
    "Engineering": "Eng.",
    "Languages": "Lang.",
    "Programming": "Prog.",
    "Intelligence": "Intell.",
    "Artificial": "Artif.",
    "Science": "Sci.",
    "Communications": "Comm.",
    "European": "Europ.",
    "National": "Nat.",
    "Information": "Inf.",
    "Theoretical": "Theor.",
    "Mathematics": "Math.",
    "Society": "Soc.",
    "Research": "Res.",
    "Letters": "Lett.",
}
PRESSES = _items(
    """
Springer-Verlag | Springer | Springer Verlag | Addison-Wesley | Addison Wesley | Addison-Wesley
Publishing Company | Prentice Hall | Prentice-Hall | Prentice-Hall, Inc. | MIT Press | The MIT
Press | Morgan Kaufmann | Morgan Kaufmann Publishers | Morgan Kaufman | John Wiley & Sons | John
Wiley and Sons | Wiley | McGraw-Hill | Academic Press | Cambridge University Press | Oxford
University Press | Elsevier | Elsevier Science Publishers | North-Holland | Kluwer Academic
Publishers | Kluwer | Plenum Press | W. H. Freeman | Freeman | Benjamin Cummings | IEEE Computer
Society Press | IEEE Press | IEEE | ACM Press | ACM | AAAI Press | AAAI Press/The MIT Press |
Lawrence Erlbaum Associates | Lawrence Erlbaum | Chapman and Hall | Birkhauser | World Scientific
| Pergamon Press | Clarendon Press | Computer Science Press | SIAM | USENIX Association | IOS
Press | Ablex | Dover | University of {c} Press | {x} Press | {x} Publishers | {x} Verlag | {x}
Books
"""
)
COMPANIES = _items(
    """
IBM T. J. Watson Research Center | IBM Research Division | IBM Almaden Research Center | AT&T Bell
Laboratories | Bell Laboratories | Xerox Palo Alto Research Center | Xerox PARC | Digital
Equipment Corporation | DEC Systems Research Center | Hewlett-Packard Laboratories | SRI
International | NEC Research Institute | Microsoft Research | Sun Microsystems Laboratories | GTE
Laboratories | INRIA | CWI | NASA Ames Research Center | Sandia National Laboratories | Argonne
National Laboratory | Los Alamos National Laboratory | Oak Ridge National Laboratory |
International Computer Science Institute | {x} Corporation | {x} Systems, Inc. | {x} Research
Laboratory | {x} Research Institute | {x} Laboratories | {x} GmbH | {x} Ltd.
"""
)
DEPARTMENTS = _items(
    """
Department of Computer Science | Dept. of Computer Science | Computer Science Department |
Department of Computer Science and Engineering | Department of Electrical Engineering and Computer
Science | Department of Electrical and Computer Engineering | Department of Computer and
Information Science | Department of Mathematics | Department of Statistics | Department of {f} |
School of Computer Science | School of Computing | College of Computing | Computer Science
Division | Computer Science Laboratory | Artificial Intelligence Laboratory | {f} Laboratory | {f}
Group | Laboratory for Computer Science | Center for {f} | Centre for {f} | Institute for {f} |
Institut für Informatik | Fachbereich Informatik | Faculty of Mathematics and Computer Science |
Dipartimento di Informatica | Laboratoire d'Informatique | Departamento de Informática | Computing
Laboratory | Division of Engineering and Applied Sciences | Robotics Institute | Graduate School
of Industrial Administration | Information Sciences Institute | Coordinated Science Laboratory
"""
)
UNIVERSITIES = _items(
    """
University of {s} | University of {s} | University of {c} | {c} University | {s} State University
| University of {s} at {c} | University of {s}, {c} | Technical University of {c} | Technische
Universität {c} | Universität {c} | Universita di {c} | Université de {c} | Universidad de {c} |
{c} Institute of Technology | {s} Institute of Technology | {x} University | {x} College |
Massachusetts Institute of Technology | MIT | Stanford University | Carnegie Mellon University |
Carnegie-Mellon University | Cornell University | Princeton University | Harvard University | Yale
University | Brown University | Rice University | Duke University | Purdue University | Rutgers
University | Columbia University | New York University | University of California | University of
California, {c} | U.C. {c} | UC {c} | The Hebrew University | Imperial College | King's College |
Weizmann Institute | Tel Aviv University | Université {x} | The University of {c} | The {s} State
University | The University of {s}
"""
)
US_STATES = tuple(
    """California|CA Massachusetts|MA Pennsylvania|PA Texas|TX Illinois|IL Washington|WA Colorado|CO
    Maryland|MD Wisconsin|WI Indiana|IN Oregon|OR Virginia|VA Georgia|GA Florida|FL Arizona|AZ
    Michigan|MI Minnesota|MN Ohio|OH Iowa|IA Utah|UT Tennessee|TN Connecticut|CT Kansas|KS
    Oklahoma|OK Delaware|DE Missouri|MO Nebraska|NE Kentucky|KY Louisiana|LA Alabama|AL""".split()
)
COUNTRIES = tuple(
    """Germany France Italy Spain England UK U.K. Canada Australia Japan Israel Sweden Denmark
    Norway Finland Netherlands Switzerland Austria Belgium Portugal Greece Ireland Scotland
    India China
    Korea Taiwan Singapore Brazil Mexico Hungary Poland Russia Turkey""".split()
)

COMMON_WORDS = tuple(
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
