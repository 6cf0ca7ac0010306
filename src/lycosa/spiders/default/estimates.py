"""Estimates of a link's value: logistic regressions that learn during a crawl, mixed.

An untrained policy has one estimate. A trained one has two, with and without the training,
because other sites may mislead: pages in another language, or a goal that is understood in
another way. The probability of a link is the mean of both, weighted by their shares, which
are their posterior probabilities (Bayesian model averaging: Hoeting et al. 1999): each
share is multiplied by the likelihood that its estimate gave to the pages fetched, told
before they were. Until the first fit the training has `TRAINED_SHARE`: enough to put the links
that it prefers among the first, and too little to put those of the other off for long.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lycosa.learn.hashed_model import HashedModel
from lycosa.learn.link_words import Rows
from lycosa.learn.logistic import Floats, fit, sigmoid
from lycosa.learn.model_averaging import averaged, averaged_few
from lycosa.learn.row_sums import RowMatrix, add_inputs, few_sums
from lycosa.snapshots import StateReader, StateWriter
from lycosa.spiders.default.features import COLUMNS
from lycosa.spiders.default.link_table import Inputs
from lycosa.spiders.default.row_store import StoredRows

TRAINED_SHARE = 0.25
"""Of the estimate with training, before a page was fetched."""
STIFFNESS = 5.0
"""The L2 penalty of the weight of a column."""
_INPUT_STIFFNESS = 5.0  # the L2 penalty that holds the weights of the inputs at their start
_BASE_STIFFNESS = 0.01  # the L2 penalty of the base
_FOLDER_WEIGHTS = -0.4, 0.3  # at the start: of fetched pages and of targets in the folder
_STEPS, _TURNS = 2, 8  # of each fit, which starts from the last one
_MIN_SHARE = 0.02  # so that an estimate that was wrong can come back
_MIN_PROBABILITY = 1e-6  # of what happened, in the likelihood of an estimate


class Estimates:
    """One regression, or two that are mixed, over columns and four inputs of links.

    Parameters
    ----------
    model
        Gives the weights of the inputs at the start.
    untrained
        The model of the second estimate, to which the input of the training is 0; None: there
        is one estimate only.

    >>> estimates = Estimates(HashedModel(np.zeros(COLUMNS), 0.0, 0.0, 2.0, -2.0))
    >>> estimates.log_odds([{1, 2}, {3}], [(0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)])
    [0.0, -2.0]
    """

    def __init__(self, model: HashedModel, untrained: HashedModel | None = None) -> None:
        models = [model] if untrained is None else [model, untrained]
        # Of the columns, of the four inputs, and the base; a row for each estimate.
        self.weights = np.zeros((len(models), COLUMNS + 5))
        for weights, each in zip(self.weights, models, strict=True):
            weights[COLUMNS:] = each.trust, each.faith, *_FOLDER_WEIGHTS, each.base
        self.weights[1:, COLUMNS] = 0.0
        self._centre = self.weights.copy()
        prior = np.array([1.0] if untrained is None else [TRAINED_SHARE, 1 - TRAINED_SHARE])
        self._log_prior = np.log(prior)
        self.shares = prior
        self._log_likelihood = np.zeros(len(models))
        self._fits = 0

    @property
    def nbytes(self) -> int:
        """The size of the weights in bytes."""
        return self.weights.nbytes

    @property
    def is_mixed(self) -> bool:
        """Whether there are two estimates."""
        return len(self.weights) > 1

    def save(self, state: StateWriter) -> None:
        """Save the weights and the shares."""
        state.array("weights", self.weights)
        state.value("shares", self.shares.tolist())
        state.value("likelihoods", self._log_likelihood.tolist())
        state.value("fits", self._fits)

    def restore(self, state: StateReader) -> None:
        """Take over a saved state."""
        self.weights = state.array("weights", self.weights)
        self.shares = np.array(state.value("shares"))
        self._log_likelihood = np.array(state.value("likelihoods"))
        self._fits = state.value("fits")

    def log_odds(self, rows: Sequence[Sequence[int]], inputs: Sequence[Inputs]) -> list[float]:
        """Return the log-odds of the links of a page, given their columns and inputs."""
        first = few_sums(rows, inputs, self.weights[0])
        if not self.is_mixed:
            return first
        second = few_sums(rows, inputs, self.weights[1])
        return averaged_few(first, second, *self.shares.tolist())

    def log_odds_of_rows(self, rows: Rows | StoredRows, inputs: Floats) -> Floats:
        """Return the log-odds of many links at once."""
        first = _linear(self.weights[0], rows, inputs)
        if not self.is_mixed:
            return first
        second = _linear(self.weights[1], rows, inputs)
        return averaged(first, second, *self.shares.tolist())

    def share(self, rows: Rows | StoredRows, inputs: Floats, rates: Floats) -> None:
        """Weigh mixed estimates by what they say of the pages fetched since the last fit.

        The weights are still those that the pages were chosen with, and what is known of a page
        does not change after its request. So all are computed here at once.
        """
        if self._fits:  # before the first fit neither knows how many targets there are
            told = np.array([_linear(weights, rows, inputs) for weights in self.weights])
            # As precise as the log-odds of the link table.
            probability = sigmoid(told.astype(np.float32))
            probability = np.clip(probability, _MIN_PROBABILITY, 1 - _MIN_PROBABILITY)
            gain = rates * np.log(probability) + (1 - rates) * np.log1p(-probability)
            self._log_likelihood += gain.sum(axis=1)
        posterior = self._log_prior + self._log_likelihood
        shares = np.exp(posterior - posterior.max())
        self.shares = np.maximum(shares / shares.sum(), _MIN_SHARE)

    def fit(self, rows: Rows, inputs: Floats, rates: Floats) -> None:
        """Fit all weights to the rates of fetched pages."""
        self._fits += 1
        columns, compact = rows.compact()
        fitted = np.concatenate((columns, np.arange(COLUMNS, self.weights.shape[1])))
        stiffness = np.full(len(fitted), STIFFNESS)
        stiffness[-5:-1] = _INPUT_STIFFNESS
        stiffness[-1] = _BASE_STIFFNESS
        dense = np.column_stack((inputs, np.ones(len(inputs))))
        matrix = RowMatrix(compact.starts, compact.words, len(columns))
        for weights, centre in zip(self.weights, self._centre, strict=True):
            weights[fitted] = fit(
                compact,
                dense,
                rates,
                stiffness,
                weights[fitted],
                centre[fitted],
                steps=_STEPS,
                turns=_TURNS,
                matrix=matrix,
            )
            trust_and_faith = weights[COLUMNS : COLUMNS + 2]
            np.maximum(trust_and_faith, 0.0, out=trust_and_faith)
            dense[:, 0] = 0.0  # the second estimate knows nothing of the training


def _linear(weights: Floats, rows: Rows | StoredRows, inputs: Floats) -> Floats:
    return add_inputs(rows.sums(weights), inputs, weights)
