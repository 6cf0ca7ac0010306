"""Reading of documents by Ray, for a build that then finds them read.

Ray repeats a task whose worker or node died. A task that fails again is left to the build,
which reads those documents by itself and gives up the one that crashes its reader.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any, Final

from lycosa.cluster.build.document_files import DocumentFiles, reading_version
from lycosa.cluster.build.reading_tasks import ReadingTask, TaskResult, plan_tasks, run_task
from lycosa.crawler.storage.reader import LoggedStep
from lycosa.errors import LycosaError
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.build.reading import ReadDocument

MAX_TASKS_PER_CPU: Final = 2
"""Tasks that are submitted ahead: one more than runs, so that no CPU waits."""
MAX_RETRIES: Final = 2
"""Of a task whose worker died."""

_log = logging.getLogger("lycosa.cluster")


class RayReading:
    """Documents that Ray reads: what `build_portal` takes as `elsewhere`.

    Parameters
    ----------
    archive
        The folder of the volumes of the crawl, a path or a URL that every node can read.
    output
        The folder for the documents that were read, which every node can write.

    This program must be connected to Ray, unless everything was read before.
    """

    def __init__(self, archive: str, output: str) -> None:
        self._archive = archive
        self._output = output
        self._files = DocumentFiles(output)

    def prepare(self, steps: Sequence[LoggedStep], progress: BuildProgress) -> None:
        """Read the pages of these steps that were not read before."""
        tasks = {task.file: task for task in plan_tasks(steps)}
        done = self._files.names() & tasks.keys()
        todo = [task for name, task in tasks.items() if name not in done]
        progress.begin("reading documents on Ray", sum(len(task.pages) for task in todo))
        missing = 0
        for task, result in self._run(todo) if todo else ():
            progress.advance(len(task.pages))
            if result is not None:
                missing += result.missing
                done.add(task.file)
        if missing:
            _log.warning(
                "%d pages of %s could not be read by the nodes of the cluster: is it a folder "
                "that all of them see? They are read here.",
                missing,
                self._archive,
            )
        known = self._files.load(sorted(done))
        _log.info("%d documents were read by Ray, %d tasks run", known, len(todo))

    def find(self, digest: str, kind: str, name: str) -> ReadDocument | None:
        """Return a document that was read, by the SHA-256 of its body, its type and file name."""
        return self._files.find(digest, kind, name)

    def _run(self, tasks: Sequence[ReadingTask]) -> Iterator[tuple[ReadingTask, TaskResult | None]]:
        """Yield tasks as they are done, each with its result; None if it failed."""
        import ray

        remote = ray.remote(num_cpus=1, max_retries=MAX_RETRIES)(run_task)
        ahead = MAX_TASKS_PER_CPU * max(int(ray.cluster_resources().get("CPU", 1)), 1)
        running: dict[Any, ReadingTask] = {}
        rest = iter(tasks)
        while True:
            for task in rest:
                reference = remote.remote(self._archive, self._output, task, reading_version())
                running[reference] = task
                if len(running) >= ahead:
                    break
            if not running:
                return
            [reference], _ = ray.wait(list(running), num_returns=1)
            task = running.pop(reference)
            yield task, _result(reference, task.file)


def _result(reference: Any, file: str) -> TaskResult | None:
    """Return what a task returned, None if it failed; misuse is raised."""
    import ray

    try:
        written, missing = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        _log.debug("A task failed.", exc_info=True)
        cause = error.cause
        if isinstance(cause, LycosaError):
            raise cause from error
        _log.warning("Ray could not read the documents of %s: %s", file, cause)
        return None
    except ray.exceptions.RayError as error:
        _log.debug("A task was lost.", exc_info=True)
        _log.warning("Ray lost the documents of %s: %s", file, type(error).__name__)
        return None
    return TaskResult(written, missing)
