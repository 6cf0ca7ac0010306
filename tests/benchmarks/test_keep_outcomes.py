"""The judgement of the 30 days: requests that come too early are found, others are not."""

import json

from bench.changing_sites import CRAWL_DELAY, answer, living, papers
from bench.keep_outcomes import too_early
from bench.kept_project import DELAY


def log(path, *lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_requests_that_come_too_early_after_an_answer_are_found(tmp_path):
    in_time, early = DELAY + 0.01, DELAY - 0.01
    lines = [[0.0, 0.1, 1, "/", 200], [0.1 + in_time, 1.0, 1, "/a", 200],
             [0.0, 0.1, 2, "/", 200], [0.1 + early, 1.0, 2, "/a", 200],
             [0.0, 0.1, 0, "/", 200], [0.1 + CRAWL_DELAY - 0.01, 9.0, 0, "/a", 200]]  # fmt: skip
    requests, found = too_early(log(tmp_path / "log", *lines))
    assert requests == 6
    assert sorted(line.split(":")[0] for line in found) == ["host 0 /a 200", "host 2 /a 200"]


def test_an_answer_that_takes_too_long_is_not_waited_for(tmp_path):
    slow, after = [0.0, 40.0, 3, "/slow", 503], [20.0, 20.1, 3, "/next", 200]
    assert too_early(log(tmp_path / "log", after, slow)) == (2, [])


def test_papers_appear_change_move_and_die():
    there = living(3, 20.0)
    assert {paper.number for paper in living(3, 0.0)} != {paper.number for paper in there}
    assert any(paper.version(20.0) != paper.version(19.0) for paper in there)
    moved = next(paper for paper in papers(3) if paper.moves < 40)
    assert answer(3, f"/paper/{moved.number}", moved.moves - 0.1)[0] == 200
    assert answer(3, f"/paper/{moved.number}", moved.moves + 0.1)[0] == 301
    assert answer(3, f"/moved/{moved.number}", moved.moves + 0.1)[0] == 200
    dead = next(paper for paper in papers(3) if paper.dies < 40)
    assert answer(3, f"/paper/{dead.number}", dead.dies + 0.1)[0] == 410
