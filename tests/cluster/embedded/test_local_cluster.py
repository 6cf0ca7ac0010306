"""The commands around a cluster on this machine, as far as nothing has to be started."""

import os

import pytest
from click.testing import CliRunner

from lycosa.cli import main
from lycosa.cli.cluster import next_steps
from lycosa.cluster.embedded import local_cluster
from lycosa.cluster.embedded.local_cluster import LocalCluster


def typed(*command):
    done = CliRunner().invoke(main, ["cluster", *map(str, command)])
    return done.exit_code, done.output


def test_packages_that_are_missing_are_named(monkeypatch, tmp_path):
    monkeypatch.setattr(local_cluster, "PACKAGES", ("json", "no_such_package"))
    code, output = typed("up", tmp_path / "robots")
    assert code == 2
    assert "needs no_such_package: pip install 'lycosa[cluster]'" in output
    assert not (tmp_path / "robots").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to run PostgreSQL as another user")
def test_nothing_is_started_in_a_folder_that_is_closed_to_the_server(postgres, tmp_path):
    tmp_path.chmod(0o700)
    code, output = typed("up", tmp_path / "robots")
    assert code == 2
    assert "cannot enter" in output
    assert not (tmp_path / "robots").exists()


def test_a_cluster_that_was_never_started_cannot_be_stopped(tmp_path):
    code, output = typed("down", tmp_path)
    assert code == 2
    assert "There is no cluster" in output


def test_what_to_type_next_has_no_secret_and_can_be_pasted(tmp_path):
    local = LocalCluster(tmp_path / "my robots")
    for part, text in (("postgresql/port", "5433"), ("postgresql/pgpass", "*:*:*:lycosa:hunter2")):
        path = local.folder / "cluster" / part
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    ray = local.folder / "cluster" / "ray"
    ray.mkdir()
    (ray / "head.json").write_text('{"process": 1, "sockets": "x", "address": "127.0.0.1:6379"}')
    (ray / "token").write_text("hunter3")
    lines = next_steps(local)
    assert "hunter" not in "\n".join(lines)
    [crawl] = [line for line in lines if line.startswith("Crawl:")]
    assert f"lycosa crawl '{local.folder}' --cluster 'postgresql://lycosa@127.0.0.1:5433/" in crawl
    assert "my%20robots" in crawl
