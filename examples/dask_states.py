"""Metrics of slices by Dask: states of partitions, merged in a tree."""

import dask.dataframe as dd
import pandas as pd
import polars as pl

import confmat as cm


def counted(rows: pd.DataFrame, by: list[str], **columns: str) -> pd.DataFrame:
    """Return the states of the slices of one partition."""
    return to_pandas(cm.partial(pl.from_pandas(rows), by=by, **columns))


def merged(states: pd.DataFrame) -> pd.DataFrame:
    """Return the states of several partitions as one a slice."""
    return to_pandas(cm.merge(pl.from_pandas(states)))


def to_pandas(states: pl.DataFrame) -> pd.DataFrame:
    """Return states as pandas holds bytes."""
    return states.to_pandas(use_pyarrow_extension_array=True)


def states_by(frame: dd.DataFrame, by: list[str], **columns: str) -> pl.DataFrame:
    """Return what `cm.partial` gives of all rows."""
    meta = counted(frame[[*by, *columns.values()]].head(0), by, **columns)
    tree = frame.reduction(
        counted, merged, merged, meta=meta, chunk_kwargs={"by": by, **columns}, split_every=8
    )
    return cm.merge(pl.from_pandas(tree.compute()))


if __name__ == "__main__":
    from importlib.resources import files

    flights = dd.read_parquet(str(files("confmat") / "data" / "flights.parquet"))
    states = states_by(flights, ["carrier"], y_true="delay_class", y_pred="delay_class_pred")
    print(cm.finish(states, metrics=["accuracy", "mcc"]))
