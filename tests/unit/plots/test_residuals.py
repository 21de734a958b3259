"""The histogram of errors: its rows are those of the errors."""

import numpy as np
import polars as pl
import pytest

import confmat as cm

pytest.importorskip("altair")


def test_shares_are_those_of_the_errors():
    rng = np.random.default_rng(2)
    y, e = rng.normal(size=5_000), rng.normal(0.5, 1, 5_000)
    shares = {}
    for keep in ("median_absolute_error", "exact_errors"):
        chart = cm.regression(y, y + e, metrics=keep).plot.residuals(bins=20)
        data = pl.DataFrame(chart.layer[0].data)
        shares[keep] = data["share"].to_numpy()[:-1]
        wanted, _ = np.histogram(e, data["error"].to_numpy())
        assert np.abs(shares[keep] - wanted / 5_000).max() < 3e-3
    assert 0.995 < shares["exact_errors"].sum() < 1


def test_none_one_and_what_is_refused():
    kept = {"metrics": "median_absolute_error"}
    assert cm.regression([], [], **kept).plot.residuals(title="mine").title.text == ["mine"]
    assert cm.regression([1.0], [1.0], **kept).plot.residuals().to_dict()
    with pytest.raises(cm.InputError, match="errors were not kept"):
        cm.regression([1.0], [1.0]).plot.residuals()
    with pytest.raises(cm.InputError, match="`bins` is 0"):
        cm.regression([1.0], [1.0], **kept).plot.residuals(bins=0)
