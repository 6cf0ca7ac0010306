"""The sentences of research papers: templates for each part of the abstract and the sections.

Whatever may be plural in one topic and uncountable in another (obstacles, gains,
costs, uses) is only an object or the subject of a modal or past-tense verb, so that
every sentence agrees with every filling.
"""

from __future__ import annotations

from lycosa.sites.generated.grammar import templates

TITLES = templates(
    """
{approaches} for {task}
{an approach} for {task}
{name}: {an approach} for {task}
{task} with {approaches}
{task} in the presence of {obstacles}
on the {property} of {approaches} for {task}
{adjective} {task} with {methods}
towards {adjective} {task} for {use}
{methods} versus {baselines} for {task}
does {task} need {methods}?
{approaches} and their use in {task}
{adjective} {task} for {use} with {methods}
combining {methods} and {baselines} for {task}
reducing {cost} in {task} with {methods}
improving {gain} in {task} with {methods}
"""
)

CONTEXT = templates(
    """
{task} is a central problem in {field}, and {obstacles} can make it hard in practice.
Systems for {use} depend on {task}, which is {often} their weakest part.
{task} is {often} approached with {baselines}, which are sensitive to {obstacles}.
Much work in {field} is concerned with {task}, but few methods can deal with {obstacles}.
{baselines} are a popular tool for {task}, yet little is known about how they cope with {obstacles}.
Work on {task} has long traded {gain} against {cost}.
Despite years of research in {field}, {task} remains difficult when {obstacles} cannot be avoided.
{task} has become important for {use}, where the usual {baselines} break down.
Most published results on {task} were obtained without {obstacles}, which cannot be ignored in {use}.
Anyone who builds systems for {use} needs a reliable method for {task}.
{baselines} have been used for {task} for many years, although {obstacles} can ruin their results.
In {use}, {task} is limited by {obstacles} more than by anything else.
"""  # noqa: E501
)

GAP = templates(
    """
Existing methods either ignore {obstacles} or increase {cost}.
A common weakness of existing methods is that they ignore a simple fact: {insight2}.
Earlier attempts to improve {gain} increased {cost}.
It is not clear whether {methods} can help here.
Little use has been made of the fact that {insight2}.
So far there has been no method that deals with both {obstacles} and {obstacles2}.
We ask whether {cost} can be reduced without giving up {gain}.
"""
)

CONTRIBUTION = templates(
    """
We present {introduced for task}.
In this paper we propose {introduced for task}.
This paper introduces {introduced} and applies it to {task}.
We describe the design of {introduced for task} in the presence of {obstacles}.
We have developed {introduced} to make {task} practical for {use}.
This paper reports on {introduced} and on its use in {task}.
We propose {introduced} and study how far it can replace {baselines} in {task}.
"""
)

IDEA = templates(
    """
The key idea is that {insight}.
It relies on the observation that {insight}.
{system} exploits the fact that {insight}.
The method rests on a simple observation: {insight}.
Unlike {baselines}, it takes into account that {insight}.
It is motivated by the fact that {insight}.
Our starting point is that {insight}.
It works because {insight}.
"""
)

RESULT = templates(
    """
In experiments with {n objects}, {system} reduces {cost} by {less} percent compared with {a baseline}.
In tests with {n objects} it improves {gain} by {more} percent over {baselines}.
Experiments with {n objects} show that it lowers {cost} by {less} percent without any loss of {gain2}.
An evaluation with {n objects} shows that it improves {gain} by {more} percent and reduces {cost} by {less} percent.
We compare it with {baselines} on {n objects} and find that it reduces {cost} by {less} percent on average.
Measurements with {n objects} confirm that {system} {clearly} improves {gain}.
For {n objects}, {cost2} could be cut by {less} percent, while {gain} improved slightly.
Our experiments, which cover {n objects}, show an improvement of {more} percent over {baselines}.
"""  # noqa: E501
)

PROVED = templates(
    """
We prove that {system} is correct even in the presence of {obstacles}.
We show that it reduces {cost} {bound}.
We give an upper bound on {cost} that improves on all earlier results for {task}.
The known bound on {cost} turns out to be tight up to a constant factor.
A lower bound shows that {cost} cannot be reduced much further.
As a consequence we obtain a simple {method} for {task2}.
The proofs are elementary and short.
"""
)

CLOSING = templates(
    """
The results suggest that {insight2}.
We discuss the limits of the approach and its use in {use}.
These findings indicate that {methods} deserve more attention in {field}.
We expect similar benefits for {task2}.
We also report what did not work, and why.
The implementation is small and freely available.
We conclude with open problems in {task2}.
The method is now in use for {use2}.
There is reason to believe that the approach carries over to {task2}.
It remains open whether the same can be achieved for {task2}.
"""
)

INTRODUCTION = templates(
    """
{task} is one of the oldest problems in {field}. It arises in {use} and in {use2}, among other applications.
In its simplest form the problem is well understood. In practice, however, one has to deal with {obstacles}.
The standard answer is to use {baselines}. They are easy to build, and for small problems they work well.
Their weakness becomes visible in larger applications, such as {use}. There, {obstacles} can no longer be treated as exceptions.
A second difficulty is {cost}: what is acceptable in the laboratory is {often} too expensive in {use}.
One might expect that more data or a faster machine would solve the problem. Our experience has been different.
The difficulty lies deeper: {insight2}.
It is therefore worth asking what {methods} can contribute.
There are two reasons why this question has received little attention. First, {methods} have the reputation of being slow. Second, it is not obvious how they should deal with {obstacles2}.
"""  # noqa: E501
)

CITING = templates(
    """
The problem was first described by {cite}.
A survey of early work is given by {cite}.
For an introduction we refer to {cite}.
Similar observations were made by {cite}.
"""
)

AIMS = templates(
    """
This paper makes three contributions. First, we describe {introduced} and explain how it deals with {obstacles}. Second, we show where it differs from {baselines}. Third, we report on its use in {task}.
The main claim of this paper is that {insight}. We support this claim by {evidence}.
The rest of this paper is organized as follows. We first discuss related work, then describe the method, and finally report our results.
"""  # noqa: E501
)

RELATED = templates(
    """
{cite} proposed {cited approach} for {cited task}.
{cite} studied {cited task} and found that {cited insight}.
The use of {cited methods} for {cited task} goes back to {cite}.
{cite} used {cited methods} in order to reduce {cited cost}.
Closer to our work, {cite} applied {cited methods} to {cited task}.
Another line of research, which began with {cite}, is concerned with {cited task}.
{cite} showed that {cited methods} can cope with {cited obstacles}.
The results of {cite} on {cited task} were an important motivation for this work.
{cite} compared {cited methods} with {cited baselines} and preferred the former.
A different approach was taken by {cite}, who started from the observation that {cited insight}.
"""
)

ELSEWHERE = templates(
    """
Ideas from other fields have been useful as well, for example the work of {cite} on {cited task}.
The idea of using {cited methods} in this way is due to {cite}.
Similar problems are known in {cited field}, where {cite} proposed {cited approach}.
{cite} described {cited approach}, which is based on a related idea.
In {cited field}, {cite} showed that {cited insight}.
"""
)

CONTRAST = templates(
    """
None of these methods was designed for {task} in the presence of {obstacles}.
Our work differs from all of these in that we do not require {obstacles2} to be absent.
We share the goal of this work, but we start from the observation that {insight}.
To our knowledge, {methods} have not been used for {task} before.
What these approaches have in common is that they improve {gain} at the expense of {cost}.
A direct comparison is difficult, because the published results were obtained with other {objects}.
"""
)

METHOD = templates(
    """
{system} consists of three parts. The first part prepares the input and brings it into a common form. The second part is {an approach}, which does most of the work. The third part checks the result and repairs it where necessary.
Let us first assume that {obstacles} cannot occur. In this case the problem can be solved by {a method} alone.
At the beginning all parameters have default values, which need not be changed for most applications.
In each step, the {method} is applied to the part of the input that has changed. The result of a step is kept only if it does not increase {cost}.
This rule is simple, but it is essential, because {insight}.
To deal with {obstacles}, the {method} is extended by a second stage. This stage is needed in a small number of cases only, so that {cost} can be kept low.
It is here that our approach differs most from {baselines}.
The order of the steps does not matter, as long as each of them is repeated until nothing changes.
A special case deserves mention: if the input is empty, nothing is done at all.
We have considered several alternatives, among them {a baseline}, and rejected them because of {cost2}.
There is one parameter, the length of a step, which controls the balance between {gain} and {cost}. A value of {parameter} was used throughout this paper.
"""  # noqa: E501
)

IMPLEMENTATION = templates(
    """
{system} was implemented in {lines} lines of {language}. About half of the program deals with input and output.
Intermediate results are kept in memory and are never written to disk.
The program was tested on three kinds of machines, and the results were identical.
An earlier version used {a baseline} instead, which proved to be too slow.
The most difficult part of the implementation was to handle {obstacles} without special cases.
No attempt was made to tune the program for a particular machine.
All parameters can be set in a small text file.
"""  # noqa: E501
)

ANALYSIS = templates(
    """
We now analyse {cost}. Let n be the size of the input and k the number of steps. Each step looks at every element at most twice. It follows that the total work is proportional to the product of n and k.
In the worst case k grows with n, but this requires an input that does not occur in practice.
The proof is by induction on the number of steps. For the first step there is nothing to prove. For later steps we use the fact that {insight}.
The bound is tight, as the example of {a baseline} shows.
The analysis does not depend on the order in which the input is read.
With high probability the result differs from the best one by at most a constant factor.
If {obstacles} can be excluded, a stronger statement can be proved.
"""  # noqa: E501
)

SETUP = templates(
    """
We evaluated {system} with {n objects}. The {objects} were chosen at random from a larger set and are described in an earlier report.
They were divided into two groups of about the same size. The first group was used for development, and the second group for the measurements reported here.
As a baseline we used {a baseline} with the parameters that its authors recommend.
Each experiment was repeated {runs} times, and we report averages.
All experiments were run on the same machine, on which no other program was active.
We are interested in two quantities, namely {gain} and {cost}.
"""  # noqa: E501
)

FINDINGS = templates(
    """
Table 1 summarizes the results. Compared with {a baseline}, {system} reduces {cost} by {less} percent. At the same time it improves {gain} by {more} percent.
The difference is significant at the 5 percent level in {most} cases.
The improvement is largest where {obstacles} can be expected. Elsewhere both methods perform equally well.
This agrees with our expectation that {insight}.
The second experiment was designed to find out which part of the method is responsible for the improvement. When the second stage was switched off, half of the improvement was lost. Replacing the {method} by {a baseline} had an even larger effect.
The results vary little between the runs, and the standard deviation never exceeds {small} percent.
In a few cases our method performed worse than the baseline. A closer look showed that these cases suffer from {obstacles2}, which we had not expected.
We also varied the length of a step and found that the results hardly depend on it.
A limitation of our study is that all {objects} come from a single source. It would be interesting to repeat the experiments in {use2}.
"""  # noqa: E501
)

DISCUSSION = templates(
    """
What do these results mean for {use}? They show that {gain} can be improved without special hardware.
They do not show that {methods} are always the best choice. If {obstacles} can be excluded, {a baseline} is simpler and does just as well.
We were surprised to see how little the choice of the parameters matters. One explanation is that {insight2}.
Another open question is whether the approach can deal with {obstacles2}. We believe that it can, but we have not tried it.
"""  # noqa: E501
)

CONCLUSION = templates(
    """
We have presented {introduced} and have shown how it can be used for {task}.
The approach is based on the observation that {insight}.
{summary}
The main lesson is that simple {methods} can compete with {baselines} if they are used with care.
In future work we plan to extend the method to {task2}. We also intend to study the effect of {obstacles2} in more detail.
We hope that the method will be useful for {use2} as well.
It remains to be seen whether the results hold for other {objects}.
"""  # noqa: E501
)
