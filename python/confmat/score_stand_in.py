"""Plain NumPy and Fraction versions of what the core does with scores."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from confmat import _core
from confmat.errors import InputError


def _plain(values):
    series = values if isinstance(values, pl.Series) else pl.Series(values)
    return series


def _labels(y, pos_label):
    classes = sorted(set(y.drop_nulls().to_list()))
    if pos_label is None:
        if not set(classes) <= {0, 1} or (classes and isinstance(classes[0], str)):
            raise InputError(f"`y_true` holds the classes {classes}; wanted 0 and 1 or pos_label=")
        kind = bool if y.dtype == pl.Boolean else int
        return [kind(0), kind(1)]
    if len(classes) > 2:
        raise InputError(f"`y_true` holds the classes {classes}; wanted at most two")
    if classes and pos_label not in classes:
        raise InputError(f"`pos_label` {pos_label!r} is not among the classes {classes}")
    others = [c for c in classes if c != pos_label]
    return [others[0] if others else None, pos_label]


def _rows(y_true, y_score, sample_weight, pos_label, nan_drop):
    y, s = _plain(y_true), _plain(y_score)
    w = None if sample_weight is None else _plain(sample_weight)
    if len(y) != len(s) or (w is not None and len(w) != len(y)):
        raise InputError(f"`y_true` has {len(y)} rows and `y_score` has {len(s)}")
    if s.dtype == pl.Null:
        s = s.cast(pl.Float64)
    if not s.dtype.is_numeric():
        raise InputError(f"`y_score` has dtype {s.dtype}; wanted numbers")
    n_rows = len(y)
    keep = y.is_not_null() & s.is_not_null()
    if w is not None:
        keep &= w.is_not_null()
    labels = _labels(y, pos_label)
    y, s = y.filter(keep), s.filter(keep)
    w = None if w is None else w.filter(keep).to_numpy()
    scores = s.to_numpy()
    if scores.dtype != np.float32:
        scores = scores.astype(np.float64)
    n_dropped = n_rows - len(y)
    bad = np.isnan(scores)
    if bad.any() and not nan_drop:
        raise InputError(f"`y_score` is nan at row {int(bad.argmax())}")
    truth = np.array([label == labels[1] for label in y.to_list()], dtype=bool)[~bad]
    if w is not None:
        w = w[~bad]
        if (w < 0).any() or not np.isfinite(w).all():
            raise InputError("`sample_weight` is negative or not finite")
    return truth, scores[~bad] + scores.dtype.type(0), w, labels, n_rows, n_dropped, int(bad.sum())


def _sums(at, truth, w, size):
    kind = np.float64 if w is not None and w.dtype.kind == "f" else np.uint64
    w = np.ones(len(at)) if w is None else w
    both = [np.bincount(at, np.where(truth == side, w, 0), size) for side in (True, False)]
    return [part.astype(kind) for part in both]


def sweep(y_true, y_score, sample_weight, pos_label, nan_drop, threads):
    truth, s, w, labels, n, dropped, nan = _rows(
        y_true, y_score, sample_weight, pos_label, nan_drop
    )
    scores, at = np.unique(-s, return_inverse=True)
    positives, negatives = _sums(at, truth, w, len(scores))
    return 0 - scores, positives, negatives, labels, n, dropped, nan


def _bits(s):
    b = s.astype(np.float64).view(np.int64)
    return np.where(b < 0, np.int64(-(2**63)) - b, b)


def _unbits(b):
    b = np.where(b < 0, np.int64(-(2**63)) - b, b)
    with np.errstate(invalid="ignore"):
        return b.astype(np.int64).view(np.float64)


def sweep_binned(y_true, y_score, sample_weight, pos_label, bins, nan_drop, threads):
    truth, s, w, labels, n, dropped, nan = _rows(
        y_true, y_score, sample_weight, pos_label, nan_drop
    )
    if isinstance(bins, int):
        shift = 64 - int(math.log2(bins))
        code, at = np.unique(-(_bits(s) >> shift), return_inverse=True)
        lower, upper = _unbits(-code << shift), _unbits((1 - code) << shift)
        upper = np.where(code == 1 - 2 ** (63 - shift), np.inf, upper)
        lower = np.where(np.isnan(lower), -np.inf, lower) + 0.0
        upper = np.where(np.isnan(upper), np.inf, upper) + 0.0
    else:
        place = np.searchsorted(bins, s, side="right") - 1
        place[s == bins[-1]] = len(bins) - 2
        out = (place < 0) | (place >= len(bins) - 1)
        if out.any():
            raise InputError(f"`y_score` holds {s[out][0]}, outside the bins")
        code, at = np.unique(-place, return_inverse=True)
        lower, upper = bins[-code], bins[1 - code]
    positives, negatives = _sums(at, truth, w, len(lower))
    return lower, upper, positives, negatives, labels, n, dropped, nan


def sweep_merge(parts):
    scores = np.concatenate([part[0] for part in parts])
    kind = np.result_type(*[part[1].dtype for part in parts])
    found, at = np.unique(-scores, return_inverse=True)
    sums = []
    for side in (1, 2):
        total = np.zeros(len(found), kind)
        np.add.at(total, at, np.concatenate([part[side] for part in parts]).astype(kind))
        sums.append(total)
    return 0 - found, *sums


def auc_fraction(positives, negatives):
    p, n = [int(x) for x in positives], [int(x) for x in negatives]
    above, twice = 0, 0
    for at, below in zip(p, n, strict=True):
        twice += below * (2 * above + at)
        above += at
    return twice, 2 * sum(p) * sum(n)


def _reading(name):
    base, _, inner = name.partition("(")
    return base, int(float(inner.rstrip(")"))) if inner else 10


def _value(name, s, p, n):
    base, bins = _reading(name)
    s, p, n = s.astype(np.float64), p.astype(np.float64), n.astype(np.float64)
    P, N = p.sum(), n.sum()
    tp, fp = np.cumsum(p), np.cumsum(n)
    if base in ("brier", "brier_skill", "log_loss", "ece", "mce", "rms_ce") and len(s):
        if s[0] > 1 or s[-1] < 0:
            raise InputError(f"`y_score` holds {s[0] if s[0] > 1 else s[-1]}; wanted [0, 1]")
    nan = math.nan
    if base in ("roc_auc", "gini", "ks", "eer"):
        if not P or not N:
            return nan
        auc = float((n * (tp - p / 2)).sum() / (P * N))
        if base == "roc_auc":
            return auc
        if base == "gini":
            return 2 * auc - 1
        if base == "ks":
            return float(np.abs(tp / P - fp / N).max())
        fpr, fnr = np.append(0, fp / N), np.append(1, 1 - tp / P)
        k = int(np.argmax(fpr >= fnr))
        a, b = (fnr - fpr)[k - 1], (fpr - fnr)[k]
        t = a / (a + b) if a + b else 0.0
        return float(fpr[k - 1] + t * (fpr[k] - fpr[k - 1]))
    if base == "average_precision":
        return float((p * tp / (tp + fp)).sum() / P) if P else nan
    if base == "pr_auc_trapezoid":
        if not P:
            return nan
        precision = tp / (tp + fp)
        return float((p * (precision + np.append(precision[0], precision[:-1])) / 2).sum() / P)
    if not P + N:
        return nan
    brier = float((p * (1 - s) ** 2 + n * s**2).sum() / (P + N))
    if base == "brier":
        return brier
    if base == "brier_skill":
        rate = P / (P + N)
        return 1 - brier / (rate * (1 - rate)) if P and N else nan
    if base == "log_loss":
        eps = 2.220446049250313e-16
        c = np.clip(s, eps, 1 - eps)
        return float(-(p * np.log(c) + n * np.log1p(-c)).sum() / (P + N))
    at = np.clip(np.ceil(s * bins).astype(int) - 1, 0, bins - 1)
    gap = np.bincount(at, p - s * (p + n), bins)
    size = np.bincount(at, p + n, bins)
    if base == "ece":
        return float(np.abs(gap).sum() / (P + N))
    with np.errstate(invalid="ignore"):
        mean = np.abs(gap / size)
    if base == "mce":
        return float(np.nanmax(mean))
    return float(np.sqrt(np.nansum(mean**2 * size) / (P + N)))


_FACTS = ("roc_auc", "gini", "average_precision", "pr_auc_trapezoid", "ks", "eer")
_PROBABILITY = ("brier", "brier_skill", "log_loss", "ece", "mce", "rms_ce")


def score_facts():
    return [
        {
            "name": name,
            "aliases": [],
            "lo": 0.0,
            "hi": 1.0,
            "better": "higher" if name in _FACTS[:5] else "lower",
            "params": [{"name": "bins", "value": 10.0}] if name[-2:] == "ce" else [],
            "needs_probability": name in _PROBABILITY,
        }
        for name in _FACTS + _PROBABILITY
    ]


def score_values(names, scores, positives, negatives):
    known = {fact["name"] for fact in score_facts()}
    for name in names:
        if _reading(name)[0] not in known:
            raise InputError(f"unknown score metric {name!r}")
    return [_value(name, scores, positives, negatives) for name in names]


def score_reasons(names, scores, positives, negatives):
    values = score_values(names, scores, positives, negatives)
    why = "no positive rows" if not positives.sum() else "no negative rows"
    return [why if math.isnan(value) else None for value in values]


def metrics_at(names, tp, fp, n_positive, n_negative, *, undefined=None, threads=0):
    cells = np.empty((len(tp), 2, 2), np.result_type(tp, np.int64))
    cells[:, 0, 0], cells[:, 0, 1] = n_negative - fp, fp
    cells[:, 1, 0], cells[:, 1, 1] = n_positive - tp, tp
    return _core.Asks(list(names)).values(cells, ["0", "1"], pos=1, undefined=undefined).T
