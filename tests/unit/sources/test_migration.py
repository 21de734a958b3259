"""What the pages for those who come from another library put side by side gives equal numbers."""

import importlib
import re

import numpy as np
import pytest
from support.pages import DOCS

RUN = {"scikit-learn": "sklearn", "fairlearn": "fairlearn", "pycm": "pycm"}
LEAST = {"scikit-learn": "1.9"}
SHOWN = ("yardstick", "torchmetrics")  # in R, and with PyTorch: only our side is run


@pytest.fixture(scope="module")
def libraries():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS)
        return importlib.import_module("libraries")


@pytest.fixture(scope="module")
def parts(libraries):
    """Return a function that gives the names of a page, and its two kinds of rows."""

    def of(library):
        text, known = libraries.page_of(library), {}
        for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
            exec(block, known)
        same, _, other = text.partition(libraries.OTHER_SHAPE)
        return known, libraries.calls(same), libraries.calls(other)

    return of


@pytest.mark.parametrize("library", RUN)
def test_numbers_are_equal(parts, library):
    pytest.importorskip(RUN[library], minversion=LEAST.get(library))
    known, same, other = parts(library)
    assert len(same) > 10
    for there, here in same:
        np.testing.assert_allclose(eval(here, known), eval(there, known), rtol=1e-9, err_msg=here)
    for there, here in other:
        eval(there, known)
        eval(here, known)


@pytest.mark.parametrize("library", SHOWN)
def test_our_side_runs(parts, library):
    known, same, other = parts(library)
    assert len(same) > 30
    assert all(np.isfinite(eval(here, known)) for _, here in same)
    for _, here in other:
        eval(here, known)


def test_rows_of_numbers_name_a_metric(libraries):
    for library in ("scikit-learn", "yardstick", "torchmetrics"):
        rows = libraries.calls(libraries.page_of(library).partition(libraries.OTHER_SHAPE)[0])
        silent = [here for _, here in rows if not libraries.metrics_of(here)]
        assert all(
            re.search("counts|normalize|partial_auc|top_k_accuracy", here) for here in silent
        )


def test_names_elsewhere(libraries):
    found = libraries.names_elsewhere
    assert found("f1")["scikit-learn"] == ["f1_score"]
    assert found("kappa_linear") == {"scikit-learn": ['cohen_kappa_score(weights="linear")']}
    assert found("gini") == {"yardstick": ["gain_capture"]}
    assert found("lr_positive")["scikit-learn"] == ["class_likelihood_ratios"]
    assert found("eve") == {}
