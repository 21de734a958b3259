"""Files of states that the tests of the command line read."""

import datetime

import numpy as np
import polars as pl

import confmat as cm

DAYS = [datetime.date(2024, 5, 30), datetime.date(2024, 5, 31), datetime.date(2024, 6, 1)]


def rows_of(day, seed, n=60):
    """Return the rows of one day."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    score = np.clip(rng.normal(0.3 + 0.4 * y, 0.2), 0, 1)
    frame = pl.DataFrame({"site": rng.choice(["x", "z"], n), "y": y, "s": score})
    return frame.with_columns(
        p=(pl.col("s") > 0.5).cast(pl.Int64),
        day=pl.lit(day),
        site=pl.when(pl.int_range(pl.len()) != 5).then("site"),
    )


LOG = pl.concat([rows_of(day, at) for at, day in enumerate(DAYS)])
COLUMNS = {"y_true": "y", "y_pred": "p", "y_score": "s"}


def write_days(folder):
    """Write the states of each day, a file each, in every form that they have."""
    for at, day in enumerate(DAYS):
        e = cm.evaluate(LOG.filter(day=day), **COLUMNS, by=["site", "day"])
        e.states().write_parquet(folder / f"day-{at}.parquet")
        e.states().write_ipc(folder / f"day-{at}.arrow")
        (folder / f"day-{at}.bin").write_bytes(e.to_bytes())
