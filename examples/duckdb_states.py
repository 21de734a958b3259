"""Metrics of slices by DuckDB: counts by SQL become states."""

import duckdb
import polars as pl

import confmat as cm


def states_by(
    connection: duckdb.DuckDBPyConnection, table: str, y_true: str, y_pred: str, by: list[str]
) -> pl.DataFrame:
    """Return what `cm.partial` gives of all rows. Names are those of SQL."""
    keys = ", ".join(by)
    counts = connection.sql(
        f"SELECT {keys}, {y_true} AS y_true, {y_pred} AS y_pred, count(*) AS n "
        f"FROM {table} GROUP BY ALL"
    )
    return cm.state_from_counts(counts.pl(), by=by)


if __name__ == "__main__":
    from importlib.resources import files

    connection = duckdb.connect()
    path = files("confmat") / "data" / "flights.parquet"
    states = states_by(connection, f"'{path}'", "delay_class", "delay_class_pred", ["carrier"])
    print(cm.finish(states, metrics=["accuracy", "mcc"]))
