"""How numbers, labels and names of metrics are written in a report."""

from __future__ import annotations

import math
from typing import Any

from confmat.labels import shown
from confmat.registry import find_quietly
from confmat.render.figures import figure
from confmat.render.text import fit
from confmat.report.document import Element, tag

DASH = "–"  # noqa: RUF001
_NAMES = {
    "f1": "F1",
    "mcc": "MCC",
    "gmcc": "Generalised MCC",
    "eve": "EVE",
    "kappa": "Cohen's kappa",
    "roc_auc": "ROC AUC",
    "tpr": "True positive rate",
    "fpr": "False positive rate",
    "fnr": "False negative rate",
    "npv": "NPV",
    "fdr": "False discovery rate",
    "for_rate": "False omission rate",
    "ks": "Kolmogorov-Smirnov",
    "eer": "Equal error rate",
    "ece": "Calibration error (ECE)",
    "brier": "Brier score",
    "r2": "R²",
    "adjusted_r2": "Adjusted R²",
    "mae": "Mean absolute error",
    "mse": "Mean squared error",
    "rmse": "Root mean squared error",
    "ccc": "Concordance (CCC)",
    "mape": "MAPE",
}


def known(value: Any) -> bool:
    """Return whether there is a number."""
    return value is not None and not (isinstance(value, float) and math.isnan(value))


def number(value: Any, places: int = 3) -> str:
    """Return a number with some decimals; a dash where it is undefined.

    Examples
    --------
    >>> number(0.12345), number(1234567), number(1e-9)
    ('0.123', '1,234,567', '1e-09')
    """
    if not known(value):
        return DASH
    if isinstance(value, int):
        return f"{value:,}"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"  # noqa: RUF001
    return figure(value, places).replace("-", "−", value < 0)  # noqa: RUF001


def count(value: Any) -> str:
    """Return a number of rows; of weights with a few digits."""
    if not known(value):
        return DASH
    return f"{int(value):,}" if float(value).is_integer() else f"{value:,.6g}"


def percent(share: float) -> str:
    r"""Return a share in per cent; one that is neither 0 nor 1 is not shown as such.

    Examples
    --------
    >>> percent(0.1234), percent(0.99999), percent(1)
    ('12.3\xa0%', '> 99.9\xa0%', '100\xa0%')
    """
    if not known(share):
        return DASH
    if share in (0, 1):
        return f"{share * 100:.0f}\u00a0%"
    if share < 0.001:
        return "< 0.1\u00a0%"
    return "> 99.9\u00a0%" if share > 0.999 else f"{share * 100:.1f}\u00a0%"


def interval(low: Any, high: Any, places: int = 3) -> str:
    """Return the ends of an interval; nothing where there is none."""
    return f"[{number(low, places)}, {number(high, places)}]" if known(low) and known(high) else ""


def name_of(label: Any, room: int = 48) -> str:
    """Return a label, or a value of a key, as text that disturbs no page."""
    return fit("missing" if label is None else shown(label), room)


def label(value: Any, room: int = 48) -> Element:
    """Return a label as an element of its own direction of writing, cut to `room` columns."""
    word = name_of(value, room)
    whole = "missing" if value is None else shown(value)
    return tag("bdi", word, class_="label", title=whole if whole != word else None)


def metric_name(name: str) -> str:
    """Return what people call a metric.

    Examples
    --------
    >>> metric_name("f1_macro"), metric_name("top_2_accuracy"), metric_name("balanced_accuracy")
    ('F1, macro', 'Top 2 accuracy', 'Balanced accuracy')
    """
    base, _, average = name.rpartition("_")
    if average in ("macro", "micro", "weighted") and base:
        return f"{metric_name(base)}, {average}"
    words = _NAMES.get(name) or shown(name.replace("_", " "))
    return words[:1].upper() + words[1:]


def metric_word(name: str) -> str:
    """Return the name of a metric as it stands within a sentence.

    Examples
    --------
    >>> metric_word("accuracy"), metric_word("mcc"), metric_word("f1_macro")
    ('accuracy', 'MCC', 'F1, macro')
    """
    word = metric_name(name)
    return word if word[1:2].isupper() or word[1:2].isdigit() else word[:1].lower() + word[1:]


def metric_title(name: str) -> str:
    """Return the name of a metric in code and what it is, for a tooltip."""
    fact = find_quietly(name)
    return name if fact is None else f"{name}: {fact['summary']}"
