"""What docstrings say of the parameters of plain functions."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from confmat.callables.phrases import sentence
from confmat.callables.signatures import params_of
from confmat.registry import Fact, means

# Type and meaning of each parameter: of all functions, of those of labels, of those of scores.
_EVERY = {
    "sample_weight": (
        "array_like of shape (n,), optional",
        "Weight of each row. Integers are summed exactly.",
    ),
    "nulls": ('{"drop", "raise"}, default "drop"', "Leave rows with a null out, or refuse them."),
}
_LABELS = {
    "labels": (
        "sequence of int, bool or str, or pl.Enum, optional",
        "The classes, in order; by default the sorted union of those present.",
    ),
    "pos_label": (
        "int, bool or str, optional",
        'The class that is positive where `average` is ``"binary"``. By default ``1`` or '
        "``True``; it must be given where there are more than two classes, or two of other names.",
    ),
    "classes": (
        "sequence of int, bool or str, optional",
        "Those that an average, or the array, is of; rows of the others still count against them.",
    ),
    "undefined": (
        "float, optional",
        "Stands in for an undefined value, and for undefined classes before they are averaged; "
        "then classes of `labels` that no row has count, too, as in scikit-learn.",
    ),
    "other": (
        '{"raise", "bucket"}, default "raise"',
        "Refuse a label that is not in `labels`, or leave its row out.",
    ),
    "keep_empty": (
        "bool, default False",
        "Keep classes of `labels` that occur in neither truth nor prediction.",
    ),
}
_SCORES = {
    "y_true": (
        "array_like of shape (n,)",
        "True classes, two of them: integers, booleans or strings.",
    ),
    "pos_label": (
        "int, bool or str, optional",
        "The positive class; by default ``1`` or ``True``. It must be given for other classes.",
    ),
    "undefined": ("float, optional", "Stands in for an undefined value."),
    "nan": ('{"raise", "drop"}, default "raise"', "Refuse a nan score, or leave its row out."),
}
_NUMBERS = {
    "average": (
        '{"uniform", "variance"} or None, default "uniform"',
        "Of several outputs: the mean over them, which weigh the same or as much as the true "
        "numbers of each vary. None gives that of each output.",
    ),
    "undefined": ("float, optional", "Stands in for an undefined value."),
    "nan": ('{"raise", "drop"}, default "raise"', "Refuse a nan, or leave its row out."),
    "sample_weight": (
        "array_like of shape (n,), optional",
        "Weight of each row: 0, or from 1e-60 to 1e60.",
    ),
}
_KINDS = {
    "macro": "``macro`` is the mean over the classes",
    "weighted": "``weighted`` the mean weighted by true support",
    "micro": "``micro`` the metric of the pooled counts of all classes",
    "ovo": "``ovo`` the mean over all pairs of classes",
}
_MORE_KINDS = {
    "harmonic": "``harmonic``, ``geometric`` and ``quadratic`` are other means over the classes",
    "min": "``min`` and ``max`` the least and the greatest of all classes",
    "power": "``power`` the power mean of any exponent",
}


def parameters(fact: Fact, signature: inspect.Signature) -> Iterator[tuple[str, str]]:
    """Yield each parameter of a plain function, in order: its name with its type, its meaning."""
    scores, numbers = fact["level"] == "score", fact["level"] == "regression"
    known = _EVERY | (_SCORES if scores else _NUMBERS if numbers else _LABELS)
    if not numbers:
        known["average"] = _average(fact)
    known["y_score"] = "array_like of shape (n,)", f"Scores of the positive class. {_ranks(fact)}"
    for param in params_of(fact, "average" in signature.parameters):
        default = signature.parameters[param["name"]].default
        usual = {None: "float, optional", inspect.Parameter.empty: "float"}
        of = usual.get(default, f"{type(default).__name__}, default {default!r}")
        known[param["name"]] = of, sentence(param["text"])
    names = list(signature.parameters)
    if not scores:
        yield (
            "y_true, y_pred : array_like of shape (n,)",
            "True and predicted numbers, from -1e60 to 1e60; of (n, m) the mean over m outputs."
            if numbers
            else "True and predicted classes: integers, booleans or strings.",
        )
        del names[:2]
    for name in names:
        of, meaning = known[name]
        yield f"{name} : {of}", meaning


def _average(fact: Fact) -> tuple[str, str]:
    known = means(fact["name"])
    kinds = [*(kind for kind in _KINDS if kind in known), *(k for k in known if k not in _KINDS)]
    choices = ", ".join(f'"{kind}"' for kind in ("binary", *kinds))
    told = _KINDS | _MORE_KINDS
    more = "".join(f", {told[kind]}" for kind in kinds if kind in told)
    return (
        f'{{{choices}}} or None, default "binary"',
        f'``"binary"`` is the metric of class `pos_label` against the rest{more}. None gives that '
        "of each class against the rest, in the order of the labels.",
    )


def _ranks(fact: Fact) -> str:
    if fact.get("needs_probability"):
        return "Probabilities, from 0 to 1."
    return "Any finite or infinite numbers; only their order matters."
