"""Recalibrations that tests look at: every method with its options, fitted on the same rows."""

import numpy as np
import pytest
from support.scored import scored

from confmat.calibration.fit import recalibrate

OPTIONS = [
    ("platt", {}),
    ("platt", {"smoothing": False}),
    ("platt", {"logit": True}),
    ("platt", {"logit": True, "smoothing": False}),
    ("isotonic", {}),
    ("temperature", {}),
]
IDS = [" ".join([method, *options]) for method, options in OPTIONS]
FITS = pytest.mark.parametrize(("method", "options"), OPTIONS, ids=IDS)
ROWS = scored(4, ends=False)
GRID = np.linspace(0.001, 0.999, 4001)


def fitted(method, options, rows=ROWS):
    return recalibrate(*rows.counts(), method, **options)
