"""Orders of worker processes: what is read from the pipe is what the command was told."""

from dataclasses import replace

import pytest

from lycosa import Budget
from lycosa.project import Project

pytest.importorskip("asyncpg", reason="asyncpg is not installed: pip install lycosa[cluster]")
pytest.importorskip("fsspec", reason="fsspec is not installed: pip install lycosa[cluster]")


def test_orders_bring_the_project_with_its_options(tmp_path):
    from lycosa.cluster.project_orders import ProjectOrders

    made = Project.of_urls(tmp_path, ["http://a.org/"], "robot*", contact="a@b.org", pages=5)
    made.write()
    # An option of the command line changes the project and not the file.
    project = replace(made, job=replace(made.job, budget=Budget(pages=9), random_seed=3))
    orders = ProjectOrders.of_project("postgresql://me:secret@db/x", project, "s3://b/archive")
    assert "secret" not in repr(orders)
    line = orders.to_json()
    assert line.count(b"\n") == 1
    read = ProjectOrders.of_json(line)
    assert read == orders
    plan = read.plan()
    assert (plan.job, plan.archive) == (project.job, "s3://b/archive")
    assert plan.make_policy().name == project.policy().name
    assert plan.goal.name == project.goal.name
