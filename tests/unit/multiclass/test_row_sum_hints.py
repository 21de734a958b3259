"""What the doors say of scores whose rows do not sum to 1: a hint that works where it is given."""

import polars as pl
import pytest

import confmat as cm

Y = ["a", "b", "c", "a", "b", "c"]
A, B = ["a", "b", "c"], ["a2", "b2", "c2"]
ROWS = [[0.2, 0.1, 0.1], [0.1, 0.2, 0.1], [0.1, 0.1, 0.3], [0.2, 0.1, 0.1], [0.1] * 3, [0.1] * 3]
FRAME = pl.DataFrame(ROWS, schema=A, orient="row").with_columns(
    y=pl.Series(Y), **{name + "2": pl.col(name) * 1.5 for name in A}
)
LISTS = FRAME.select("y", one=pl.concat_list(A), other=pl.concat_list(B))


def columns_divided():
    return FRAME.with_columns(pl.col(names) / pl.sum_horizontal(names) for names in (A, B))


def lists_divided():
    names = ("one", "other")
    return LISTS.with_columns(pl.col(name) / pl.col(name).list.sum() for name in names)


def refused(call):
    with pytest.raises(cm.InputError) as caught:
        call()
    return str(caught.value)


def compared(frame, one, other):
    models = {"m": one, "n": other}
    c = cm.compare(frame, "y", y_score=models, labels=A, metrics=["log_loss"])
    return c.overall().row(0, named=True)


OF_SWEEP = ["normalize=True", "cm.multiclass_sweep"]
OF_EXPRESSION = ["normalize=True", "cm.multiclass_metrics"]
OF_COLUMNS = ["pl.col(names) / pl.sum_horizontal(names)"]
OF_LISTS = ["pl.col(name) / pl.col(name).list.sum()", "pl.col(name) / pl.col(name).arr.sum()"]
EVALUATED = {"y_score": A, "metrics": ["log_loss"]}


def asked_of(frame, **options):
    return frame.select(cm.multiclass_metrics("y", A, ["log_loss"], **options)).to_series()


@pytest.mark.parametrize(
    ("says", "hint"),
    [
        (lambda: compared(FRAME, A, B)["reason"], OF_COLUMNS),
        (lambda: compared(LISTS, "one", "other")["reason"], OF_LISTS),
        (lambda: refused(lambda: cm.multiclass_sweep(Y, ROWS).value("log_loss")), OF_SWEEP),
        (lambda: refused(lambda: cm.multiclass_sweep(Y, ROWS).ci("brier")), OF_SWEEP),
        (lambda: refused(lambda: cm.multiclass_sweep(Y, ROWS).n_clipped), OF_SWEEP),
        (lambda: cm.multiclass_sweep(Y, ROWS).reason("brier"), OF_SWEEP),
        (cm.multiclass_sweep(Y, ROWS).overall(["brier"])["reason"].item, OF_SWEEP),
        (lambda: refused(lambda: asked_of(FRAME)), OF_EXPRESSION),
        (lambda: refused(lambda: FRAME.cm.evaluate("y", **EVALUATED)), OF_COLUMNS),
        (lambda: refused(lambda: cm.MetricSet(["log_loss"])(Y, y_score=ROWS)), OF_COLUMNS),
    ],
)
def test_every_door_names_what_works_there(says, hint):
    told = says()
    assert "has the sum 0.4 at row 0; wanted 1 within 1e-05; divide each row by its sum" in told
    assert all(word in told for word in hint)


def test_the_command_line_says_it_too(run, tmp_path):
    pytest.importorskip("typer")
    path = tmp_path / "lists.parquet"
    LISTS.write_parquet(path)
    asked = ["--y-true", "y", "--metrics", "log_loss", "--labels", "a,b,c", "--out"]
    scores = ["--y-score", "one", "--y-score", "other"]
    code, _, _ = run("compare", path, *scores, *asked, tmp_path / "told.csv")
    assert code == 0
    reason = pl.read_csv(tmp_path / "told.csv")["reason"].item()
    assert all(word in reason for word in OF_LISTS)


def test_what_is_named_works():
    k = cm.multiclass_sweep(Y, ROWS, normalize=True)
    want = k.log_loss
    assert compared(columns_divided(), A, B)["value_a"] == pytest.approx(want)
    assert compared(lists_divided(), "one", "other")["value_b"] == pytest.approx(want)
    assert asked_of(FRAME, normalize=True).struct.field("log_loss").item() == want
    arrays = FRAME.select("y", name=pl.concat_list(A).list.to_array(len(A)))
    arrays = arrays.with_columns(pl.col("name") / pl.col("name").arr.sum())
    asked = cm.multiclass_metrics("y", "name", ["log_loss"], labels=list("abc"))
    assert arrays.select(asked).to_series().struct.field("log_loss").item() == pytest.approx(want)
    whole = columns_divided().cm.evaluate("y", **EVALUATED)
    assert whole["log_loss"].item() == pytest.approx(want)


def test_another_flaw_has_another_hint():
    told = cm.multiclass_sweep([0, 1], [[2.5, -1.0], [0.1, 0.3]]).reason("brier")
    assert told == "`scores` holds 2.5 at row 0 of column 0; wanted probabilities, from 0 to 1"
