"""Metrics of slices by DataFusion: an aggregate function for SQL whose values are states."""

import datafusion
import polars as pl
import pyarrow as pa

import confmat as cm


class State(datafusion.Accumulator):
    """The state of predicted classes of one slice, merged from batches and from threads."""

    def __init__(self) -> None:
        self._state: bytes | None = None

    def update(self, y_true: pa.Array, y_pred: pa.Array) -> None:
        """Count rows."""
        rows = pl.DataFrame({"y_true": y_true, "y_pred": y_pred})
        self.merge([cm.partial(rows)["state"]])

    def merge(self, states: list[pa.Array]) -> None:
        """Add what was counted elsewhere; a null adds nothing."""
        both = pl.DataFrame({"state": [self._state, *pl.Series(states[0])]}, {"state": pl.Binary})
        self._state = cm.merge(both, by=[])["state"].item()

    def state(self) -> list[pa.Scalar]:
        """Return what travels to where all of a slice comes together."""
        return [self.evaluate()]

    def evaluate(self) -> pa.Scalar:
        """Return the state; metrics are read later, and any of them."""
        return pa.scalar(self._state, pa.binary())


def state_of(labels: pa.DataType) -> datafusion.AggregateUDF:
    """Return the SQL function `state(y_true, y_pred)` for classes of a type."""
    binary = pa.binary()
    return datafusion.udaf(State, [labels, labels], binary, [binary], "immutable", "state")


if __name__ == "__main__":
    from importlib.resources import files

    context = datafusion.SessionContext()
    context.register_parquet("flights", str(files("confmat") / "data" / "flights.parquet"))
    context.register_udaf(state_of(pa.string()))
    query = "SELECT carrier, state(delay_class, delay_class_pred) AS state FROM flights GROUP BY 1"
    states = pl.DataFrame(context.sql(f"{query} ORDER BY 1").to_arrow_table())
    print(cm.finish(states, metrics=["accuracy", "mcc"]))
