"""A real PostgreSQL for a test process, a database for a test, and a real Ray for a module."""

import importlib.util
import itertools
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from lycosa.errors import UsageError

_NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator:
    """A private PostgreSQL server that all tests of this process share."""
    pytest.importorskip("asyncpg", reason="asyncpg is not installed: pip install lycosa[cluster]")
    from lycosa.cluster.embedded.binaries import find_binaries
    from lycosa.cluster.embedded.postgres import EmbeddedPostgres

    try:
        find_binaries()
    except UsageError as error:
        pytest.skip(str(error))
    # Not below pytest's own folder, which the user that PostgreSQL runs as cannot enter.
    folder = Path(tempfile.mkdtemp(prefix="lycosa-postgresql-"))
    folder.chmod(0o711)
    server = EmbeddedPostgres(folder, sync=False)
    try:
        server.start()
        yield server
    finally:
        server.stop("immediate")
        shutil.rmtree(folder)


@pytest.fixture
def database(postgres) -> Iterator[str]:
    """The data source name of a fresh database."""
    name = f"test_{next(_NUMBERS)}"
    yield postgres.create_database(name)
    postgres.drop_database(name)


# Ray uses the CPU even if nothing runs on it, so it ends with the tests that need it.
@pytest.fixture(scope="module")
def ray_head(tmp_path_factory) -> Iterator:
    """A private Ray with two CPUs."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("ray is not installed: pip install lycosa[cluster]")
    from lycosa.cluster.embedded.ray_head import EmbeddedRay

    with EmbeddedRay(tmp_path_factory.mktemp("ray"), cpus=2) as head:
        yield head
