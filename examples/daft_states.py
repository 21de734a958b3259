"""Metrics of slices by Daft: an aggregate function whose values are states."""

import daft
import polars as pl

import confmat as cm

BINARY = daft.DataType.binary()


@daft.udaf(return_dtype=BINARY, state=BINARY)
class State:
    """The state of predicted classes; of scores with `y_score` in `cm.partial`."""

    def aggregate(self, y_true: daft.Series, y_pred: daft.Series) -> bytes:
        """Count the rows of one slice that lie together."""
        rows = pl.DataFrame({"y_true": y_true.to_arrow(), "y_pred": y_pred.to_arrow()})
        return cm.partial(rows)["state"].item()

    def combine(self, states: daft.Series) -> bytes:
        """Merge what was counted of a slice in several places."""
        return cm.merge(pl.DataFrame({"state": states.to_arrow()}), by=[])["state"].item()

    def finalize(self, state: bytes) -> bytes:
        """Return the state as it is: metrics are read later, and any of them."""
        return state


def states_by(frame: daft.DataFrame, y_true: str, y_pred: str, by: list[str]) -> pl.DataFrame:
    """Return what `cm.partial` gives of all rows."""
    state = State()(frame[y_true], frame[y_pred]).alias("state")
    return pl.DataFrame(frame.groupby(*by).agg(state).to_arrow()).sort(by, nulls_last=True)


if __name__ == "__main__":
    from importlib.resources import files

    flights = daft.read_parquet(str(files("confmat") / "data" / "flights.parquet"))
    states = states_by(flights, "delay_class", "delay_class_pred", ["carrier"])
    print(cm.finish(states, metrics=["accuracy", "mcc"]))
