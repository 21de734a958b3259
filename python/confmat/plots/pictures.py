"""Pictures of sweeps: ``s.plot.roc()``, and several sweeps in one picture.

Altair draws them; it is imported on the first picture only.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from confmat.errors import ConfmatError, InputError
from confmat.intervals.levels import checked_ci, checked_level
from confmat.labels import shown
from confmat.matrices.normalize import Normalization
from confmat.plots.framing import framing
from confmat.plots.named import NamedPictures

if TYPE_CHECKING:
    import altair as alt

    from confmat.calibration.bins import Strategy
    from confmat.fairness.result import Fairness
    from confmat.objects.any_sweep import AnySweep
    from confmat.objects.matrix import ConfusionMatrix


SweepSource: TypeAlias = "AnySweep"  # Sweep or BinnedSweep
Sweeps: TypeAlias = Mapping[str, SweepSource]

_GUILLEMET = "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}"


def drawing(name: str) -> Any:
    """Return the module that draws, or say what is missing."""
    try:
        return importlib.import_module(f"confmat.plots.{name}")
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "altair":
            raise
        raise ConfmatError("pictures need Altair: pip install 'confmat[plot]'") from None


def drawn(label: Any) -> str:
    """Return a label or name as the text of a picture.

    Where HTML could read a tag, `<` becomes a guillemet: Altair writes texts into pages as they
    are, and `</script>` in a label would end the script that holds the picture.
    """
    return re.sub(r"<(?=[/!?A-Za-z])", _GUILLEMET, shown(label))


class SweepPlots(NamedPictures):
    """Pictures of one sweep (`s.plot`) or of several (`cm.plot({"old": s, "new": t})`).

    Every method returns an Altair chart. Notebooks show it; `.save("roc.png")`, `.svg` and `.html`
    need no browser; charts can be layered (`+`), put side by side (`|`) and changed
    (`.properties(width=...)`). Side by side they share one legend, unless
    `.resolve_scale(color="independent", strokeDash="independent")` is said.

    Every method takes `mark`, `title` and `width`. `mark=0.4` marks a threshold: a dot where the
    curve is there, or a line where thresholds are the axis; of bins, the nearer edge. `title`
    stands in place of the usual first line; `width` is that of each panel, in pixels.

    Curves are thinned to 2,000 points at most, none of which is further from the full curve than a
    fraction of a pixel. What is undefined (no positives, say) is left out of the picture, and the
    title says so.
    """

    __slots__ = ("_sweeps",)

    def __init__(self, sweeps: SweepSource | Mapping[Any, SweepSource]) -> None:
        if not isinstance(sweeps, Mapping):
            self._sweeps = {"": sweeps}
            return
        self._sweeps = {}
        for name, s in sweeps.items():
            text = drawn(name)
            if text in self._sweeps:
                raise InputError(f"`sweeps` holds two names that are both shown as {text!r}")
            self._sweeps[text] = s

    def roc(
        self,
        *,
        max_fpr: float | None = None,
        ci: float | None = 0.95,
        mark: float | None = None,
        title: str | None = None,
        width: float | None = None,
    ) -> alt.LayerChart:
        """Draw the ROC curve: true against false positive rate, the dashed line being chance.

        Parameters
        ----------
        max_fpr : float in (0, 1], optional
            Where the axis of the false positive rate ends; the title gives the partial area, too.
        ci : float or None, default 0.95
            The level of a band: Wilson's interval of the true positive rate at each threshold by
            itself. None draws none; nor have more than 7 curves some, whose bands would hide each
            other, and sweeps without such intervals.
        mark, title, width
            As said above.

        Raises
        ------
        InputError
            A value that none of them can have; so do the other pictures.
        """
        asked = framing(title, width, mark, max_fpr)
        return drawing("rates").roc(self._sweeps, asked, checked_ci(ci))

    def pr(
        self,
        *,
        ci: float | None = 0.95,
        mark: float | None = None,
        title: str | None = None,
        width: float | None = None,
    ) -> alt.LayerChart:
        """Draw precision against recall, the dashed line being the share of positives.

        `ci` is the level of a band, Wilson's interval of precision, as in `roc`.
        """
        asked = framing(title, width, mark)
        return drawing("rates").precision_recall(self._sweeps, asked, checked_ci(ci))

    def det(
        self, *, mark: float | None = None, title: str | None = None, width: float | None = None
    ) -> alt.LayerChart:
        """Draw the detection error tradeoff: both error rates on normal-deviate axes.

        Scores that are normal within each class give a straight line. On the dashed line both
        rates are equal. Martin et al. (1997), Eurospeech, 1895-1898.
        """
        return drawing("rates").det(self._sweeps, framing(title, width, mark))

    def lift(
        self,
        *,
        ci: float | None = 0.95,
        mark: float | None = None,
        title: str | None = None,
        width: float | None = None,
    ) -> alt.LayerChart:
        """Draw the lift: how many times more positives than by chance are among the top scores.

        `ci` is the level of a band, the intervals of `Sweep.lift`, as in `roc`. The axis holds the
        band but for a fiftieth of its width, up to twice the height of the curves.
        """
        return drawing("rates").lift(self._sweeps, framing(title, width, mark), checked_ci(ci))

    def gain(
        self,
        *,
        ci: float | None = 0.95,
        mark: float | None = None,
        title: str | None = None,
        width: float | None = None,
    ) -> alt.LayerChart:
        """Draw the cumulative gain: the share of all positives among the top scores.

        `ci` is the level of a band, Wilson's interval of that share, as in `roc`.
        """
        return drawing("rates").gain(self._sweeps, framing(title, width, mark), checked_ci(ci))

    def scores(
        self,
        *,
        bins: int = 50,
        mark: float | None = None,
        title: str | None = None,
        width: float | None = None,
    ) -> alt.LayerChart | alt.VConcatChart:
        """Draw a histogram of the scores of each class, as shares of the class.

        Parameters
        ----------
        bins : int, default 50
            Bars of equal width, from 0 to 1 for probabilities.
        mark, title, width
            As said above.

        Raises
        ------
        InputError
            `bins` is not a whole number from 1 to 1,000.
        """
        if isinstance(bins, bool) or not isinstance(bins, int) or not 1 <= bins <= 1_000:
            raise InputError(f"`bins` is {bins!r}; wanted a whole number from 1 to 1000")
        return drawing("scores").scores(self._sweeps, framing(title, width, mark), bins)

    def calibration(
        self,
        *,
        bins: Any = 10,
        strategy: Strategy = "uniform",
        ci: float = 0.95,
        mark: float | None = None,
        title: str | None = None,
        width: float | None = None,
        **options: Any,
    ) -> alt.VConcatChart:
        """Draw the share of positives against the mean score of each bin, over a histogram.

        Parameters
        ----------
        bins, strategy, **options
            As of `Sweep.calibration`.
        ci : float, default 0.95
            The level of the band.
        mark, title, width
            As said above.

        Raises
        ------
        InputError
            Scores outside [0, 1], or what `Sweep.calibration` refuses.
        """
        asked = framing(title, width, mark)
        return drawing("scores").calibration(
            self._sweeps, asked, bins, strategy, checked_level(ci, "ci"), **options
        )

    def metrics(
        self,
        metrics: Sequence[str] | str = ("mcc", "f1", "precision", "recall"),
        *,
        mark: float | None = None,
        title: str | None = None,
        width: float | None = None,
    ) -> alt.LayerChart | alt.HConcatChart:
        """Draw metrics against the threshold, with a dot where each is best.

        Parameters
        ----------
        metrics : str or sequence of str
            Names from `list_metrics()`. One metric of several sweeps is one picture; several of
            several are one picture for each sweep.
        mark, title, width
            As said above.

        Raises
        ------
        InputError
            No name, or an unknown one.
        """
        names = [metrics] if isinstance(metrics, str) else list(metrics)
        if not names:
            raise InputError("`metrics` is empty; wanted names of metrics")
        asked = framing(title, width, mark)
        return drawing("thresholds").metrics(self._sweeps, asked, list(dict.fromkeys(names)))

    def cost(
        self,
        cost: Any = None,
        *,
        ci: float | None = 0.95,
        mark: float | None = None,
        title: str | None = None,
        width: float | None = None,
    ) -> alt.LayerChart:
        """Draw the mean cost of a row against the threshold, with a dot where it is lowest.

        Parameters
        ----------
        cost : array-like, shape (2, 2)
            Needed. Rows true, columns predicted, negative first: `[[0, 1], [5, 0]]` says that a
            false negative costs five times a false positive.
        ci : float or None, default 0.95
            The level of a band, the intervals of `Sweep.cost_curve`, as in `roc`; held by the axis
            as in `lift`.
        mark, title, width
            As said above.

        Raises
        ------
        InputError
            Another shape, or a cost that is not finite.
        """
        asked = framing(title, width, mark)
        return drawing("thresholds").cost(self._sweeps, asked, cost, checked_ci(ci))

    def decision(
        self,
        *,
        ci: float | None = 0.95,
        mark: float | None = None,
        title: str | None = None,
        width: float | None = None,
    ) -> alt.LayerChart:
        """Draw the net benefit of acting on the score, against the probability to act at.

        `ci` is the level of a band, the intervals of `Sweep.decision_curve`, as in `roc`; held by
        the axis as in `lift`, and below 0 down to half the height of the curves.
        Vickers and Elkin (2006), https://doi.org/10.1177/0272989X06295361.
        """
        asked = framing(title, width, mark)
        return drawing("thresholds").decision(self._sweeps, asked, checked_ci(ci))


def heat_map(m: ConfusionMatrix, normalize: Any, title: Any, width: Any) -> alt.LayerChart:
    """Draw a confusion matrix; `ConfusionMatrix.plot` says more."""
    if normalize is not None and normalize not in get_args(Normalization):
        wanted = ", ".join(map(repr, get_args(Normalization)))
        raise InputError(f"`normalize` is {normalize!r}; wanted one of {wanted}, or None")
    return drawing("matrix").heat(m, normalize, framing(title, width))


def plot(sweeps: SweepSource | Mapping[Any, SweepSource]) -> SweepPlots:
    """Draw several sweeps into one picture.

    Parameters
    ----------
    sweeps : mapping of name to sweep
        The names stand in the legend, in this order. One sweep alone is drawn as by `s.plot`.

    Returns
    -------
    SweepPlots
        With the methods of `s.plot`: `roc`, `pr`, `det`, `lift`, `gain`, `scores`, `calibration`,
        `metrics`, `cost` and `decision`, each of which returns an Altair chart.

    Raises
    ------
    InputError
        Neither a mapping nor a sweep, an empty mapping, a value that is no sweep, or two names that
        look the same.
    ConfmatError
        On the first picture, where Altair is not installed: `pip install 'confmat[plot]'`.

    Examples
    --------
    >>> import confmat as cm
    >>> y = [0, 0, 1, 1]
    >>> old, new = cm.sweep(y, [0.1, 0.4, 0.35, 0.8]), cm.sweep(y, [0.1, 0.2, 0.35, 0.8])
    >>> chart = cm.plot({"old": old, "new": new}).roc()
    >>> chart.title.text
    'ROC curve'
    >>> chart.save("roc.png")  # doctest: +SKIP
    """
    if _is_sweep(sweeps):
        return SweepPlots(sweeps)
    if not isinstance(sweeps, Mapping) or not sweeps:
        found = "empty" if isinstance(sweeps, Mapping) else f"a {type(sweeps).__name__}"
        raise InputError(f"`sweeps` is {found}; wanted a sweep, or a mapping of name to sweep")
    for name, s in sweeps.items():
        if not _is_sweep(s):
            raise InputError(f"`sweeps` holds a {type(s).__name__} under {name!r}; wanted a sweep")
    return SweepPlots(sweeps)


def _is_sweep(value: Any) -> bool:
    return hasattr(value, "roc_curve") and hasattr(value, "positives")


def fairness_overview(
    f: Fairness, metrics: Sequence[str], title: Any, width: Any
) -> alt.HConcatChart:
    """Draw metrics of groups with their intervals; `Fairness.plot` says more."""
    return drawing("fairness").overview(f, metrics, framing(title, width))
