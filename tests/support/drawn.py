"""Sweeps that tests draw, and how they read the specification of a picture."""

import numpy as np
import polars as pl

import confmat as cm

RNG = np.random.default_rng(7)
Y = RNG.random(5_000) < 0.3
P = np.round(np.clip(RNG.normal(0.35 + 0.25 * Y, 0.15), 0, 1), 3)
S = cm.sweep(Y, P)
T = cm.sweep(Y, np.round(np.sqrt(P), 3))
ONE = S.plot
TWO = cm.plot({"plain": S, "root": T})
M = cm.ConfusionMatrix([[80, 15], [3, 1]], labels=["cat", "dog"])
COST = [[0, 1], [5, 0]]
DRAW = {
    "roc": lambda plots: plots.roc(),
    "pr": lambda plots: plots.pr(),
    "det": lambda plots: plots.det(),
    "lift": lambda plots: plots.lift(),
    "gain": lambda plots: plots.gain(),
    "scores": lambda plots: plots.scores(),
    "calibration": lambda plots: plots.calibration(),
    "isotonic": lambda plots: plots.calibration(strategy="isotonic"),
    "metrics": lambda plots: plots.metrics(),
    "accuracy": lambda plots: plots.metrics("accuracy"),
    "cost": lambda plots: plots.cost(COST),
    "decision": lambda plots: plots.decision(),
}
TITLES = {
    "roc": "ROC curve",
    "pr": "Precision-recall curve",
    "det": "Detection error tradeoff",
    "lift": "Lift",
    "gain": "Cumulative gain",
    "scores": "Scores by class",
    "metrics": "Metrics by threshold",
    "accuracy": "accuracy by threshold",
    "cost": "Cost by threshold",
    "decision": "Decision curve",
}
AXES = {
    "roc": ("False positive rate", "True positive rate (recall)"),
    "pr": ("Recall", "Precision"),
    "det": ("False positive rate", "False negative rate (miss rate)"),
    "lift": ("Share of rows, highest scores first", "Lift"),
    "gain": ("Share of rows, highest scores first", "Share of positives found"),
    "scores": ("Score", "Share of the class"),
    "metrics": ("Threshold", "Value"),
    "accuracy": ("Threshold", "accuracy"),
    "cost": ("Threshold", "Mean cost of a row"),
    "decision": ("Threshold probability", "Net benefit"),
}


def layers(spec):
    """Return the single views of a chart, from the lowest up, with their data."""
    found = []
    for key in ("layer", "vconcat", "hconcat"):
        for part in spec.get(key, ()):
            found += layers(part)
    return found or [spec]


def values(spec, at):
    """Return the data of one view as a frame."""
    view = layers(spec)[at]
    data = view.get("data", spec.get("data"))
    rows = data.get("values") or spec["datasets"][data["name"]]
    return pl.DataFrame(rows, infer_schema_length=None)


def marks(spec):
    return [view["mark"]["type"] for view in layers(spec)]


def subtitle(spec):
    return spec["title"]["subtitle"]
