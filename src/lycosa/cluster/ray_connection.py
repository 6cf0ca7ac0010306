"""The connection of this program to a Ray: the project's own, a named one, or the one around."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Final

from lycosa.cluster.embedded.local_cluster import LocalCluster, require_packages
from lycosa.errors import UsageError

AUTO: Final = "auto"
NAMESPACE: Final = "lycosa"
_log = logging.getLogger("lycosa.cluster")


def connect_ray(address: str, folder: Path) -> None:
    """Connect this program to Ray, before it has imported `ray`.

    `address` is that of a head (`10.0.0.5:6379`), or `auto`: the Ray that `lycosa cluster up`
    started in the `folder` of the project, else the one that Ray finds by itself (the variable
    RAY_ADDRESS, or a Ray on this machine). A token is taken from where Ray takes it, the
    variables RAY_AUTH_MODE and RAY_AUTH_TOKEN_PATH.
    """
    require_packages()
    local = LocalCluster(folder)
    if address == AUTO and local.ray.is_running():
        local.ray.connect(NAMESPACE)
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    try:
        ray.init(
            address=address, namespace=NAMESPACE, logging_level=logging.ERROR, log_to_driver=False
        )
    except (ConnectionError, ValueError, RuntimeError) as error:
        _log.debug("Ray cannot be reached.", exc_info=True)
        raise UsageError(
            f"There is no Ray at {address}: start one on this machine with "
            f"`lycosa cluster up {folder}`, or name the address of its head."
        ) from error
