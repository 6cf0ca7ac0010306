# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Bayesian model averaging: `model_averaging.py` with its loops in C."""

import numpy as np

from libc.float cimport DBL_EPSILON
from libc.math cimport exp, log, log1p

from lycosa.learn.link_arrays cimport doubles_of


cdef inline double mixed(double first, double second, double one, double two) noexcept:
    cdef double probability = one * (1 / (1 + exp(min(-first, 500.0))))
    probability += two * (1 / (1 + exp(min(-second, 500.0))))
    probability = min(max(probability, DBL_EPSILON), 1 - DBL_EPSILON)
    return log(probability) - log1p(-probability)


def averaged(first, second, double one, double two):
    """Return the log-odds of the mean, given those of two models and the share of each."""
    first = np.ascontiguousarray(first, np.float64)
    second = np.ascontiguousarray(second, np.float64)
    found = np.empty(len(first))
    cdef Py_ssize_t count = len(first), at
    cdef double *to = doubles_of(found, count)
    cdef double *odds = doubles_of(first, count)
    cdef double *others = doubles_of(second, count)
    for at in range(count):
        to[at] = mixed(odds[at], others[at], one, two)
    return found


def averaged_few(first, second, double one, double two):
    """Return the same for a few numbers."""
    cdef list found = []
    cdef double odds, others
    for odds, others in zip(first, second, strict=True):
        found.append(mixed(odds, others, one, two))
    return found
