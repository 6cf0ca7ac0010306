"""The phrases of each topic, from which sentences about it are made.

Tasks are nouns without an article that take a singular verb; methods are singular
and countable; objects, obstacles and uses are plural or uncountable nouns; `gains`
are quantities that one wants larger, `costs` those that one wants smaller; insights
are whole clauses. Objects with a `+` are counted in thousands, others in dozens.
"""

from __future__ import annotations

from typing import NamedTuple

from lycosa.sites.generated.grammar import plural
from lycosa.sites.generated.words import TOPICS


class Noun(NamedTuple):
    """A countable noun: its singular and its plural form."""

    one: str
    many: str


class Subject(NamedTuple):
    """The phrases of one topic, as the module describes them."""

    name: str
    field: str
    """The name in running text."""
    formal: bool
    """Whether results are proved rather than measured."""
    tasks: tuple[str, ...]
    methods: tuple[Noun, ...]
    objects: tuple[str, ...]
    obstacles: tuple[str, ...]
    gains: tuple[str, ...]
    costs: tuple[str, ...]
    insights: tuple[str, ...]
    uses: tuple[str, ...]


FORMAL = frozenset(("Formal Methods", "Algorithms", "Theory of Computation", "Cryptography"))

_FIELDS = {
    "Theory of Computation": "the theory of computation",
    "Natural Language": "natural language processing",
    "Human Interaction": "human-computer interaction",
    "Real Time Systems": "real-time systems",
}
"""The fields whose names in running text differ from those of their groups."""

_TABLE = """
Machine Learning
text classification; concept learning; feature selection; semi-supervised learning; active learning; regression; cost-sensitive learning; online learning; model selection; rule induction
kernel classifier; decision tree; boosted ensemble; naive Bayes classifier; margin classifier; Bayesian network; nearest-neighbour rule; mixture model; decision list; logistic model
labelled documents+; medical records+; training examples+; benchmark data sets; credit applications+; survey responses+
mislabelled examples; irrelevant features; missing values; skewed class frequencies; changes in the target concept
accuracy; precision; generalization; log-likelihood
training time; the error rate; the number of labelled examples; the size of the model
most training examples say little about the boundary between two classes; unlabelled examples show where the classes are dense; features that are useless alone can be informative together; a small margin on few examples matters less than a large margin on most; the likelihood of a model says little about its errors
spam filtering; credit scoring; medical diagnosis; document filtering
Neural Networks
handwriting recognition; time-series prediction; speech recognition; function approximation; associative recall; sequence learning; network pruning; process control
recurrent network; multilayer perceptron; radial basis network; associative memory; gating network; committee of networks; self-organizing map; time-delay network
digit images+; phoneme sequences+; sensor readings+; training patterns+; sunspot records; learning problems
vanishing gradients; local minima; noisy targets; saturated hidden units; long time lags
accuracy; generalization; storage capacity; the rate of convergence
training time; the prediction error; the number of hidden units; the number of weights
many weights of a trained network can be removed without loss; hidden units tend to learn the same feature twice; gradients shrink as they pass through the layers; the early layers converge long before the late ones; a small step along the curvature is worth many along the gradient
cheque reading; load forecasting; process control; fault diagnosis
Reinforcement Learning
value estimation; policy search; delayed credit assignment; exploration; planning with a learned model; hierarchical control; average-reward learning; state abstraction
temporal-difference method; actor-critic agent; Markov decision process; Q-learning agent; eligibility trace; option hierarchy; tile-coded value function; policy gradient
grid worlds; simulated elevators; board games; control problems; maze tasks; scheduling problems
delayed rewards; hidden states; large action spaces; deceptive rewards; sparse rewards
average reward; sample efficiency; the speed of learning
the number of trials; regret; the variance of the estimates; the cost of exploration
nearby states often share the same best action; the agent visits few of the states that it could visit; an action that looks bad today may be worth a second trial; most of the reward follows from a small number of decisions; errors in the value of a state spread to its predecessors
elevator dispatching; robot control; channel allocation; game playing
Robotics
motion planning; mobile robot navigation; map building; grasp planning; localization; visual servoing; multi-robot coordination; obstacle avoidance; legged locomotion
particle filter; potential field; behaviour-based controller; probabilistic roadmap; inverse kinematics solver; sensor fusion scheme; landmark map; hybrid controller
office corridors; test runs; cluttered rooms; grasps+; sonar scans+; field trials
wheel slippage; moving obstacles; unreliable sensors; narrow passages; calibration errors
accuracy; reliability; the success rate; autonomy
planning time; position error; energy use; the number of collisions
a robot needs to know its position only where it has to turn; sonar readings fail in the same way at the same places; most of the plan remains valid when an obstacle moves; a coarse map is enough until the robot reaches a door; contact forces tell more about a grasp than images do
warehouse automation; planetary exploration; hospital delivery; assembly
Computer Vision
image segmentation; object recognition; stereo matching; motion estimation; face detection; camera calibration; shape recovery; texture analysis; visual tracking
Markov random field; deformable contour; eigenspace model; edge detector; optical flow estimator; aspect graph; appearance model; geometric invariant
aerial photographs+; face images+; video sequences; range images+; outdoor scenes; texture samples+
changes in illumination; occlusions; cluttered backgrounds; specular reflections; motion blur
accuracy; the recognition rate; robustness; spatial resolution
the false alarm rate; running time; the matching error; the number of views
neighbouring pixels usually belong to the same object; shadows move with the light and not with the object; corners survive changes that edges do not; three views of a scene determine where the cameras were; the outline of an object constrains its shape
medical imaging; traffic surveillance; satellite mapping; industrial inspection
Natural Language
part-of-speech tagging; machine translation; statistical parsing; word sense disambiguation; information extraction; speech understanding; anaphora resolution; text generation; dialogue modelling
hidden Markov tagger; probabilistic grammar; chart parser; finite-state transducer; maximum entropy model; lexicalized grammar; unification grammar; dialogue manager
newspaper articles+; transcribed dialogues+; annotated sentences+; parallel texts+; weather reports+; queries of travellers+
unknown words; attachment ambiguities; long-distance dependencies; incomplete sentences; idioms
precision; coverage; tagging accuracy; fluency
parsing time; the error rate; the need for annotated text; perplexity
the sense of a word rarely changes within one text; the verb of a sentence decides most of its attachments; speakers repair their sentences at predictable places; most words occur with few of their senses; rare words behave like the frequent words that they resemble
telephone information services; document summarization; language teaching; message routing
Information Retrieval
document ranking; query expansion; text filtering; passage retrieval; document clustering; hypertext search; relevance feedback; cross-language retrieval; index compression
inverted index; vector space model; probabilistic ranking model; signature file; relevance model; term-weighting scheme; thesaurus; inference network
news stories+; web pages+; judged queries; technical abstracts+; legal opinions+; search sessions+
ambiguous query terms; very short queries; vocabulary mismatches; duplicate documents; spelling variants
average precision; recall; query throughput; user satisfaction
the size of the index; response time; the number of judged documents; the cost of an update
relevant documents tend to be similar to each other; most users look at the first ten results only; a rare term says more than three common ones; the anchor of a link describes its target better than the target does; a query of two words leaves most of the intent unsaid
digital libraries; patent search; legal research; web search
Databases
query optimization; transaction processing; view maintenance; data mining; schema integration; spatial indexing; concurrency control; crash recovery; data cleaning; stream processing
cost-based optimizer; bitmap index; lock manager; hash join; materialized view; multiversion scheduler; sampling estimator; grid file
relational queries+; customer transactions+; warehouse tables; decision-support queries; spatial objects+; transaction logs
correlated attributes; skewed data; long-running transactions; conflicting schemas; hot spots
throughput; selectivity accuracy; concurrency; availability
response time; disk traffic; the cost of recovery; storage space; lock contention
most queries touch a small part of the data; a view changes little between two refreshes; the optimizer errs most where attributes depend on each other; transactions that conflict once will conflict again; a sample of the data is enough to choose a good plan
data warehousing; banking; electronic commerce; scientific archives
Operating Systems
disk scheduling; virtual memory management; file caching; thread scheduling; process migration; file prefetching; resource accounting; device driver isolation; crash-safe file storage
log-structured file system; microkernel; page replacement policy; buffer cache; user-level thread package; capability system; lottery scheduler; extensible kernel
file traces; server workloads; applications; disk requests+; desktop sessions; kernel modules
page faults; synchronous writes; priority inversions; interrupt storms; misbehaving drivers
throughput; cache hit rates; fairness; isolation
response time; disk seeks; memory use; context-switch time; recovery time
most files are read in the order in which they were written; a process that has just started will soon read its libraries; applications know more about their accesses than the kernel does; idle disks can do tomorrow's work; few pages account for most of the faults
file servers; mobile computers; web servers; time-sharing systems
Distributed Systems
data replication; failure detection; group communication; leader election; distributed garbage collection; consistent caching; checkpointing; distributed transaction processing; state machine replication
quorum protocol; lease mechanism; replicated log; vector clock; gossip protocol; atomic broadcast; failure detector; directory service
file servers; simulated failures+; message traces; client machines+; wide-area sites; recorded outages
network partitions; crashed processes; slow replicas; drifting clocks; lost messages
availability; throughput; consistency; fault tolerance
message traffic; latency; recovery time; the number of rounds; coordination
most operations commute and need no order; failures are rare, but suspicions of failure are frequent; replicas that disagree do so on few objects; a client seldom needs the newest version; clocks that are nearly synchronized are often good enough
directory services; mobile file access; air traffic control; electronic banking
Networking
congestion control; multicast routing; traffic modelling; packet scheduling; mobile handoff; admission control; web caching; link-state routing; bandwidth estimation
fair queueing discipline; window-based protocol; multicast tree; token bucket; adaptive retransmission timer; route server; bandwidth broker; packet classifier
packet traces; wireless links; network topologies; backbone routers; audio calls+; web transfers+
bursty traffic; lossy wireless links; route oscillations; selfish flows; asymmetric paths
throughput; fairness; link utilization; delivery rates
queueing delay; packet loss; control traffic; the size of routing tables; handoff time
losses on a wireless link do not mean that the network is congested; traffic is bursty at every time scale; a few long flows carry most of the bytes; neighbouring receivers lose the same packets; routes change far more often than the topology does
video conferencing; wireless access; content distribution; Internet telephony
Computer Architecture
branch prediction; instruction prefetching; cache design; register renaming; speculative execution; memory disambiguation; value prediction; power estimation; simultaneous multithreading
trace cache; two-level predictor; victim buffer; superscalar pipeline; stride prefetcher; reorder buffer; stream buffer; clustered processor
integer benchmarks; instruction traces; database workloads; multimedia kernels; simulated processors; memory reference streams
mispredicted branches; cache conflicts; long memory latencies; false dependences; register pressure
instructions per cycle; memory bandwidth; prediction accuracy; instruction-level parallelism
the miss rate; power consumption; chip area; memory latency; cycle time
the same few branches cause most mispredictions; a load often returns the value that it returned before; most registers are read once, soon after they are written; addresses that miss together once miss together again; the second thread can use the cycles that the first one loses
embedded processors; database servers; signal processing; workstations
Parallel Computing
load balancing; mesh partitioning; parallel sorting; collective communication; sparse matrix computation; data distribution; parallel simulation; barrier synchronization
work-stealing scheduler; message-passing library; graph partitioner; data-parallel compiler; distributed shared memory; task graph; domain decomposition; run-time scheduler
sparse matrices; particle simulations; irregular grids; parallel programs; processors; weather models
irregular communication; load imbalances; false sharing; remote memory accesses; synchronization delays
speedup; scalability; data locality; parallel efficiency
communication; idle time; memory traffic; partitioning time; the number of messages
the work of one time step predicts that of the next; most messages are too small to use the network well; neighbouring elements should be computed on the same processor; idle processors should look for work themselves; locality matters more than perfect balance
weather prediction; crash simulation; molecular dynamics; computational fluid dynamics
Compilers
register allocation; loop transformation; instruction scheduling; alias analysis; procedure inlining; code generation; dead code elimination; partial redundancy elimination; software pipelining
graph-colouring allocator; dataflow framework; static single assignment form; peephole optimizer; interprocedural analysis; loop transformer; dynamic compiler; dependence test
benchmark programs; loop nests+; numerical kernels; procedures+; legacy programs; embedded applications
indirect calls; pointer aliases; irregular loops; large procedures; spilled registers
code quality; parallelism; analysis precision; program speed
compile time; code size; register spills; the cost of analysis; memory traffic
most pointers refer to a single object during the whole run; a few loops take most of the running time; the profile of one run predicts that of another; live ranges are short inside loops and long outside; simple code is easier to optimize than to generate well
embedded systems; scientific computation; just-in-time compilation; program understanding
Programming Languages
type inference; program transformation; garbage collection; partial evaluation; modular programming; effect analysis; pattern matching; concurrent programming; generic programming
polymorphic type system; generational collector; lazy evaluator; module calculus; class hierarchy; continuation-passing translation; constraint solver; contract system
functional programs; library modules; class libraries; small interpreters; programs of students+; language features
mutable references; cyclic data; dynamic dispatch; type errors; unused closures
expressiveness; program safety; code reuse; readability
run-time checks; collection pauses; annotations; heap size; the length of programs
most objects die young; programmers write types where they expect mistakes; a closure rarely outlives the call that made it; inheritance is used for reuse more often than for subtyping; the hard part of a proof is the invariant and not the induction
systems programming; teaching; web programming; language design
Software Engineering
regression testing; requirements analysis; software maintenance; effort estimation; code inspection; component reuse; fault localization; design recovery; configuration management
coverage criterion; defect model; design pattern; inspection checklist; change-impact analysis; architecture description; test generator; process model
industrial projects; change requests+; open-source systems; code reviews+; defect reports+; development teams
changing requirements; undocumented dependencies; duplicated code; fragile test cases; late defects
reliability; test coverage; productivity; maintainability
testing effort; the number of defects; maintenance cost; review time; build time
files that changed together once will change together again; few modules contain most of the defects; requirements that nobody questions are the ones that change; an inspection finds other faults than a test does; developers read far more code than they write
telephone switching; avionics; medical devices; office software
Formal Methods
model checking; program verification; theorem proving; protocol verification; refinement; invariant generation; symbolic simulation; hybrid system analysis; test derivation
symbolic model checker; temporal logic; abstract interpretation; decision procedure; dynamic logic; proof assistant; timed automaton; binary decision diagram
communication protocols; hardware designs; reachable states+; safety properties; control programs; case studies
state explosion; infinite data types; fairness assumptions; incomplete specifications; nested quantifiers
confidence; coverage; automation; expressive power
memory use; verification time; the length of proofs; the number of states
most components do not influence the property that is checked; symmetric states need to be explored only once; an abstraction that is too coarse fails with an example that shows how to refine it; the invariant of a protocol is easier to find than to prove; independent steps may be taken in any order
railway signalling; cache coherence; avionics; smart card software
Algorithms
network flow; shortest path computation; graph connectivity; bin packing; online scheduling; string matching; point location; range searching; facility location; graph colouring
randomized algorithm; approximation algorithm; priority queue; sweep algorithm; local search method; primal-dual algorithm; hashing scheme; dynamic data structure
planar graphs; random instances+; road networks; point sets; set systems; request sequences
adversarial inputs; dense graphs; negative weights; degenerate inputs; cyclic dependences
approximation quality; query speed; simplicity; robustness
running time; the competitive ratio; working space; the number of comparisons; update time
a random order of the input removes the worst case; two optimal solutions differ in few edges; a sparse subgraph preserves all distances up to a constant; rounding the weights changes the optimum only slightly; every cut of a random sample is close to its expectation
network design; airline scheduling; geographic databases; circuit layout
Theory of Computation
circuit complexity; proof complexity; derandomization; communication complexity; proof verification; query complexity; learning theory; space-bounded computation; parameterized complexity
lower-bound technique; probabilistic proof; branching program; hardness reduction; oracle construction; pseudorandom generator; counting argument; decision tree model
Boolean functions; formulas; random restrictions; hard instances; complexity classes; circuits
uniformity conditions; nondeterministic guesses; relativization barriers; unbounded error; hidden symmetries
generality; explicitness; simplicity; hardness
circuit size; query complexity; the number of random bits; proof length; communication
a random restriction simplifies every small circuit; hardness can be traded for randomness; a short proof of a statement yields a small circuit for it; two parties that share randomness need hardly talk; few functions are easy for every model
cryptography; program checking; machine learning; approximation algorithms
Cryptography
digital signing; key exchange; identification; secret sharing; electronic cash; message authentication; public-key encryption; multiparty computation; random number generation
zero-knowledge proof; block cipher; threshold scheme; hash function; signature scheme; commitment protocol; stream cipher; key schedule
smart cards; chosen messages+; protocol runs; key lengths; published ciphers; network sessions+
active adversaries; leaked keys; replay attacks; side channels; malicious participants
security; efficiency; anonymity; resilience
communication; the number of rounds; key length; computing time; storage
an attacker who sees many signatures learns nothing from them; a secret is safest when no single party holds it; most attacks exploit the protocol and not the cipher; proofs in which nobody learns anything can still be short; randomness is the first thing that fails in practice
electronic voting; mobile telephony; online payment; access control
Computer Graphics
global illumination; surface reconstruction; mesh simplification; volume rendering; texture synthesis; character animation; collision detection; visibility computation; image-based rendering
radiosity method; subdivision surface; ray tracer; level-of-detail hierarchy; wavelet representation; particle system; light field; shadow algorithm
polygon models; architectural scenes; range scans; motion sequences; volume data sets; test images
glossy surfaces; sharp features; deforming objects; moving lights; aliasing artefacts
image quality; frame rates; visual realism; smoothness
rendering time; memory use; the number of polygons; the number of rays; visible error
illumination changes slowly over most surfaces; the eye does not notice errors in motion; distant objects need few polygons; most rays contribute little to the image; a surface is determined by its features and smooth between them
flight simulation; computer games; architectural design; film production
Human Interaction
user interface design; gesture recognition; information visualization; collaborative writing; usability testing; menu selection; text entry; awareness in groupware; adaptive help
direct manipulation interface; zoomable display; user model; pen-based editor; shared workspace; task model; speech interface; programming-by-example system
participants; logged sessions+; interview transcripts; office workers; design students; recorded tasks
interruptions; hidden modes; small displays; divided attention; novice errors
user satisfaction; task performance; learnability; awareness
completion time; the number of errors; mental effort; training time; screen space
users remember where things are better than what they are called; experts and novices make different errors; people adapt to an interface sooner than it adapts to them; a delay of half a second changes the strategy of the user; interruptions cost most at the end of a task
office work; air traffic control; medical records; distance learning
Scientific Computing
linear equation solving; adaptive mesh refinement; eigenvalue computation; numerical integration; sensitivity analysis; domain decomposition; time stepping; automatic differentiation
multigrid solver; Krylov method; finite element scheme; preconditioner; sparse factorization; spectral method; Runge-Kutta scheme; error estimator
sparse matrices; model problems; flow simulations; structural models; stiff systems; discretized equations
ill-conditioned matrices; stiff components; discontinuous coefficients; moving boundaries; rounding errors
accuracy; stability; convergence; floating-point performance
the number of iterations; memory use; the discretization error; solution time; communication
the error is smooth after a few iterations; most of the domain needs no fine mesh; a preconditioner need not be accurate to be useful; neighbouring time steps have nearly the same solution; the largest eigenvalues converge first
aerodynamics; structural mechanics; reservoir simulation; climate modelling
Computational Biology
sequence alignment; gene finding; protein structure prediction; phylogeny reconstruction; genome assembly; motif discovery; expression analysis; physical mapping; database search
profile hidden Markov model; alignment algorithm; scoring matrix; threading method; clustering method; suffix tree; evolutionary model; energy function
protein sequences+; bacterial genomes; gene expression profiles+; protein families; DNA fragments+; known structures
repeated sequences; sequencing errors; remote homologies; gaps; unequal rates of evolution
sensitivity; alignment quality; specificity; coverage
search time; false positives; memory use; assembly errors
conserved positions reveal the active site; genes that work together are expressed together; the order of genes changes more slowly than their sequence; sequences with the same fold need not be similar; most of a genome can be assembled without its repeats
drug design; genome annotation; medical diagnostics; evolutionary studies
Real Time Systems
schedulability analysis; priority assignment; deadline scheduling; worst-case timing analysis; aperiodic task service; clock synchronization; resource sharing; mode switching
rate-monotonic scheduler; priority ceiling protocol; timed model; slack-stealing server; timing analyser; static schedule; real-time kernel; feedback scheduler
task sets+; control applications; avionics workloads; embedded controllers; message streams; sensor nodes
overloads; blocking; release jitter; cache interference; unbounded loops
processor utilization; predictability; schedulability; responsiveness
missed deadlines; worst-case response time; preemptions; jitter; pessimism
tasks seldom need their worst-case time together; a deadline that is missed once is not always a failure; preemption costs more than the analysis assumes; the slack of one task can serve another; the longest path of a program is seldom feasible
automotive control; avionics; process control; robotics
Multimedia
video compression; audio streaming; video-on-demand; scene change detection; media synchronization; content-based retrieval; digital watermarking; wavelet coding; adaptive playback
wavelet coder; motion estimator; stream scheduler; rate controller; striped storage server; shot detector; buffering scheme; layered encoding
video clips; audio streams; news broadcasts; recorded lectures; still images+; viewing sessions+
bursty losses; rapid camera motion; clock skew; variable bit rates; heterogeneous receivers
picture quality; the compression ratio; server capacity; smoothness
start-up delay; bandwidth; buffer space; encoding time; visible artefacts
viewers notice gaps in sound before gaps in pictures; most viewers ask for the same few films; consecutive frames differ in few blocks; the importance of a packet depends on what arrived before it; a scene change is visible in its colours
distance learning; video conferencing; digital libraries; home entertainment
"""  # noqa: E501


def _rows() -> tuple[Subject, ...]:
    lines = _TABLE.strip().splitlines()
    subjects = {}
    for start in range(0, len(lines), 9):
        name = lines[start]
        tasks, methods, *others = (
            tuple(phrase.strip() for phrase in line.split(";"))
            for line in lines[start + 1 : start + 9]
        )
        nouns = tuple(Noun(one, plural(one)) for one in methods)
        subjects[name] = Subject(
            name, _FIELDS.get(name, name.lower()), name in FORMAL, tasks, nouns, *others
        )
    return tuple(subjects[topic.name] for topic in TOPICS)


SUBJECTS = _rows()
"""The subjects in the order of `TOPICS`."""
