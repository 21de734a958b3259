"""Frames and queries of several numbers a row: each output as it is alone, in rows of its own."""

import numpy as np
import polars as pl
import pytest

import confmat as cm

NAMES = ["mae", "r2", "mape"]
OF = {"task": "regression", "metrics": NAMES}


@pytest.fixture(scope="module")
def log():
    rng = np.random.default_rng(5)
    y, z = rng.gamma(3, 10, (2, 400))
    return pl.DataFrame(
        {
            "site": rng.choice(["a", "b"], 400).tolist(),
            "user": rng.integers(0, 60, 400),
            "y": y,
            "z": z,
            "py": y + rng.normal(0, 3, 400),
            "pz": z + rng.normal(0, 5, 400),
            "w": rng.random(400),
        }
    )


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"by": "site", "reasons": True},
        {"by": ["site", pl.col("user") % 3], "cube": True, "min_n": 70},
        {"by": "site", "ci": 0.95, "sample_weight": "w"},
        {"by": "site", "ci": 0.9, "side": "lower", "cluster": "user", "metrics": ["mae"]},
    ],
)
def test_each_output_is_as_it_is_alone(log, more):
    both = log.cm.evaluate(["y", "z"], ["py", "pz"], **OF | more)
    assert both.columns[0] == "output"
    for name in ("y", "z"):
        alone = log.cm.evaluate(name, f"p{name}", **OF | more)
        assert both.filter(output=name).drop("output").equals(alone)
    assert both["output"].to_list() == ["y"] * alone.height + ["z"] * alone.height
    query = log.lazy().cm.evaluate(["y", "z"], ["py", "pz"], **OF | more)
    assert query.collect_schema() == both.schema
    assert query.collect(engine="streaming").equals(both)


def test_means_over_outputs_are_those_of_the_object(log):
    both = log.cm.evaluate(["y", "z"], ["py", "pz"], **OF)
    r = cm.regression(log.select("y", "z"), log.select("py", "pz"), metrics=NAMES)
    assert both["mae"].mean() == pytest.approx(r.mae, rel=1e-15)
    assert both.select("output", *NAMES).rows() == r.per_output(NAMES).rows()


def test_what_is_refused(log):
    with pytest.raises(cm.InputError, match="`y_true` has 2 outputs, `y_pred` 1; wanted as many"):
        log.cm.evaluate(["y", "z"], "py", **OF)
    with pytest.raises(cm.InputError, match="`by` has the key 'output'"):
        log.rename({"site": "output"}).cm.evaluate(["y", "z"], ["py", "pz"], by="output", **OF)
    with pytest.raises(cm.InputError, match="`y_true` has 'y' twice"):
        log.cm.evaluate(["y", "y"], ["py", "pz"], **OF)
    with pytest.raises(cm.InputError, match=r"`y_true` holds \['y'\]; wanted the name of a column"):
        log.cm.evaluate([["y"]], [["py"]], **OF)
    with pytest.raises(cm.InputError, match="`y_true` has no outputs"):
        log.cm.evaluate([], [], **OF)
    broken = log.with_columns(z=pl.when(pl.int_range(pl.len()) == 7).then(np.nan).otherwise("z"))
    with pytest.raises(cm.InputError, match=r"output 'z': .*row 7"):
        broken.cm.evaluate(["y", "z"], ["py", "pz"], **OF)


def test_columns_of_lists_lead_to_columns(log):
    nested = log.select(y=pl.concat_arr("y", "z"), p=pl.concat_list("py", "pz"))
    for frame in (nested, nested.lazy()):
        with pytest.raises(cm.InputError, match=r"`y_true` is 'y', a column of Array.*one number"):
            frame.cm.evaluate("y", "p", **OF)
