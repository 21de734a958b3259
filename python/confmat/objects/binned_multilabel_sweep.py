"""Scores for sets of labels without the rows: a state that merges, made of a sweep of rows."""

from __future__ import annotations

from confmat import _core
from confmat.labels import Label, position
from confmat.labelsets.ranking import RANKINGS, of_rows
from confmat.labelsets.saved_scores import SavedSetScores
from confmat.labelsets.scored import ScoredSets
from confmat.objects.any_multilabel_sweep import AnyMultilabelSweep
from confmat.objects.base import Counted
from confmat.objects.binned_sweep import BinnedSweep
from confmat.objects.sweep import Sweep
from confmat.scores.grid import map_code


class BinnedMultilabelSweep(SavedSetScores, AnyMultilabelSweep, Counted):
    """Scores for sets of labels, made by `MultilabelSweep.to_state`, and the numbers of them.

    `+` merges the rows of two, `-` takes those of one away, `to_bytes` saves them; `pickle` and
    `copy` work. The numbers of the order of labels are those of the rows; those of each label are
    those of its sweep, `label(label)`. Immutable.

    Attributes
    ----------
    labels : tuple
    n : int or float
        Rows counted, or the sum of their weights.
    n_rows, n_dropped, n_nan : int
        Rows counted, and rows left out for a null, and for a nan score.

    Examples
    --------
    >>> import confmat as cm
    >>> scores = [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]]
    >>> days = [["a"], [], ["a", "b"]], [["b"], ["a"], ["b"]]
    >>> states = [cm.multilabel_sweep(day, scores).to_state() for day in days]
    >>> both = cm.merge(states)
    >>> both.n_rows, both.label("a").n_positive, round(both.label_ranking_loss, 4)
    (6, 3, 0.1667)
    """

    _made_by = "s.to_state() of an s = cm.multilabel_sweep(y_true, y_score)"

    _what = "Saved scores"

    def label(self, label: Label) -> Sweep | BinnedSweep:
        """Return the sweep of one label, of the classes False and True.

        Parameters
        ----------
        label : label
            One of `labels`.

        Returns
        -------
        BinnedSweep, or Sweep where each distinct score was kept
        """
        state = self._sweeps[position(self.labels, label, "label")]._state
        return Sweep._around(state) if state.bins is None else BinnedSweep._around(state)


def to_state(state: ScoredSets, bins: int | str | None = "unit") -> BinnedMultilabelSweep:
    """Return the scores without the rows, as a state that merges and is saved.

    What is given up: `at`, as what is predicted for a row is not known of its labels one by one,
    and with bins that hold several scores their order, as in `BinnedSweep`.

    Parameters
    ----------
    bins : int, str or None, default "unit"
        "unit" (131,051 bins, fine near 0 and 1), a power of two or "float16", as `cm.sweep` takes
        them; None keeps each distinct score.

    Returns
    -------
    BinnedMultilabelSweep

    Raises
    ------
    InputError
        Other bins.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multilabel_sweep([["a"], [], ["a", "b"]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
    >>> state = s.to_state()
    >>> state.roc_auc_micro == s.roc_auc_micro, (state + state).n
    (True, 6)
    """
    if bins is not None:
        map_code(bins)  # which refuses what is no map
    sweeps = [sweep._state for sweep in state._sweeps] if bins is None else state._swept(bins)
    weights = 1.0 if state._weights is None else state._weights
    terms = [of_rows(name, state._truth, state._scores) * weights for name in RANKINGS]
    return BinnedMultilabelSweep._around(
        _core.SetScores(state.labels, sweeps, terms, state.n_rows, state.n_dropped, state.n_nan)
    )
