"""The sentences of a department's pages, by the kind of page.

Each line stands by itself and may follow any other of its kind. The rule of
`paper_sentences` holds: obstacles, gains, costs and uses take no verb in the present.
"""

from __future__ import annotations

from lycosa.sites.generated.grammar import Template, templates

PAGES: dict[str, tuple[Template, ...]] = {
    "front": templates(
        """
Welcome to the Department of Computer Science at {university}.
The department offers undergraduate and graduate degree programs in all areas of computer science.
Our faculty and students do research in {field}, {field2} and many other fields.
Prospective students can find information about admissions and take a tour of the campus.
The graduate program admits about {small} students every year.
Research in the department ranges from {task} to {task3}.
The department was founded in {founded} and moved to its present building a few years later.
Visitors are welcome; please contact the office before you come.
Courses for the spring term have been announced, and registration is open until the end of the month.
Our graduates work in {use}, in teaching and in research laboratories all over the world.
"""  # noqa: E501
    ),
    "about": templates(
        """
The department has grown from four professors in {founded} to one of the largest in the university.
We teach about {count} undergraduate and {small} graduate students.
Two degree programs are offered: a bachelor of science and a doctorate.
The building houses offices, teaching laboratories, a library and a machine room.
Research is organized in groups, each of which is headed by a professor.
The department is known for its work on {task} and on {task3}.
Our external advisory board meets twice a year.
Much of our research is carried out together with industry, for example in {use}.
The faculty meets on the first {weekday} of every month.
The university lies in the middle of {place}, ten minutes from the station.
"""
    ),
    "research": templates(
        """
Research in the department covers most areas of computer science.
The groups listed below welcome visitors and collaborators.
A strong tradition in {field} goes back to the first years of the department.
Recent projects deal with {task}, with {task2} and with {task3}.
Many projects are funded by national agencies, others by industry.
Students can join a research group from their first year on.
Each group holds a weekly seminar, to which guests are welcome.
The results appear in journals and conference proceedings and in our series of technical reports.
There is close cooperation between the groups, especially in {field} and {field2}.
Current work on {task} is motivated by applications in {use}.
"""
    ),
    "reports": templates(
        """
The department publishes a series of technical reports.
Most reports are available as PDF or postscript; older ones can be ordered from the office.
Reports often appear later, in revised form, in a journal or in conference proceedings.
Each report has a page with its abstract, its authors and its number.
Authors who want to submit a report should send the final version to the librarian.
The series began in {founded}, and about {small} reports appear every year.
Please cite the published version of a paper rather than the report if there is one.
The reports are sorted by number, and the most recent ones are at the end of the list.
"""
    ),
    "contact": templates(
        """
The office is open from nine to noon and from two to four, except on {weekday}.
Please send questions about admissions to the graduate secretary.
The building is a short walk from the station; parking is available behind it.
Our mail address is: Department of Computer Science, {place}.
For questions about this web site, write to the webmaster.
Phone and fax numbers of all members are in the directory.
Deliveries are accepted in room {room} on the ground floor.
In urgent cases please call the switchboard of the university.
"""
    ),
    "resources": templates(
        """
This page collects links to papers, bibliographies and archives on other sites.
None of these sites belongs to the department, and we cannot answer questions about them.
Large collections of papers on {field} and on {field2} can be found elsewhere.
Please tell us about links that no longer work.
The list is kept by volunteers and is not complete.
Publications of our own members are on their home pages and in the series of technical reports.
Many journals offer their abstracts free of charge.
Students in particular may find the tutorials on {task} useful.
"""
    ),
    "software": templates(
        """
The following software was written by members of the department.
All packages may be used free of charge for research and teaching.
The manual describes how the package is installed and lists all commands and options.
Bugs should be reported to the authors of a package and not to the webmaster.
Older versions remain available, but they are no longer maintained.
Several packages grew out of research projects on {task}.
The programs run on most machines; a compiler for C is needed to build them.
A mirror of the documentation is kept for users who are far away.
"""
    ),
    "mirrors": templates(
        """
This server mirrors the documentation of packages that are used in the department.
Mirrors are updated every night and may be a day old.
Please use the mirror that is nearest to you.
The original site of each package is named on its first page.
Files that have been removed from the original site are removed from the mirror as well.
The archive was moved from the old server in {year}.
"""
    ),
    "faculty": templates(
        """
My research interests include {task}, {task2} and {methods}.
I am a professor in the Department of Computer Science and a member of the {topic} group.
Before I came to {university} I worked on {task3} in industry.
My office hours are on {weekday} from two to three in room {room}, or by appointment.
I received my degree in {year} with a thesis on {task2}.
At present I am most interested in the question of how {methods} can be used for {task}.
I am looking for students who want to work on {task} and who like to write programs.
My work is motivated by applications in {use}.
Together with my students I am trying to understand why {insight}.
I teach courses on {field} and serve on the committee for graduate admissions.
I have edited a collection of papers on {task} and serve on several program committees.
The best way to reach me is by email; I rarely answer the phone.
"""
    ),
    "student": templates(
        """
I am a graduate student in the Department of Computer Science and work on {task}.
My advisor and I are interested in {methods} and in their use for {task2}.
My thesis will be about {task} in the presence of {obstacles}.
I expect to finish my degree next year and am looking for a position in research.
Before I came here I studied mathematics and worked as a programmer for two years.
This term I am a teaching assistant for a course on {field}.
My office is room {room}, and I am usually there in the afternoon.
In my free time I like {hobby} and {hobby2}.
If you want to know more about my work, look at my papers or send me an email.
I was born in {place} and came to {university} two years ago.
At the moment I am writing a program that deals with {objects}.
"""
    ),
    "staff": templates(
        """
I work in the office of the department and look after travel forms and purchases.
Please bring requests to room {room} before noon.
Forms for travel and reimbursement are available on this server; they need the signature of a professor.
I have been with the department since {year}.
If you need a key to a laboratory, please make an appointment by phone or fax.
Questions about courses and exams should be sent to the graduate secretary.
My office hours are from nine to four; on {weekday} the office is closed in the afternoon.
Visitors can get a temporary account within a day.
"""  # noqa: E501
    ),
    "interests": templates(
        """
The central theme of my research is {task}.
We want to know how far {methods} can take us in {task}, and where {methods2} are the better choice.
A second line of work is concerned with {task2} and with its use in {use}.
The main difficulty is how to deal with {obstacles}.
Our approach is based on the observation that {insight}.
In the long run we hope to improve {gain} and to lower {cost} at the same time.
This work is done with students and with colleagues at other universities.
We evaluate our ideas on {objects}, some of which we have collected ourselves.
An older project, which ended in {year}, dealt with {task3}.
The publications on these subjects are on a separate page.
We are grateful to our sponsors, who have supported this research for many years.
"""
    ),
    "publications": templates(
        """
Most of these papers appeared in journals or conference proceedings.
Papers that have been submitted but not yet accepted are available as drafts on request.
The files are preprints and may differ slightly from the published versions.
If a paper is missing here, please send me an email and I will add it.
An older list of technical reports, in postscript, is kept by the library of the department.
The papers on {task} are best read in the order in which they appeared.
Abstracts and the volumes and pages of all journal papers will be added soon.
Copyright of the published papers remains with the publishers; the files are for personal use only.
My thesis was on {task2} and was revised for publication as a book.
Papers on {task} with several authors are listed on the pages of the group as well.
The editors of the proceedings kindly gave permission to keep copies here.
"""
    ),
    "vita": templates(
        """
I was born in {place} and studied mathematics and computer science there.
I received my doctorate in {year} from {university} with a dissertation on {task}.
From then on I was a member of a research laboratory, where I worked on {task2}.
In the following years I held visiting positions at three universities.
I have been a professor since {year2} and head of the {topic} group for the last few years.
I have served on the program committees of several conferences on {field}.
My work on {methods} received an award for the best paper of the year.
I am a member of the editorial board of two journals.
My research has been supported by national agencies and by industry.
A complete biography, with all degrees and appointments, can be obtained from my office.
"""
    ),
    "work": templates(
        """
I am working on {methods} for {task}.
The question of my thesis is how one can deal with {obstacles}.
A first version of the program handles {objects} and is available on request.
So far the results are encouraging, but {cost} could still be reduced.
The papers below were written with my advisor and with other students of the group.
Some of them have been submitted and may still change before they appear.
A technical report with all the details is in preparation.
My earlier work, which was about {task2}, was published in the proceedings of a workshop.
Most of what I know about {field} I learned in our weekly seminar.
Comments on the drafts are very welcome.
"""
    ),
    "course": templates(
        """
This course is an introduction to {field} for advanced undergraduate and graduate students.
The course covers {task}, {task2} and, if time permits, {task3}.
There are two lectures every week, on {weekday} and on {weekday2}, and a section with the teaching assistant.
Grading is based on homework, a midterm exam and a final project.
Prerequisites are a course on algorithms and some experience with programming.
The textbook can be bought at the university book store; additional readings will be handed out.
Homework is due at the beginning of the lecture, and late homework will not be accepted.
The final exam takes place in room {room} and is open book.
Students work on the project in teams of two or three.
In the second half of the term we read recent papers on {task}.
Office hours of the instructor are after the lecture on {weekday}.
Please check this page regularly for new assignments and for changes of the schedule.
"""  # noqa: E501
    ),
    "syllabus": templates(
        """
Week 1: an overview of {field}, and a short history of the field.
Week 2: {task}, the basic problem and its variants.
Week 3: {methods} and how they are implemented.
Week 4: {methods2}, with examples from {use}.
Week 5: how to deal with {obstacles}; midterm review.
Week 6: {task2}, and why {insight}.
Week 7: measuring {gain} and {cost}.
Week 8: case studies from {use}; presentation of the projects.
Homework counts for forty percent of the grade, the midterm for twenty and the final exam for forty.
Students may discuss the assignments but have to write their own solutions.
The textbook is required for chapters one to eight only.
"""
    ),
    "group": templates(
        """
The {topic} group studies {task}, {task2} and related problems.
Members of the group have developed {methods} that are used in {use}.
The group meets every {weekday} at noon in room {room}; visitors are welcome.
Our laboratory has machines for students and equipment for experiments with {objects}.
Current projects deal with {task} in the presence of {obstacles}.
The group is funded by national agencies and by several sponsors in industry.
A list of our publications and the members of the group can be found below.
We work together with groups at other universities and with colleagues in {field2}.
Students who are interested in {task} should come to our seminar.
What unites our projects is the conviction that {insight}.
"""
    ),
    "project": templates(
        """
The goal of the project is to make {task} practical for {use}.
We are building a prototype that combines {methods} with {methods2}.
The prototype has been tested on {objects}, and a first release is available.
The project began in {year} and is funded by a national grant.
The main idea is that {insight}.
The architecture has three layers, which can be replaced independently of each other.
Members of the project come from two research groups and from industry.
We are now looking at {task2}, which turned out to be harder than expected because of {obstacles}.
Papers, a demo and documentation of the current version can be found on these pages.
Compared with our first version, {cost} could be reduced by {percent} percent.
"""
    ),
    "manual": templates(
        """
The command reads a file and writes the result to standard output.
If no option is given, default values are used for all parameters.
The value of an option follows its name and is separated from it by a space.
An error in the configuration file is reported with the number of the line.
This section describes the syntax of expressions; examples are given in the appendix.
The function returns zero if the file was read, and a negative value otherwise.
To install the package, unpack the archive, change to its directory and follow the instructions there.
Names of files may contain wildcards, which are expanded before the command is executed.
The program stops when it has read the whole input or when an error occurs.
See the next chapter for a complete list of commands and their usage.
Long lines can be continued with a backslash at the end.
The reference lists every option with its default value.
"""  # noqa: E501
    ),
    "month": templates(
        """
There are no events in this month yet.
Talks take place in the colloquium room and begin at noon.
Please send announcements of seminars and meetings to the office before the deadline.
The department is closed on public holidays.
Speakers are asked to send the title and an abstract of their talk two weeks in advance.
The calendar shows seminars, meetings and deadlines of the department.
"""
    ),
}

_NEWS = """
faculty | {who} receives award for research on {task} | The award honours the work of {who} on {task}, in particular the use of {methods}.
faculty | {who} gives invited lecture on {task} | In the lecture {who} explained why {insight}, and what follows from it for {use}.
faculty | {who} to head new committee | The committee will make recommendations on how {field} should be taught.
faculty | Grant for research on {task} | The grant, which was announced this week, will allow {who} to hire two students for three years.
student | {who} wins prize for best student paper | The prize was given for a paper on {task}, which {who} presented last week.
student | {who} defends thesis on {task} | The thesis deals with {methods} and with their use in {use}.
student | Fellowship for {who} | The fellowship will support the work of {who} on {task} for two years.
project | {who} releases new version of its software | The new version can deal with {obstacles} and is free for research.
project | Funding for the {who} project extended | In the coming years the {who} project will turn to {task}.
project | {who} project shows demo at open house | Visitors could try a prototype for {task}.
group | {who} Group opens new laboratory | The laboratory will be used for experiments on {task}.
group | Visitors from industry at the {who} Group | The guests were interested in {task} and in its use in {use}.
group | {who} Group hosts workshop on {task} | More than {small} participants discussed recent work on {task}.
report | New technical report on {task} | The report, number {who} in our series, is about {methods}.
report | Report {who} is available | It describes work on {task} in the presence of {obstacles}.
course | New course announced: {who} | The course covers {task} and {task2} and is open to all students.
course | Change of room for {who} | From next week on the lecture will be held in room {room}.
"""  # noqa: E501


def _news() -> dict[str, tuple[tuple[Template, Template], ...]]:
    found: dict[str, list[tuple[Template, Template]]] = {}
    for line in _NEWS.strip().splitlines():
        section, headline, sentence = line.split(" | ")
        found.setdefault(section, []).append((Template(headline), Template(sentence)))
    return {section: tuple(rows) for section, rows in found.items()}


NEWS = _news()
"""The headline and the first sentence of news, by the section of the page that they are about."""

NEWS_BODY = templates(
    """
The ceremony was held on {weekday} in the main building of the university.
The department congratulates all who contributed to this success.
The dean said in a press statement that the event shows the strength of computer science at {university}.
Alumni and friends of the department were invited to a reception after the talk.
Further events will be announced in the calendar.
More about the subject can be found on the page that is linked below.
It is the second honour of this kind for the department since {year}.
Research on {task} has a long tradition at {university}.
Questions from the press are answered by the office.
A summary of the talk will be available next week.
"""  # noqa: E501
)
