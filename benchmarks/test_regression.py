"""What do the metrics of numbers cost next to reading the columns, and next to Polars and NumPy.

    python -m pytest benchmarks/test_regression.py --rows 100000000

Those without a logarithm together are to take at most five times the reading of both columns, those
with one ten times; of 1,000 segments a third of the time of the same metrics as Polars expressions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role

import confmat as cm

GROUPS = 1_000
TOGETHER = (
    "mean_error", "mae", "mse", "rmse", "r2", "r2_correlation", "pearson_r", "ccc",
    "explained_variance", "max_error",
)  # fmt: skip
WITH_LOGARITHM = ("msle", "poisson_deviance", "gamma_deviance")


def numbers(rows: int) -> pl.DataFrame:
    """Return truths, predictions and segments."""
    rng = np.random.default_rng(14)
    y = rng.gamma(3, 10, rows)
    p = y * rng.lognormal(0, 0.2, rows)
    return pl.DataFrame({"y": y, "p": p, "segment": rng.integers(0, GROUPS, rows)})


def by_polars() -> list[pl.Expr]:
    """Return the metrics as Polars expressions."""
    y, p = pl.col("y"), pl.col("p")
    e = p - y
    mse, r = (e**2).mean(), pl.corr("y", "p")
    apart = y.var(ddof=0) + p.var(ddof=0) + (y.mean() - p.mean()) ** 2
    return [
        e.mean().alias("mean_error"),
        e.abs().mean().alias("mae"),
        mse.alias("mse"),
        mse.sqrt().alias("rmse"),
        (1 - mse / y.var(ddof=0)).alias("r2"),
        (r**2).alias("r2_correlation"),
        r.alias("pearson_r"),
        (2 * pl.cov("y", "p", ddof=0) / apart).alias("ccc"),
        (1 - e.var(ddof=0) / y.var(ddof=0)).alias("explained_variance"),
        e.abs().max().alias("max_error"),
    ]


class Contender(NamedTuple):
    role: Role
    run: Callable[[pl.DataFrame], Any]
    family: str | None = None


def _read(frame: pl.DataFrame) -> Any:
    """Read both columns once, on every core."""
    return frame.select(pl.col("y").max(), pl.col("p").max())


def _regression(metrics: tuple[str, ...], shown: tuple[str, ...]) -> Callable[[pl.DataFrame], Any]:
    return lambda df: cm.regression(df["y"], df["p"], metrics=metrics).values(shown)


WHOLE = {
    "ten metrics": Contender("ours", _regression((), TOGETHER)),
    **{name: Contender("ours", _regression((name,), (name,))) for name in WITH_LOGARITHM},
    "with intervals": Contender("ours", _regression(("intervals",), TOGETHER)),
    "quantiles of errors": Contender(
        "ours", _regression(("median_absolute_error",), ("median_absolute_error",))
    ),
    "reading both columns": Contender("floor", _read),
    "ten Polars expressions": Contender("peer", lambda df: df.select(by_polars())),
}
GROUPED = {
    "df.cm.evaluate(by=)": Contender(
        "ours",
        lambda df: df.cm.evaluate("y", "p", by="segment", metrics=TOGETHER, task="regression"),
    ),
    "lf.cm.evaluate(by=)": Contender(
        "ours",
        lambda df: (
            df.lazy()
            .cm.evaluate("y", "p", by="segment", metrics=TOGETHER, task="regression")
            .collect()
        ),
    ),
    "cm.evaluate(by=)": Contender(
        "ours",
        lambda df: cm.evaluate(
            df, "y", "p", by="segment", metrics=TOGETHER, task="regression"
        ).slices(),
    ),
    "lf.group_by.agg(cm.regression_metrics()), in memory": Contender(
        "ours",
        lambda df: (
            df.group_by("segment").agg(m=cm.regression_metrics("y", "p", TOGETHER)).unnest("m")
        ),
    ),
    "lf.group_by.agg(cm.regression_metrics()), streaming": Contender(
        "ours",
        lambda df: (
            df.lazy()
            .group_by("segment")
            .agg(m=cm.regression_metrics("y", "p", TOGETHER))
            .unnest("m")
            .collect(engine="streaming")
        ),
    ),
    "ten Polars expressions, in memory": Contender(
        "peer", lambda df: df.group_by("segment").agg(by_polars()), "Polars"
    ),
    "ten Polars expressions, streaming": Contender(
        "peer",
        lambda df: df.lazy().group_by("segment").agg(by_polars()).collect(engine="streaming"),
        "Polars",
    ),
}


@pytest.fixture(scope="module")
def frame(rows: int) -> pl.DataFrame:
    return numbers(rows)


def _check(found: Any, frame: pl.DataFrame) -> None:
    """Compare with Polars, of all rows or of each segment."""
    if isinstance(found, pl.DataFrame) and "segment" in found.columns:
        wanted = frame.group_by("segment").agg(by_polars()).sort("segment")
        found = found.sort("segment").select(wanted.columns)
        np.testing.assert_allclose(found.to_numpy(), wanted.to_numpy(), rtol=1e-9)
        return
    wanted = frame.select(by_polars())
    values = found.row(0, named=True) if isinstance(found, pl.DataFrame) else found
    for name in set(values) & set(wanted.columns):
        np.testing.assert_allclose(values[name], wanted[name].item(), rtol=1e-9, err_msg=name)


@pytest.mark.parametrize("name", WHOLE)
def test_regression(race: Race, frame: pl.DataFrame, name: str) -> None:
    role, run, family = WHOLE[name]
    race(
        "true and predicted numbers, float64",
        name,
        role,
        lambda: run(frame),
        check=lambda found: _check(found, frame),
        rows=len(frame),
        family=family,
    )


@pytest.mark.parametrize("name", GROUPED)
def test_grouped_regression(race: Race, frame: pl.DataFrame, name: str) -> None:
    role, run, family = GROUPED[name]
    race(
        "1,000 segments of true and predicted numbers",
        name,
        role,
        lambda: run(frame),
        check=lambda found: _check(found, frame),
        rows=len(frame),
        family=family,
    )
