"""The vocabulary of the generated web: topics, lines of business, names of systems and venues.

Neighbouring topics share words on purpose: one word rarely determines where a
link leads.
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

ACCENTED = (
    "This page was written on a train to Zürich.",
    "Thanks to the people of the café in the main building.",
    "Gödel would have had something to say about this.",
    "The pictures were made with Bézier curves.",
    "A theorem of Poincaré is mentioned here for no particular reason.",
    "Grüße aus Köln!",
)
"""Sentences whose bytes differ between the charsets of western Europe."""

ADJECTIVES = tuple(
    """adaptive scalable efficient robust incremental hierarchical probabilistic dynamic fast
    automatic interactive practical lazy modular symbolic hybrid compact approximate layered
    portable lightweight flexible predictive selective self-tuning two-stage constrained simple
    multi-level model-based parameter-free cooperative context-sensitive integrated
    """.split()
)
"""What a paper says of its method."""

SYSTEM_NAMES = tuple(
    """Acorn Albatross Amber Anvil Argus Aurora Badger Bamboo Basalt Beacon Bison Bramble Breeze
    Cedar Cinder Cobalt Compass Condor Coral Cormorant Crane Cypress Delta Dolphin Eagle Echo Ember
    Falcon Fennel Ferret Finch Fjord Flint Fox Garnet Gecko Ginger Granite Harrier Hazel Hedgehog
    Heron Hornet Ibis Indigo Jasmine Juniper Kestrel Kite Lantern Lark Lichen Linden Lotus Lynx
    Magpie Maple Marlin Marten Meridian Mistral Moss Nectar Nimbus Oasis Onyx Opal Orchid Oriole
    Osprey Otter Owl Pebble Pelican Petrel Pine Plover Puffin Quartz Quill Raven Reef Robin Sable
    Saffron Salmon Sequoia Shale Shrike Sorrel Sparrow Spruce Starling Stork Sturgeon Swift Tern
    Thistle Thrush Topaz Tundra Umber Violet Walnut Willow Wolverine Wren Zephyr
    """.split()
)
"""Names of systems and products."""

PROJECT_NAMES = tuple(name.lower() for name in SYSTEM_NAMES)
"""The folders of projects."""

VENUES = (
    "International Conference on",
    "Workshop on",
    "Annual Symposium on",
    "National Conference on",
    "European Conference on",
)

JOURNALS = ("Journal of", "Transactions on", "Annals of", "Letters in")
