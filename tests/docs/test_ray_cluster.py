"""The manifest for Kubernetes: valid YAML, the same settings everywhere, no secret in it."""

from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml", reason="pyyaml is not installed")

from lycosa.cluster.embedded.ray_head import HEALTH_CHECKS  # noqa: E402

ROOT = Path(__file__).parents[2]
MANIFEST = ROOT / "docs" / "how-to" / "ray-cluster.yaml"


@pytest.fixture(scope="module")
def documents():
    return {each["kind"]: each for each in yaml.safe_load_all(MANIFEST.read_text())}


@pytest.fixture(scope="module")
def pods(documents):
    """The templates of the head and of the workers."""
    spec = documents["RayCluster"]["spec"]
    return [spec["headGroupSpec"]["template"], *(g["template"] for g in spec["workerGroupSpecs"])]


def environment(pod):
    [container] = pod["spec"]["containers"]
    return {each["name"]: each for each in container["env"]}


def test_it_has_a_ray_and_a_network_policy(documents):
    assert set(documents) == {"RayCluster", "NetworkPolicy"}
    assert documents["RayCluster"]["apiVersion"] == "ray.io/v1"


def test_its_ray_is_the_one_that_is_pinned(documents):
    version = documents["RayCluster"]["spec"]["rayVersion"]
    assert f"\nray=={version} " in (ROOT / "requirements-cluster.lock").read_text()


def test_head_and_workers_have_the_same_image_and_environment(pods):
    head, *workers = pods
    assert workers
    for worker in workers:
        assert environment(worker) == environment(head)
        images = {pod["spec"]["containers"][0]["image"] for pod in (head, worker)}
        assert len(images) == 1


def test_secrets_come_from_a_secret(pods):
    for pod in pods:
        variables = environment(pod)
        assert variables["RAY_AUTH_MODE"]["value"] == "token"
        for name in ("RAY_AUTH_TOKEN", "PGPASSWORD"):
            assert "secretKeyRef" in variables[name]["valueFrom"]
        assert ":" not in variables["LYCOSA_CLUSTER"]["value"].partition("@")[0].partition("//")[2]
        assert variables["PGSSLMODE"]["value"] == "verify-full"


def test_health_checks_are_those_of_a_local_cluster(pods):
    for pod in pods:
        found = {name: environment(pod)[name]["value"] for name in HEALTH_CHECKS}
        assert found == HEALTH_CHECKS


def test_pods_have_no_privileges_and_limits(pods):
    for pod in pods:
        spec = pod["spec"]
        assert spec["automountServiceAccountToken"] is False
        assert spec["securityContext"]["runAsNonRoot"] is True
        [container] = spec["containers"]
        assert container["securityContext"]["allowPrivilegeEscalation"] is False
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert container["securityContext"]["capabilities"]["drop"] == ["ALL"]
        assert set(container["resources"]["limits"]) == {"cpu", "memory"}


def test_only_the_pods_of_this_ray_may_reach_it(documents, pods):
    policy = documents["NetworkPolicy"]["spec"]
    labels = policy["podSelector"]["matchLabels"]
    for pod in pods:
        assert labels.items() <= pod["metadata"]["labels"].items()
    assert policy["policyTypes"] == ["Ingress"]
    assert documents["RayCluster"]["spec"]["headGroupSpec"]["rayStartParams"][
        "dashboard-host"
    ].startswith("127.")
