"""Print the CPU features that numpy would have to do without on the oldest machine it supports.

numpy chooses its vector instructions when it is loaded, and a faster CPU may round the last
bit of `exp`, `log` or a power differently. A test that passes with and without these features
does not depend on the CPU it runs on:

    NPY_DISABLE_CPU_FEATURES="$(python -m tools.numpy_baseline)" pytest tests/learn

numpy refuses, with a warning, to disable a feature that the CPU lacks or that it does not
dispatch on, so only features that it dispatches on and has found here are printed.
"""

from __future__ import annotations

from numpy._core import _multiarray_umath as core


def dispatched_features() -> list[str]:
    """Return the features beyond numpy's baseline that this CPU has and numpy would use."""
    found = core.__cpu_features__
    return [name for name in core.__cpu_dispatch__ if found.get(name)]


if __name__ == "__main__":
    print(" ".join(dispatched_features()))
