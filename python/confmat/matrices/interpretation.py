"""Words that the literature has for values of metrics: scales of agreement and association."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

import polars as pl

from confmat.errors import InputError
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.values import value
from confmat.metric_names import names_asked
from confmat.registry import find, levels


class Scale(NamedTuple):
    """Who calls values of a metric what: `words[0]` below `limits[0]`, and so on."""

    metric: str
    name: str
    limits: tuple[float, ...]
    words: tuple[str, ...]
    source: str

    def word(self, at: float) -> str | None:
        """Return what a value is called; None where it is undefined."""
        return None if math.isnan(at) else self.words[bisect_right(self.limits, at)]


_PYCM = "Haghighi et al. (2018), https://doi.org/10.21105/joss.00729"
_INVERSE = "worse than chance"
_LAMBDA = (5e-324, 0.2, 0.4, 0.6, 0.8, 1.0)
_LAMBDA_WORDS = ("none", "very weak", "weak", "moderate", "strong", "very strong", "perfect")
_CORRELATION = (0.0, 0.3, 0.5, 0.7, 0.9)
_STRENGTHS = (_INVERSE, "negligible", "weak", "moderate", "strong", "very strong")

SCALES = (
    Scale(
        *("kappa", "Landis and Koch", (0.0, 0.2, 0.4, 0.6, 0.8)),
        ("poor", "slight", "fair", "moderate", "substantial", "almost perfect"),
        "Landis and Koch (1977), https://doi.org/10.2307/2529310",
    ),
    Scale(
        *("kappa", "Fleiss", (0.4, 0.75), ("poor", "fair to good", "excellent")),
        "Fleiss, Levin and Paik (2003), https://doi.org/10.1002/0471445428",
    ),
    Scale(
        *("kappa", "Altman", (0.2, 0.4, 0.6, 0.8)),
        ("poor", "fair", "moderate", "good", "very good"),
        "Altman (1990), https://doi.org/10.1201/9780429258589",
    ),
    Scale(
        *("kappa", "Cicchetti", (0.4, 0.6, 0.75), ("poor", "fair", "good", "excellent")),
        "Cicchetti (1994), https://doi.org/10.1037/1040-3590.6.4.284",
    ),
    Scale(
        *("cramer_v", "Rea and Parker", (0.1, 0.2, 0.4, 0.6, 0.8)),
        ("negligible", "weak", "moderate", "relatively strong", "strong", "very strong"),
        "Rea and Parker (2014), Designing and Conducting Survey Research, 4th edition, Wiley",
    ),
    Scale("mcc", "PyCM", _CORRELATION, _STRENGTHS, _PYCM),
    Scale("lambda_true_given_pred", "PyCM", _LAMBDA, _LAMBDA_WORDS, _PYCM),
    Scale("lambda_pred_given_true", "PyCM", _LAMBDA, _LAMBDA_WORDS, _PYCM),
    Scale(
        *("krippendorff_alpha", "Krippendorff", (0.667, 0.8), ("low", "tentative", "high")),
        "Krippendorff (2004), https://doi.org/10.1111/j.1468-2958.2004.tb00738.x",
    ),
    Scale(
        *("contingency_coefficient", "PyCM", (0.1, 0.2, 0.3)),
        ("not appreciable", "weak", "medium", "strong"),
        _PYCM,
    ),
    Scale(
        *("lr_positive", "PyCM", (1.0, 5.0, 10.0)),
        *(("negligible", "poor", "fair", "good"), _PYCM),
    ),
    Scale(
        *("lr_negative", "PyCM", (0.1, 0.2, 0.5)),
        *(("good", "fair", "poor", "negligible"), _PYCM),
    ),
    Scale(
        *("discriminant_power", "Sokolova", (1.0, 2.0, 3.0), ("poor", "limited", "fair", "good")),
        "Sokolova, Japkowicz and Szpakowicz (2006), https://doi.org/10.1007/11941439_114",
    ),
    Scale(
        *("balanced_accuracy_binary", "PyCM", (0.6, 0.7, 0.8, 0.9)),
        *(("poor", "fair", "good", "very good", "excellent"), _PYCM),
    ),
    Scale("mcc_binary", "PyCM", _CORRELATION, _STRENGTHS, _PYCM),
    Scale(
        *("yule_q", "PyCM", (0.0, 0.25, 0.5, 0.75)),
        *((_INVERSE, "negligible", "weak", "moderate", "strong"), _PYCM),
    ),
)
_SCHEMA = {
    "metric": pl.String(),
    "value": pl.Float64(),
    "scale": pl.String(),
    "word": pl.String(),
    "source": pl.String(),
}


def interpretation(
    state: MatrixBase, metrics: Iterable[str] | None = None, pos_label: Label | None = None
) -> pl.DataFrame:
    """Return what the literature calls the values of metrics, one row for each scale.

    Such words are conventions of their authors. They know neither what is at stake nor how sure a
    value is (`m.ci`), and scales of the same metric differ.

    Parameters
    ----------
    metrics : str or iterable of str, optional
        Names. Default: all metrics of the whole matrix that have a scale.
    pos_label : label, optional
        As in `value`, for metrics of one class.

    Returns
    -------
    polars.DataFrame
        Columns `metric`, `value`, `scale` (its author), `word` (null where the value is undefined)
        and `source`.

    Raises
    ------
    InputError
        A metric that has no scale.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[50, 0, 0], [0, 35, 15], [0, 7, 43]])
    >>> m.interpretation("kappa").select("value", "scale", "word").rows()[:2]
    [(0.78, 'Landis and Koch', 'substantial'), (0.78, 'Fleiss', 'excellent')]
    """
    if metrics is None:
        asked = dict.fromkeys(s.metric for s in SCALES if levels()[s.metric] == "overall")
    else:
        asked = dict.fromkeys(find(name)["name"] for name in names_asked(metrics))
    rows = []
    for name in asked:
        scales = [scale for scale in SCALES if scale.metric == name]
        if not scales:
            known = ", ".join(dict.fromkeys(scale.metric for scale in SCALES))
            raise InputError(f"`metrics` has {name!r}, which has no scale; wanted some of {known}")
        found = value(state, name, pos_label=pos_label)
        rows += [(name, found, s.name, s.word(found), s.source) for s in scales]
    frame = pl.DataFrame(rows, schema=_SCHEMA, orient="row")
    return frame.with_columns(pl.col("value").fill_nan(None))
