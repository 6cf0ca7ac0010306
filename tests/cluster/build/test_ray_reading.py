"""A build whose documents Ray has read is the build of one machine."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from hashlib import sha256

import pytest
from tests.portal.build.crawls import answers, crawl, rows, searchable

from lycosa.crawler.storage.reader import CrawlReader
from lycosa.portal.build import build_portal
from lycosa.portal.build.reading import ReadDocument, StoredReference
from lycosa.portal.build.selection import select_steps
from lycosa.project import Project

pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install lycosa[cluster]")
pytest.importorskip("fsspec", reason="fsspec is not installed: pip install lycosa[cluster]")

from lycosa.cluster.build.document_files import DocumentFiles, reading_version
from lycosa.cluster.build.ray_reading import RayReading
from lycosa.cluster.build.reading_tasks import STEPS_PER_TASK, plan_tasks, run_task


def test_a_build_on_ray_equals_that_of_one_machine(ray_head, tmp_path):
    pages = [each for seed in (1, 2) for each in answers(12, seed)]
    project = crawl(tmp_path / "spiders", pages)
    # The name of the project's folder is the title of its portal.
    shutil.copytree(project.folder, tmp_path / "ray" / "spiders")
    one = build_portal(project)
    folder = tmp_path / "ray" / "spiders"
    (folder / "cluster").mkdir()
    (folder / "cluster" / "ray").symlink_to(ray_head.folder)
    command = [sys.executable, "-m", "lycosa.cli", "build", folder, "--ray", "auto", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert json.loads(done.stdout)["read"] == one.read
    assert rows(folder) == rows(project.folder)
    assert searchable(folder) == searchable(project.folder)
    # A build that begins anew finds everything read, and needs no Ray.
    (folder / "portal.db").unlink()
    shutil.rmtree(folder / "index")
    found = FoundDocuments(str(folder / "archive"), str(folder / "cluster" / "documents"))
    build_portal(Project.load(folder), elsewhere=found)
    assert rows(folder) == rows(project.folder)
    assert found.outcomes["paper"] >= 12
    assert found.outcomes["page"] >= 2


class FoundDocuments(RayReading):
    """Counts what was found read."""

    def __init__(self, *places):
        super().__init__(*places)
        self.outcomes = Counter()

    def find(self, digest, kind, name):
        found = super().find(digest, kind, name)
        self.outcomes[found and found.kind] += 1
        return found


def test_files_give_back_what_was_written(tmp_path):
    read = ReadDocument("paper", "text", 0.1 + 0.2, "T\u00e9st \U0001f577", fields='{"a": 1}')
    reference = StoredReference(1, "Lee, Spiders", 2, 3, "{}", "[]")
    read = replace(read, references=(reference, replace_number(reference)))
    files = DocumentFiles(str(tmp_path))
    files.write("a.arrow", [("d:text/plain:x", read), ("e:text/plain:", ReadDocument("none", "x"))])
    other = DocumentFiles(str(tmp_path))
    assert other.names() == {"a.arrow"}
    assert other.load(["a.arrow"]) == 2
    assert other.find("d", "text/plain", "x") == read
    assert other.find("e", "text/plain", "") == ReadDocument("none", "x")
    assert other.find("d", "text/plain", "y") is None


def replace_number(reference):
    return reference._replace(number=2)


def test_a_damaged_file_is_read_by_the_build(tmp_path):
    files = DocumentFiles(str(tmp_path))
    files.write("a.arrow", [("d:text/plain:x", ReadDocument("none", "text"))])
    files.load(["a.arrow"])
    [path] = tmp_path.rglob("a.arrow")
    path.write_bytes(path.read_bytes()[:100])
    assert files.find("d", "text/plain", "x") is None


def test_tasks_cover_every_page_once_and_keep_their_names(tmp_path):
    with CrawlReader.open(crawl(tmp_path / "a", answers(8)).folder) as reader:
        steps = list(select_steps(reader).steps.values())
    many = [step._replace(n=step.n + 40 * turn) for turn in range(20) for step in steps]
    tasks = list(plan_tasks(many))
    assert sorted(page.n for task in tasks for page in task.pages) == sorted(s.n for s in many)
    assert len({task.file for task in tasks}) == len(tasks)
    more = [*many, steps[0]._replace(n=many[-1].n + 3 * STEPS_PER_TASK)]
    assert {task.file for task in tasks} < {task.file for task in plan_tasks(more)}


def test_a_task_leaves_out_pages_that_it_cannot_read(tmp_path):
    project = crawl(tmp_path / "a", answers(4))
    with CrawlReader.open(project.folder) as reader:
        steps = list(select_steps(reader).steps.values())
    [task] = plan_tasks(steps)
    [volume] = (project.folder / "archive").glob("*.warc.gz")
    with volume.open("rb+") as file:
        file.truncate(task.pages[-1].offset)
    result = run_task(
        str(project.folder / "archive"), str(tmp_path / "out"), task, reading_version()
    )
    assert result.missing == 1
    files = DocumentFiles(str(tmp_path / "out"))
    assert files.load([task.file]) == result.written > 0
    body = answers(4)[0].body
    assert files.find(sha256(body).hexdigest(), "text/plain", "0.txt").kind == "paper"
